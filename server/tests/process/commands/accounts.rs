//! `account create`, `account list` and `worker token`, with output for people and for scripts.

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
    assert!(none.err.contains("account create"), "{none:?}");
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
    let rows = list().arg("--json").run().well().json();
    let rows = rows.as_array().expect("an array");
    assert_eq!(rows.len(), 45);
    assert_eq!(rows[44]["name"], "代理店 45");

    let table = list().run().well().out;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 46);
    assert_eq!(lines[0], "ID  NAME       PLAN  SUSPENDED  SANDBOX  KEYS  CREATED (UTC)");
    assert!(
        lines[1].starts_with(" 1  代理店 1   free  no         no          1  20"),
        "{table}"
    );
    assert!(
        lines[2].starts_with(" 2  Agent 2    free  no         no          1  20"),
        "{table}"
    );
    assert!(
        lines[45].starts_with("45  代理店 45  free  yes        no          1  20"),
        "{table}"
    );
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
