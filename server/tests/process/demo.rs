//! `--demo`: the content after the first start, the output, and that its commands work when they are pasted.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use test_support::http::call;
use test_support::people::Caller;
use test_support::process::{Launch, Service, directory, shell};

struct Demo {
    service: Service,
    agent: Caller,
    worker: Caller,
}

fn demo(data: &Path) -> Demo {
    with_callers(Launch::on(data).arg("--demo").start())
}

fn with_callers(service: Service) -> Demo {
    let text = credentials(&service);
    Demo {
        agent: Caller::agent(&service, secret(&text, "htd_")),
        worker: Caller::worker(&service, secret(&text, "htw_")),
        service,
    }
}

/// The text with the credentials, which is in a file: standard output is no terminal here.
fn credentials(service: &Service) -> String {
    service.out.wait_for("Its credentials").expect("the path of the file");
    fs::read_to_string(service.data.join("demo-credentials")).expect("the file")
}

/// The first credential with this prefix.
fn secret<'t>(text: &'t str, prefix: &str) -> &'t str {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("  "));
    lines.find(|line| line.starts_with(prefix)).expect("a credential")
}

/// All items of a list, page by page.
fn all(caller: &Caller, path: &str) -> Vec<Value> {
    let mut rows = Vec::new();
    loop {
        let page = caller.get(&format!("{path}?limit=100&offset={}", rows.len())).json();
        rows.extend(page["data"].as_array().expect("rows").iter().cloned());
        if page["total"].as_u64() == Some(rows.len() as u64) {
            return rows;
        }
    }
}

#[test]
fn there_are_workers_everywhere_who_can_do_many_things() {
    let data = directory();
    let demo = demo(data.path());
    let humans = all(&demo.agent, "/humans");
    assert!(humans.len() >= 300, "{}", humans.len());
    let states: HashSet<_> = humans.iter().map(|human| human["state"].to_string()).collect();
    assert_eq!(states.len(), 47);
    let mut skills: HashMap<String, usize> = HashMap::new();
    for skill in humans
        .iter()
        .flat_map(|human| human["skills"].as_array().expect("skills"))
    {
        *skills.entry(skill.to_string()).or_default() += 1;
    }
    assert!(skills.len() >= 60, "{skills:?}");
    let headlines: HashSet<_> = humans.iter().map(|human| human["headline"].to_string()).collect();
    assert_eq!(headlines.len(), humans.len());
    assert!(humans.iter().any(|human| human["rating"] == 0));
    assert!(
        humans
            .iter()
            .all(|human| human["hourly_rate"].as_f64().is_some_and(|yen| yen > 1_000.0))
    );
    let tokyo = demo
        .agent
        .get("/humans?state=Tokyo&skill=photography&maxRate=9000")
        .json();
    assert!(tokyo["total"].as_u64().is_some_and(|total| total > 0), "{tokyo}");
}

#[test]
fn there_are_open_bounties_of_two_accounts_and_a_life_around_them() {
    let data = directory();
    let demo = demo(data.path());
    let bounties = all(&demo.agent, "/bounties");
    assert_eq!(bounties.len(), 20);
    let posters: HashSet<_> = bounties
        .iter()
        .map(|bounty| bounty["poster_name"].to_string())
        .collect();
    assert_eq!(posters.len(), 2);

    let own = |bounty: &Value| demo.agent.get(&format!("/bounties/{}/applications", bounty["id"]));
    let applications: Vec<Value> = bounties
        .iter()
        .map(own)
        .filter(|answer| answer.status == 200)
        .map(|answer| answer.data())
        .collect();
    let statuses: HashSet<_> = applications
        .iter()
        .flat_map(|list| list.as_array().expect("rows"))
        .map(|one| one["status"].to_string())
        .collect();
    assert_eq!(statuses.len(), 3, "{statuses:?}");

    let conversations = demo.agent.get("/conversations").data();
    assert!(conversations.as_array().expect("rows").len() >= 3);
    let messages = demo
        .agent
        .get(&format!("/conversations/{}", conversations[0]["id"]))
        .data()["messages"]
        .take();
    let senders: HashSet<_> = messages
        .as_array()
        .expect("messages")
        .iter()
        .map(|one| one["sender_type"].to_string())
        .collect();
    assert_eq!(senders.len(), 2);

    assert_eq!(demo.worker.get("/me").status, 200);
    assert_eq!(
        demo.worker.get("/conversations").data().as_array().expect("rows").len(),
        1
    );
    assert!(
        demo.worker.get("/applications").json()["total"]
            .as_u64()
            .is_some_and(|total| total > 0)
    );
}

fn all_of(caller: &Caller, path: &str) -> usize {
    caller.get(path).data().as_array().map_or(0, Vec::len)
}

#[test]
fn the_lines_that_are_printed_work_when_they_are_pasted() {
    let data = directory();
    let demo = demo(data.path());
    let text = credentials(&demo.service);
    let lines = text.lines().filter(|line| line.trim_start().starts_with("curl "));
    let answers: Vec<Value> = lines
        .map(|line| serde_json::from_str(&shell(line)).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect();
    assert!(answers.iter().all(|answer| answer["success"] == true), "{answers:?}");
    let [found, applied, accounts, posted] = &answers[..] else {
        panic!("four lines: {text}");
    };
    assert!(!found["data"].as_array().expect("rows").is_empty(), "{found}");
    assert_eq!(accounts["total"], 3, "{accounts}");
    let sandbox = Caller::agent(&demo.service, secret(&text, "htd_test_"));
    let applications = format!("/bounties/{}/applications", posted["data"]["id"]);
    let until = Instant::now() + Duration::from_secs(30);
    while all_of(&sandbox, &applications) < 3 {
        assert!(Instant::now() < until, "nobody applies in the sandbox");
        std::thread::sleep(Duration::from_millis(50));
    }
    let own = all(&demo.worker, "/applications");
    assert!(
        own.iter().any(|application| application["id"] == applied["data"]["id"]),
        "{own:?}"
    );
    let token = data.path().join("operator-token");
    assert!(text.contains(&format!("token is in {}", token.display())), "{text}");
}

#[test]
fn credentials_are_not_in_what_a_log_keeps_but_in_a_file_for_its_owner() {
    let data = directory();
    let demo = demo(data.path());
    let last = demo.service.out.wait_for("/docs").expect("the last line");
    let text = demo.service.out.text();
    assert!(text.ends_with(&format!("{last}\n")), "{text}");
    let file = data.path().join("demo-credentials");
    assert!(
        text.contains(&format!("are in {}, for the owner", file.display())),
        "{text}"
    );
    let kept = text + &demo.service.log.text();
    assert!(
        ["htd_", "htw_", "hto_"].iter().all(|prefix| !kept.contains(prefix)),
        "{kept}"
    );
    let mode = fs::metadata(&file).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn on_a_filled_store_it_adds_nothing_and_says_how_to_get_in() {
    let data = directory();
    let first = demo(data.path());
    let (humans, bounties) = (all(&first.agent, "/humans"), all(&first.agent, "/bounties"));
    let key = first.agent.secret.clone();
    first.service.stop();

    let second = Launch::on(data.path()).arg("--demo").start();
    assert!(second.out.wait_for("no demo data was added").is_some());
    let line = second.out.wait_for("curl ").expect("a line");
    let command = format!(
        "{} account create --name \"My agent\" --plan verified",
        env!("CARGO_BIN_EXE_hitode")
    );
    let command = second.out.wait_for(&command).expect("the command");
    assert!(shell(&command).contains("htd_"), "it makes a key when it is pasted");
    assert!(
        !second.out.text().contains("htd_") && !second.out.text().contains("hto_"),
        "{}",
        second.out.text()
    );
    let agent = Caller::agent(&second, &key);
    assert_eq!((all(&agent, "/humans"), all(&agent, "/bounties")), (humans, bounties));

    let reply: Value = serde_json::from_str(&shell(&line)).expect("JSON");
    let newcomer = Caller::agent(&second, reply["data"]["key"].as_str().expect("a key"));
    assert_eq!(newcomer.get("/keys").data().as_array().expect("keys").len(), 1);
}

#[test]
fn it_is_the_same_everywhere_but_for_the_credentials() {
    let (here, there) = (directory(), directory());
    let (here, there) = (demo(here.path()), demo(there.path()));
    assert_eq!(all(&here.agent, "/humans"), all(&there.agent, "/humans"));
    assert_eq!(all(&here.agent, "/bounties"), all(&there.agent, "/bounties"));
    assert_ne!(here.agent.secret, there.agent.secret);
    assert_ne!(here.worker.secret, there.worker.secret);
}

#[test]
fn a_data_directory_with_a_difficult_name_can_be_pasted_too() {
    let parent = directory();
    let data = parent.path().join("it's a $HOME");
    demo(&data).service.stop();
    let second = Launch::on(&data).arg("--demo").start();
    let reply: Value = serde_json::from_str(&shell(&second.out.wait_for("curl ").expect("a line"))).expect("JSON");
    assert_eq!(reply["success"], true);
}

#[test]
fn it_is_as_large_as_is_wanted() {
    let demo = with_callers(Launch::anywhere().arg("--demo=2000").start());
    assert!(
        demo.service
            .out
            .wait_for("Demo: created 2000 made-up workers")
            .is_some()
    );
    assert_eq!(demo.agent.get("/humans").json()["total"], 2_000);
    assert!(!all(&demo.worker, "/applications").is_empty());
}

#[test]
fn the_variable_takes_numbers_and_words() {
    for (value, workers) in [("off", None), ("0", None), ("150", Some(150)), ("1", Some(330))] {
        let service = Launch::anywhere().variable("HITODE_DEMO", value).start();
        match workers {
            Some(workers) => assert!(
                service
                    .out
                    .wait_for(&format!("Demo: created {workers} made-up"))
                    .is_some()
            ),
            None => {
                let mut service = service;
                service.signal("TERM");
                service.end();
                assert!(!service.out.text().contains("Demo"), "{}", service.out.text());
            }
        }
    }
}

#[test]
fn a_size_that_cannot_be_is_rejected() {
    for size in ["99", "1000001", "-1", "many"] {
        let ended = Launch::anywhere().arg(&format!("--demo={size}")).run_to_its_end();
        assert_eq!(ended.code, Some(2), "{size}");
        assert!(
            ended.log.contains("a number of workers from 100 to 1000000"),
            "{}",
            ended.log
        );
    }
}

/// A number of workers that takes far longer than sending a signal, and the message after a tenth of them.
const LARGE: (&str, &str) = ("--demo=30000", "3000 of 30000 workers");

#[test]
fn half_a_demo_is_not_taken_for_a_whole_one() {
    let data = directory();
    let killed = Launch::on(data.path()).arg(LARGE.0).run_until(LARGE.1, "KILL");
    assert_eq!(killed.code, None);

    let again = Launch::on(data.path()).arg("--demo").run_to_its_end();
    assert_eq!(again.code, Some(1));
    let way_out = format!("remove {} and start again", data.path().display());
    assert!(
        again.log.contains("is incomplete") && again.log.contains(&way_out),
        "{}",
        again.log
    );

    let without = Launch::on(data.path()).start();
    assert!(
        without.log.wait_for("is incomplete").is_some(),
        "{}",
        without.log.text()
    );
    assert_eq!(without.stop().code, Some(0));

    fs::remove_dir_all(data.path()).expect("the way out");
    assert!(
        demo(data.path())
            .service
            .out
            .wait_for("Demo: created 330 made-up")
            .is_some()
    );
}

#[test]
fn a_demo_that_is_being_entered_can_be_stopped() {
    for signal in ["INT", "TERM"] {
        let data = directory();
        let stopped = Launch::on(data.path()).arg(LARGE.0).run_until(LARGE.1, signal);
        assert_eq!(stopped.code, Some(1), "{}", stopped.log);
        assert!(
            stopped.log.contains("stopped while the demo was being created"),
            "{}",
            stopped.log
        );
        assert!(!stopped.log.contains("30000 of 30000"), "{}", stopped.log);
        let again = Launch::on(data.path()).arg("--demo").run_to_its_end();
        assert!(again.log.contains("is incomplete"), "{}", again.log);
    }
}

#[test]
fn a_complete_demo_leaves_no_marker() {
    let data = directory();
    demo(data.path()).service.stop();
    assert!(!data.path().join("demo-unfinished").exists());
}

/// The examples in the text for agents that are searches: each operation with its path and query.
fn searches(text: &str) -> Vec<(&str, &str)> {
    let sections = text.split("\n### ").skip(1).filter_map(|section| {
        let (_, example) = section.split_once("- Example: `GET ")?;
        Some((section.lines().next()?, example.split('`').next()?))
    });
    sections.collect()
}

#[test]
fn copied_examples_of_searches_find_somebody() {
    let data = directory();
    let demo = demo(data.path());
    let text = call(demo.service.address, "GET", "/llms.txt?surface=agent", &[], None).text();
    assert!(text.starts_with("Server: http://test\n\n# Hitode: agent\n"), "{text}");
    let found = |path: &str| {
        let path = path.strip_prefix("/api/v1").expect("a path of the agent API");
        let rows = demo.agent.get(path).json()["data"].as_array().map(Vec::len);
        assert!(rows.is_some_and(|rows| rows > 0), "{path}");
    };
    let searches = searches(&text);
    let operations: Vec<&str> = searches.iter().map(|(operation, _)| *operation).collect();
    assert_eq!(operations, ["list_humans", "list_bounties", "list_my_bounties"]);
    searches.iter().for_each(|(_, path)| found(path));
    found(&format!(
        "{}&minRate=1000&maxRate=5000&is_available=true",
        searches[0].1
    ));
    found("/api/v1/skills");
    found("/api/v1/bounties?location=%E4%BA%AC%E9%83%BD");
}

/// Also those that an operation states beside the examples of its fields.
#[test]
fn copied_examples_of_bodies_create_something() {
    let data = directory();
    let demo = demo(data.path());
    let document = call(demo.service.address, "GET", "/openapi.json?surface=agent", &[], None).json();
    let paths = document["paths"].as_object().expect("paths").iter();
    let bodies = paths
        .filter(|(path, _)| !path.contains('{'))
        .filter_map(|(path, item)| {
            let example = item.pointer("/post/requestBody/content/application~1json/example")?;
            let is_dry_run = item.pointer("/post/x-dry-run").is_some();
            let path = path.strip_prefix("/api/v1").expect("a path of the agent API");
            Some((path, example.clone(), is_dry_run))
        });
    let mut created = Vec::new();
    for (path, example, is_dry_run) in bodies {
        let answer = demo.agent.post(path, example);
        if is_dry_run {
            assert_eq!(answer.json()["success"], true, "{path}: {}", answer.text());
            continue;
        }
        assert!(answer.json()["data"]["id"].is_number(), "{path}: {}", answer.text());
        created.push(path.to_owned());
    }
    assert_eq!(created, ["/bounties", "/conversations", "/keys", "/webhooks"]);
    let bounty = demo.agent.get("/account/bounties").json();
    assert_eq!(bounty["data"][0]["category"], "errand", "{bounty}");
}
