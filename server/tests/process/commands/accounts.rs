//! Commands about accounts, keys, workers and bounties, with output for people and for scripts.

use serde_json::json;

use super::{Call, server};
use test_support::people::{Caller, worker};
use test_support::process::directory;

#[test]
fn an_account_is_created_and_its_key_works() {
    let data = directory();
    let service = server(data.path());
    let call = || {
        Call::from_line("account create --plan verified")
            .arg("--name")
            .arg("佐藤 商店")
            .at(&service)
    };

    let ended = call().run().well();
    let lines: Vec<&str> = ended.out.lines().collect();
    assert!(lines[0].contains("account 1:") && lines[0].contains("佐藤 商店") && lines[0].contains("only once"));
    assert_eq!(Caller::agent(&service, lines[1]).get("/keys").status, 200, "{ended:?}");
    assert_eq!(lines.len(), 2);

    let created = call().arg("--json").run().well().json();
    assert_eq!((&created["id"], &created["key_id"]), (&json!(2), &json!(2)));
    let agent = Caller::agent(&service, created["key"].as_str().expect("a key"));
    assert_eq!(
        agent.post("/keys", json!({ "name": "another" })).status,
        200,
        "the plan is verified"
    );
}

#[test]
fn all_accounts_are_listed_over_several_pages_in_aligned_columns() {
    let data = directory();
    let service = server(data.path());
    let list = || Call::from_line("account list").at(&service);
    let none = list().run();
    assert_eq!(none.code, Some(0));
    assert!(none.err.contains("None was found"), "{none:?}");
    assert_eq!(list().arg("--json").run().well().json(), json!([]));

    let operator = Caller::operator_of(&service);
    for n in 1..=45 {
        let name = if n % 2 == 0 {
            format!("Agent {n}")
        } else {
            format!("代理店 {n}")
        };
        operator
            .post("/accounts", json!({ "name": name, "plan": "free" }))
            .data();
    }
    operator.patch("/accounts/45", json!({ "suspended": true }));
    let part = Call::from_line("account list --suspended=false --rows 3 --skip 1")
        .at(&service)
        .run();
    let ids: Vec<&str> = part
        .out
        .lines()
        .map(|line| line.split_whitespace().next().expect("an id"))
        .collect();
    assert_eq!(ids, ["ID", "2", "3", "4"]);
    assert!(
        part.err.contains("4 of 44 are shown; the next ones: --skip 4"),
        "{part:?}"
    );
    let rows = list().arg("--json").run().well().json();
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), 45);
    assert_eq!(rows[44]["name"], "代理店 45");

    let table = list().run().well().out;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 46);
    assert_eq!(
        lines[0],
        "ID  NAME       PLAN  SUSPENDED  SANDBOX  ACTIVE KEYS  CREATED AT"
    );
    assert!(
        lines[1].starts_with(" 1  代理店 1   free  no         no                 1  20"),
        "{table}"
    );
    assert!(
        lines[2].starts_with(" 2  Agent 2    free  no         no                 1  20"),
        "{table}"
    );
    assert!(
        lines[45].starts_with("45  代理店 45  free  yes        no                 1  20"),
        "{table}"
    );
}

/// What an operator does when a key has leaked, and when somebody misbehaves. Grave commands need `--yes` in a script.
#[test]
fn keys_are_revoked_and_workers_and_bounties_withdrawn() {
    let data = directory();
    let service = server(data.path());
    let run = |line: &str| Call::from_line(line).at(&service).run();
    let operator = Caller::operator_of(&service);
    let key = operator
        .post("/accounts", json!({ "name": "Agent", "plan": "free" }))
        .data()["key"]
        .clone();
    let agent = Caller::agent(&service, key.as_str().expect("a key"));
    let worker_id = operator.post("/humans", worker()).id();
    let token = operator.post(&format!("/humans/{worker_id}/token"), json!({})).data()["token"].clone();
    let person = Caller::worker(&service, token.as_str().expect("a token"));
    let bounty = json!({ "title": "Photograph a shop", "description": "By daylight", "budget": 45 });
    let bounty = agent.post("/bounties", bounty).id();

    let found = run("worker list --name 佐藤 --json").well().json();
    assert_eq!(
        (&found[0]["id"], &found[0]["has_token"]),
        (&json!(worker_id), &json!(true))
    );
    let unasked = run(&format!("worker suspend {worker_id}")).failed();
    assert!(
        unasked.contains("--yes") && unasked.contains("Nothing was changed"),
        "{unasked}"
    );
    assert_eq!(person.get("/me").status, 200);
    run(&format!("worker suspend {worker_id} --yes")).well();
    assert_eq!(
        (
            person.get("/me").status,
            agent.get(&format!("/humans/{worker_id}")).status
        ),
        (403, 404)
    );
    run(&format!("worker resume {worker_id}")).well();
    run(&format!(
        "worker edit {worker_id} --rating 4.5 --is-available=false --city 横浜市"
    ))
    .well();
    let shown = run(&format!("worker show {worker_id} --json")).well().json();
    assert_eq!(
        (
            &shown["rating"],
            &shown["is_available"],
            &shown["city"],
            &shown["gender"]
        ),
        (&json!(4.5), &json!(false), &json!("横浜市"), &worker()["gender"])
    );
    run(&format!("worker end-token {worker_id} --yes")).well();
    assert_eq!(person.get("/me").status, 401);

    run(&format!("bounty hide {bounty}")).well();
    run(&format!("bounty cancel {bounty} --yes")).well();
    let listed = run("bounty list --hidden --json").well().json();
    assert_eq!(
        (&listed[0]["status"], &listed[0]["locked"]),
        (&json!("cancelled"), &json!(true))
    );

    let another = run("key create 1 --name spare --json").well().json();
    let keys = run("key list 1").well().out;
    assert!(keys.contains("first key") && keys.contains("spare"), "{keys}");
    run("key revoke 1 1 --yes").well();
    assert_eq!(agent.get("/account").status, 401);
    let spare = Caller::agent(&service, another["key"].as_str().expect("a key"));
    run("account rename 1 --name 佐藤商店").well();
    run("account plan 1 --plan verified").well();
    let account = spare.get("/account").data();
    assert_eq!(
        (&account["name"], &account["plan"]),
        (&json!("佐藤商店"), &json!("verified"))
    );
    run("account suspend 1 --yes").well();
    assert_eq!(spare.get("/account").status, 403);
    assert!(run("key revoke 1 1 --yes").failed().contains("API key 1 not found"));
}

#[test]
fn a_worker_gets_a_token_that_ends_the_former_one() {
    let data = directory();
    let service = server(data.path());
    let id = Caller::operator_of(&service).post("/humans", worker()).id();
    let call = || Call::from_line("worker token").arg(&id.to_string()).at(&service);

    let text = call().run().well().out;
    let first = text.lines().nth(1).expect("a token");
    assert!(
        text.starts_with(&format!("The token of worker {id}, 佐藤 美咲 (shown only once):\n")),
        "{text}"
    );
    assert_eq!(Caller::worker(&service, first).get("/me").status, 200, "{text}");

    let unasked = call().run().failed();
    assert!(
        unasked.contains("佐藤 美咲") && unasked.contains("--yes") && unasked.contains("nothing was changed"),
        "{unasked}"
    );
    for answer in ["n\n", "\n", "\u{4}"] {
        let rejected = call().run_at_terminal(answer);
        assert_eq!(
            (rejected.code, rejected.out.as_str()),
            (Some(1), ""),
            "{}",
            rejected.err
        );
        assert!(
            rejected.err.contains("token of worker") && rejected.err.contains("佐藤 美咲"),
            "{}",
            rejected.err
        );
    }
    assert_eq!(Caller::worker(&service, first).get("/me").status, 200);

    let agreed = call().run_at_terminal("Yes\n");
    assert!(
        agreed.out.contains("; the former token is now invalid:\n"),
        "{agreed:?}"
    );
    let second = agreed.out.lines().nth(1).expect("a token");
    assert_eq!(Caller::worker(&service, first).get("/me").status, 401);
    let third = call().arg("--json").arg("--yes").run().well().json();
    assert_eq!(third["name"], "佐藤 美咲");
    let third = third["token"].as_str().expect("a token");
    assert_eq!(Caller::worker(&service, third).get("/me").status, 200);
    assert_eq!(Caller::worker(&service, second).get("/me").status, 401);
}

#[test]
fn variables_do_what_the_flags_of_a_command_do() {
    let data = directory();
    let service = server(data.path());
    let token = std::fs::read_to_string(data.path().join("operator-token")).expect("a token");
    let url = format!("http://{}/", service.address);
    let created = Call::from_line("account create")
        .variable("HITODE_URL", &url)
        .variable("HITODE_OPERATOR_TOKEN", token.trim())
        .variable("HITODE_NAME", "Out of the environment")
        .variable("HITODE_PLAN", "free")
        .variable("HITODE_JSON", "1");
    assert_eq!(created.run().well().json()["id"], 1);
    let listed = Call::from_line("account list --json")
        .variable("HITODE_URL", &url)
        .variable("HITODE_DATA", &data.path().to_string_lossy());
    assert_eq!(listed.run().well().json()[0]["name"], "Out of the environment");
}
