//! `import` with interruptions: in the end each worker exists exactly once.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use super::detour::{Detour, ProxyAction};
use super::people_file::{all_are_there_once, entered, import, line, lines};
use super::{Call, Printed, file, server};
use test_support::people::{Caller, worker};
use test_support::process::{DEADLINE, Service, directory, shell};

/// Enough for several batches.
const COUNT: usize = 1_500;

const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Type: application/json\r\n\
                    Content-Length: 40\r\n\r\n{\"success\":false,\"error\":\"a bad moment\"}";

const LATER: &str = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n";

const TOO_LARGE: &str = "HTTP/1.1 413 Payload Too Large\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n";

/// A file of workers, a server without workers, and a proxy between it and the command.
struct ImportScene {
    data: TempDir,
    service: Service,
    people: PathBuf,
    detour: Detour,
}

impl ImportScene {
    /// A scene with this text in the file; `action` decides about each import request.
    fn new(text: impl AsRef<[u8]>, action: impl Fn(usize) -> ProxyAction + Send + 'static) -> ImportScene {
        let data = directory();
        let service = server(data.path());
        ImportScene {
            people: file(data.path(), "people.jsonl", text),
            detour: Detour::to(service.address, action),
            service,
            data,
        }
    }

    fn import(&self) -> Call {
        Call::from_line("import")
            .arg(&self.people.to_string_lossy())
            .to(self.detour.address, self.data.path())
    }

    /// Checks that the command succeeds, and that the workers 1 to `count` then exist once each; returns its output.
    #[track_caller]
    fn goes_on(&self, count: usize) -> Printed {
        let again = self.import().run();
        assert_eq!(again.code, Some(0), "{}", again.err);
        all_are_there_once(&self.service, count);
        again
    }
}

/// This action for the n-th import request; all others pass.
fn at(nth: usize, action: ProxyAction) -> impl Fn(usize) -> ProxyAction + Send + 'static {
    move |now| if now == nth { action } else { ProxyAction::Through }
}

/// Kills an import while its `nth` request is held, and runs it again.
#[track_caller]
fn killed(nth: usize, hold: ProxyAction) {
    let scene = ImportScene::new(lines(COUNT), at(nth, hold));
    let mut child = scene.import().start();
    let held = scene.detour.held();
    child.kill().expect("killed");
    child.wait().expect("its end");
    drop(held);

    let again = scene.goes_on(COUNT);
    assert!(
        again.out.starts_with(&format!("{COUNT} workers entered")),
        "{}",
        again.out
    );
    assert!(
        again.err.contains("continuing after line") && again.err.contains("again, with the same key"),
        "{}",
        again.err
    );

    // Every id is known, also those of the batch with the lost answer.
    let document = scene.import().arg("--json").run().json();
    let found = entered(&scene.service);
    for row in document["entered"].as_array().expect("rows") {
        assert_eq!(found[&format!("Worker {}", row["line"])], row["id"], "{row}");
    }
}

#[test]
fn killed_after_its_batch_was_entered_it_goes_on_behind_it() {
    killed(9, ProxyAction::HoldAnswer);
}

#[test]
fn killed_before_its_batch_was_entered_it_sends_it_again() {
    killed(9, ProxyAction::HoldRequest);
}

#[test]
fn ctrl_c_completes_the_batch_in_progress() {
    let scene = ImportScene::new(lines(COUNT), at(5, ProxyAction::HoldAnswer));
    let mut child = scene.import().start();
    let held = scene.detour.held();
    shell(&format!("kill -INT {}", child.id()));
    let mut output = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    assert!(line.contains("stopping after the current batch"), "{line}");
    held.release();
    output.read_to_string(&mut line).expect("text");
    assert!(line.contains("stopped after line 31, 31 workers entered"), "{line}");
    assert_eq!(child.wait().expect("its end").code(), Some(1));

    let again = scene.goes_on(COUNT);
    assert!(
        !again.err.contains("with the same key"),
        "nothing is in doubt: {}",
        again.err
    );
}

#[test]
fn ctrl_c_twice_does_not_wait_for_the_batch() {
    let scene = ImportScene::new(lines(COUNT), at(5, ProxyAction::HoldAnswer));
    let mut child = scene.import().start();
    let held = scene.detour.held();
    let mut output = BufReader::new(child.stderr.take().expect("piped"));
    shell(&format!("kill -INT {}", child.id()));
    output.read_line(&mut String::new()).expect("a line");
    shell(&format!("kill -INT {}", child.id()));
    assert_eq!(child.wait().expect("its end").code(), Some(130));
    drop(held);
    scene.goes_on(COUNT);
}

#[test]
fn killed_wherever_it_happens_to_be_it_goes_on() {
    let data = directory();
    let service = server(data.path());
    let people = file(data.path(), "people.jsonl", lines(COUNT));
    let import = || import(&people, &service);
    let steps = |wanted: usize| {
        let text = fs::read_to_string(data.path().join("people.jsonl.progress")).unwrap_or_default();
        text.matches("{\"entered\":").count() >= wanted
    };
    for wanted in [3, 8, 10] {
        let mut child = import().start();
        let begun = Instant::now();
        while !steps(wanted) && child.try_wait().expect("a child").is_none() {
            assert!(begun.elapsed() < DEADLINE, "it does not get on");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("killed");
        child.wait().expect("its end");
    }
    let last = import().run();
    assert_eq!(last.code, Some(0), "{}", last.err);
    all_are_there_once(&service, COUNT);
}

#[test]
fn when_the_server_dies_the_same_command_goes_on_with_the_next_one() {
    let mut scene = ImportScene::new(lines(COUNT), at(8, ProxyAction::HoldAnswer));
    let mut child = scene.import().start();
    let held = scene.detour.held();
    scene.service.signal("KILL");
    scene.service.end();
    drop(held);
    assert_eq!(child.wait().expect("its end").code(), Some(1));
    let output = scene.import().run();
    assert_eq!(output.code, Some(1), "nobody listens: {}", output.err);

    scene.service = server(scene.data.path());
    scene.detour.move_to(scene.service.address);
    scene.goes_on(COUNT);
}

#[test]
fn an_answer_that_was_lost_ends_the_import_and_says_how_it_goes_on() {
    let scene = ImportScene::new(lines(COUNT), at(4, ProxyAction::AnswerInstead("")));
    let output = scene.import().run().failed();
    assert!(
        output.contains("it is unknown whether lines 8 to 15 were entered"),
        "{output}"
    );
    assert!(output.contains("run the same command again"), "{output}");
    scene.goes_on(COUNT);
}

#[test]
fn completed_lines_are_reported_to_a_script_even_if_the_rest_fails() {
    let scene = ImportScene::new("", at(4, ProxyAction::AnswerInstead("")));
    let ended = Call::from_line("import - --json")
        .to(scene.detour.address, scene.data.path())
        .run_on(&lines(100));
    assert_eq!(ended.code, Some(1));
    let document = ended.json();
    assert_eq!(document["finished"], false);
    assert_eq!(document["entered"].as_array().map(Vec::len), Some(7));
    assert!(
        ended.err.contains("it is unknown whether lines 8 to 15 were entered"),
        "{}",
        ended.err
    );
    assert!(
        ended
            .err
            .contains("check whether they exist before you send them again"),
        "{}",
        ended.err
    );
}

#[test]
fn a_server_that_cannot_write_for_a_moment_is_waited_for() {
    // Neither kind of 503 says whether anything was written.
    let scene = ImportScene::new(lines(COUNT), |now| match now {
        3 | 4 => ProxyAction::Answer(BUSY),
        8 => ProxyAction::AnswerInstead(BUSY),
        _ => ProxyAction::Through,
    });
    let ended = scene.goes_on(COUNT);
    assert!(ended.err.contains("a bad moment: trying again in 1 s"), "{}", ended.err);
}

#[test]
fn a_server_that_asks_for_too_long_a_wait_is_not_waited_for() {
    let scene = ImportScene::new(lines(20), at(3, ProxyAction::Answer(LATER)));
    let output = scene.import().run().failed();
    assert!(
        output.contains("429") && output.contains("Stopped at lines 4 to 7"),
        "{output}"
    );
    let again = scene.goes_on(20);
    assert!(
        !again.err.contains("with the same key"),
        "a refusal leaves no doubt: {}",
        again.err
    );
}

#[test]
fn a_proxy_that_takes_smaller_bodies_gets_smaller_batches() {
    let scene = ImportScene::new(lines(200), |now| {
        if now.is_multiple_of(3) {
            ProxyAction::Answer(TOO_LARGE)
        } else {
            ProxyAction::Through
        }
    });
    // A single line can meet the third action, too: then it is rejected and reported.
    let ended = scene.import().arg("--json").run().json();
    let (accepted, rejected) = (
        ended["entered"].as_array().expect("rows").len(),
        ended["refused"].as_array().expect("rows").len(),
    );
    assert_eq!(accepted + rejected, 200);
    assert_eq!(entered(&scene.service).len(), accepted);
}

#[test]
fn a_server_of_another_version_has_the_last_word_about_a_line() {
    const INVALID: &str = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 61\r\n\r\n\
                           {\"success\":false,\"error\":\"`humans[0].bio` must not be empty\"}";
    // The first request has line 1, and the third one has two lines: they are sent again, each alone.
    let scene = ImportScene::new(lines(6), |now| match now {
        1 | 3 => ProxyAction::Answer(INVALID),
        _ => ProxyAction::Through,
    });
    let ended = scene.import().run();
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (Some(1), "line 1: `bio` must not be empty\n")
    );
    assert_eq!(entered(&scene.service).len(), 5);
}

#[test]
fn a_batch_without_an_answer_is_entered_once() {
    let mut wrong = worker();
    wrong["gender"] = json!("unknown");
    let equal = line(1).repeat(20);
    for (text, nth, workers, rejected) in [
        (lines(3), 1, 3, 0),
        (equal, 4, 20, 0),
        (format!("{}{wrong}\n{}", line(1), line(2)), 2, 2, 1),
        (format!("{}{}{wrong}\n{}", line(1), line(2), line(3)), 3, 3, 1),
    ] {
        for doubt in [ProxyAction::Answer(""), ProxyAction::AnswerInstead("")] {
            let scene = ImportScene::new(&text, at(nth, doubt));
            scene.import().run().failed();
            let again = scene.import().run();
            assert_eq!(again.code, Some(rejected), "{}", again.err);
            assert!(
                again
                    .out
                    .starts_with(&format!("{workers} workers entered, {rejected} line")),
                "{}",
                again.out
            );
            assert_eq!(number_of_workers(&scene.service), workers, "{doubt:?}");
            let rejects = fs::read_to_string(scene.data.path().join("people.jsonl.rejects")).unwrap_or_default();
            assert_eq!(rejects, format!("{wrong}\n").repeat(rejected as usize));
        }
    }
}

#[test]
fn an_error_does_not_settle_a_batch_whose_first_answer_was_lost() {
    const UNAUTHORIZED: &str = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";
    for lost in ["", BUSY] {
        for error in [LATER, TOO_LARGE, UNAUTHORIZED] {
            let scene = ImportScene::new(lines(20), move |now| match now {
                4 => ProxyAction::AnswerInstead(lost),
                5 => ProxyAction::Answer(error),
                _ => ProxyAction::Through,
            });
            // After a 503, the same run sends the batch again; after a lost connection, the next one does.
            for _ in 0..if lost.is_empty() { 2 } else { 1 } {
                let output = scene.import().run().failed();
                assert!(
                    output.contains("it is unknown whether lines 8 to 15 were entered"),
                    "{output}"
                );
            }
            let again = scene.goes_on(20);
            assert!(
                again.err.contains("sending lines 8 to 15 again, with the same key"),
                "{}",
                again.err
            );
        }
    }
}

#[test]
fn a_full_disk_is_reported_and_the_same_command_continues() {
    for json in ["", "--json"] {
        let data = directory();
        let service = server(data.path());
        let people = file(data.path(), "people.jsonl", lines(300));
        let import = |first: &str| {
            Call::after(first, &format!("import {json}"))
                .arg(&people.to_string_lossy())
                .at(&service)
                .run()
        };
        let ended = import("trap '' XFSZ; ulimit -f 2");
        assert_eq!(ended.code, Some(1));
        assert!(
            ended.err.contains("cannot write the progress file") && !ended.err.contains("move it away"),
            "{}",
            ended.err
        );
        if !json.is_empty() {
            assert_eq!(ended.json()["finished"], false);
        }
        let progress = fs::read(data.path().join("people.jsonl.progress")).expect("readable");
        assert_ne!(progress.last(), Some(&b'\n'), "this is of a step that was half written");
        let again = import("true");
        assert_eq!(again.code, Some(0), "{}", again.err);
        all_are_there_once(&service, 300);
    }
}

#[test]
fn it_continues_when_its_report_of_rejected_lines_is_not_read() {
    let scene = ImportScene::new(
        format!("{}nonsense\n{}", line(1), line(2)),
        at(1, ProxyAction::HoldAnswer),
    );
    let mut child = scene.import().start();
    let held = scene.detour.held();
    drop(child.stderr.take());
    held.release();
    assert_eq!(child.wait().expect("its end").code(), Some(1));
    all_are_there_once(&scene.service, 2);
}

fn number_of_workers(service: &Service) -> u64 {
    let operator = Caller::operator_of(service);
    let account = operator
        .post("/accounts", json!({ "name": "who counts", "plan": "free" }))
        .data();
    let agent = Caller::agent(service, account["key"].as_str().expect("a key"));
    agent.get("/humans").json()["total"].as_u64().expect("a number")
}
