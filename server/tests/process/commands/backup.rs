//! `hitode backup` and `hitode restore`: a server that was moved answers as before.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use lz4_flex::frame::FrameDecoder;
use serde_json::json;
use test_support::http::{Answer, call};
use test_support::people::Caller;
use test_support::process::{Launch, Service, directory, shell};

use super::{Call, Printed};

pub(super) fn backup(file: &Path, data: &Path) -> Printed {
    let call = Call::from_line("backup").arg(&file.to_string_lossy());
    call.arg("--data").arg(&data.to_string_lossy()).run()
}

fn backup_of(address: SocketAddr, file: &Path, data: &Path) -> Printed {
    let call = Call::from_line("backup --url")
        .arg(&format!("http://{address}"))
        .arg(&file.to_string_lossy());
    call.arg("--data").arg(&data.to_string_lossy()).run()
}

/// The records of a backup.
pub(super) fn lines(file: &Path) -> Vec<String> {
    let frame = FrameDecoder::new(fs::File::open(file).expect("the file"));
    // The decoder's own `read_to_string` takes each block for a text.
    let lines = io::read_to_string(io::BufReader::new(frame)).expect("a frame");
    let mut lines: Vec<_> = lines.lines().map(str::to_owned).collect();
    // The header and the end state the time and the digest.
    lines.pop();
    lines.remove(0);
    lines
}

pub(super) fn restore(file: &Path, data: &Path, flags: &str) -> Printed {
    let call = Call::from_line(&format!("restore {flags}")).arg(&file.to_string_lossy());
    call.arg("--data").arg(&data.to_string_lossy()).run()
}

#[track_caller]
fn rejected(printed: &Printed, reason: &str) {
    assert_eq!((printed.code, printed.out.as_str()), (Some(1), ""), "{printed:?}");
    assert!(printed.err.contains(reason), "{printed:?}");
}

/// What every list and profile of the APIs shows.
fn answers(agent: &Caller, worker: &Caller, operator: &Caller) -> Vec<(u16, String)> {
    let agent = [
        "/humans?limit=100",
        "/humans/1",
        "/bounties?limit=100",
        "/bounties/1",
        "/account",
        "/account/bounties",
        "/conversations",
        "/conversations/1",
    ]
    .map(|path| agent.get(path));
    let worker = ["/me", "/bounties", "/applications", "/conversations"].map(|path| worker.get(path));
    let operator = ["/accounts", "/humans/1"].map(|path| operator.get(path));
    let all = agent.into_iter().chain(worker).chain(operator);
    all.map(|answer: Answer| (answer.status, answer.text())).collect()
}

fn callers(service: &Service, key: &str, token: &str) -> (Caller, Caller, Caller) {
    let (agent, worker) = (Caller::agent(service, key), Caller::worker(service, token));
    (agent, worker, Caller::operator_of(service))
}

#[test]
fn a_restored_server_answers_as_the_one_that_was_backed_up() {
    let dir = directory();
    let [data, moved, lost] = ["data", "moved", "lost"].map(|name| dir.path().join(name));
    let [file, running] = ["market.backup", "running.backup"].map(|name| dir.path().join(name));
    let service = Launch::on(&data).arg("--demo").start();
    let credentials = fs::read_to_string(data.join("demo-credentials")).expect("the file");
    let [key, token] = ["  htd_", "  htw_"].map(|secret| {
        let mut lines = credentials.lines();
        lines.find(|line| line.starts_with(secret)).expect("a credential")
    });
    let (agent, worker, operator) = callers(&service, key.trim(), token.trim());
    let before = answers(&agent, &worker, &operator);
    assert!(before.iter().all(|(status, _)| *status == 200), "{before:?}");
    rejected(&backup(&file, &data), "another hitode uses the data directory");
    assert!(
        fs::read_dir(dir.path()).expect("a directory").count() == 1,
        "nothing is left behind"
    );
    let address = service.address;
    let printed = backup_of(address, &running, &data);
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""), "{printed:?}");
    service.stop();

    let printed = backup(&file, &data);
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""), "{printed:?}");
    let mode = fs::metadata(&file).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    rejected(&backup(&file, &data), "exists already");
    rejected(&restore(&file, &data, ""), "is not empty");

    assert_eq!(lines(&file), lines(&running));

    symlink("elsewhere", &moved).expect("a link");
    let printed = restore(&running, &moved, "--keep-credentials --id-gap 0");
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""), "{printed:?}");
    assert!(moved.is_symlink() && dir.path().join("elsewhere").is_dir());
    let service = Launch::on(&moved).start();
    let (agent, worker, operator) = callers(&service, key.trim(), token.trim());
    assert_eq!(answers(&agent, &worker, &operator), before);
    service.stop();

    let printed = restore(&file, &lost, "");
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let service = Launch::on(&lost).start();
    let (agent, worker, operator) = callers(&service, key.trim(), token.trim());
    assert_eq!((agent.get("/account").status, worker.get("/me").status), (401, 401));
    let created = operator.post("/accounts", json!({ "name": "Ada", "plan": "free" }));
    assert!(created.id() > 1_000_000, "{created:?}");
    service.stop();

    let whole = fs::read(&file).expect("the file");
    fs::write(&file, &whole[..whole.len() / 2]).expect("written");
    let left = dir.path().join("left");
    rejected(&restore(&file, &left, ""), "it is incomplete");
    assert!(!left.exists());
}

#[test]
fn a_backup_can_be_piped_and_one_that_was_cut_is_rejected() {
    let dir = directory();
    let data = dir.path().join("data");
    let service = Launch::on(&data).arg("--demo").start();
    let program = env!("CARGO_BIN_EXE_hitode");
    let line = |filter: &str, to: &str| {
        let (url, at) = (service.address, dir.path().display());
        shell(&format!(
            "{program} backup - --url http://{url} --data {at}/data | {filter} \
             | {program} restore - --data {at}/{to} 2>&1 || true"
        ))
    };
    let printed = line("cat", "moved");
    assert!(printed.contains("Restored "), "{printed}");
    let printed = line("head -c 20000", "cut");
    assert!(printed.contains("it is incomplete"), "{printed}");
    assert!(dir.path().join("moved").exists() && !dir.path().join("cut").exists());
    service.stop();
}

#[test]
fn an_encrypted_backup_is_restored_with_its_key_only() {
    let dir = directory();
    let path = |name: &str| dir.path().join(name);
    let service = Launch::on(&path("data")).arg("--demo").start();
    let url = format!("http://{}", service.address);
    let backup = |flags: &str, file: &str| {
        let call = Call::from_line("backup --url").arg(&url).within(dir.path());
        let words = flags.split_whitespace().chain([file, "--data", "data"]);
        words.fold(call, |call, word| call.arg(word)).run()
    };
    for key in ["key", "other-key"] {
        Call::from_line("backup-key").arg(key).within(dir.path()).run().well();
    }
    rejected(
        &Call::from_line("backup-key key").within(dir.path()).run(),
        "exists already",
    );
    assert!(
        backup("--key-file key", "sealed")
            .well()
            .out
            .contains("It is encrypted.")
    );
    backup("", "plain").well();
    rejected(&backup("--key-file data", "never"), "cannot read the key file data");
    service.stop();

    let mode = |name: &str| fs::metadata(path(name)).expect("the file").permissions().mode() & 0o777;
    assert_eq!((mode("key"), mode("sealed")), (0o600, 0o600));
    let sealed = fs::read(path("sealed")).expect("the file");
    assert!(sealed.starts_with(b"hitode encrypted backup 1\n"));
    let restore = |line: &str| Call::from_line(line).within(dir.path()).run();
    rejected(&restore("restore sealed --data a"), "it is encrypted");
    rejected(&restore("restore sealed --data a --key-file other-key"), "another key");
    rejected(&restore("restore plain --data a --key-file key"), "it is not encrypted");
    fs::write(path("cut"), &sealed[..sealed.len() - 1]).expect("written");
    rejected(&restore("restore cut --data a --key-file key"), "was cut");
    assert!(!path("a").exists());
    restore("restore sealed --data a --key-file key").well();
    // Through links, and into a directory that exists.
    fs::create_dir(path("empty")).expect("a directory");
    std::os::unix::fs::symlink("empty", path("link")).expect("a link");
    std::os::unix::fs::symlink("link", path("other-link")).expect("a link");
    restore("restore sealed --data other-link/ --key-file key").well();
    assert!(path("empty/db").exists() && path("other-link").is_symlink());
    rejected(&restore("restore sealed --data /proc --key-file key"), "is not empty");
    fs::set_permissions(path("key"), fs::Permissions::from_mode(0o644)).expect("set");
    let warned = restore("restore sealed --data b --key-file key");
    assert!(warned.code == Some(0) && warned.err.contains("chmod 600"), "{warned:?}");
    Launch::on(&path("a")).start().stop();
}

#[test]
fn only_the_operator_receives_a_backup() {
    let dir = directory();
    let data = dir.path().join("data");
    let service = Launch::on(&data).arg("--demo").start();
    let address = service.address;
    for (header, problem) in [
        (None, "is missing"),
        (Some(("X-Operator-Token", "hto_guessed")), "is not accepted"),
    ] {
        let answer = call(address, "GET", "/backup", header.as_slice(), None);
        assert_eq!(answer.status, 401, "{answer:?}");
        let text = answer.text();
        assert!(
            text.contains("X-Operator-Token") && text.contains(problem),
            "{answer:?}"
        );
    }
    // Guesses count as failed credentials.
    let guess = || call(address, "GET", "/backup", &[("X-Operator-Token", "hto_guessed")], None).status;
    assert!((0..1_000).any(|_| guess() == 429));
    let file = dir.path().join("market.backup");
    let elsewhere = dir.path().join("elsewhere");
    rejected(&backup_of(address, &file, &elsewhere), "no operator token");
    assert!(!file.exists());
    service.stop();
    rejected(&backup_of(address, &file, &data), "no server listens");
    assert!(!file.exists());
}
