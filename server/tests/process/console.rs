//! A server whose console and operator's API have an address of their own (`--console-listen`).

use std::io::Write;
use std::net::{SocketAddr, TcpListener};

use serde_json::json;

use test_support::http::{Connection, call, connect, request, rest};
use test_support::people::Caller;
use test_support::process::{Launch, Service, directory};

use crate::commands::Call;
use crate::lifecycle::{Unfinished, wait_until_rejected};

const TOKEN: &str = "a-token-of-the-operator";
const SECRET: &str = "The name of an account";
const ACCOUNTS: &str = "/operator/v1/accounts";

/// A server with two addresses, and that of the operator. It has an account.
fn two_addresses() -> (Service, SocketAddr) {
    let service = launch().start();
    let operator = service.operator.expect("two addresses");
    let account = json!({ "name": SECRET, "plan": "free" });
    assert_eq!(Caller::operator(operator, TOKEN).post("/accounts", account).status, 201);
    (service, operator)
}

fn launch() -> Launch {
    let launch = Launch::anywhere().variable("HITODE_OPERATOR_TOKEN", TOKEN);
    launch.arg("--console-listen").arg("127.0.0.1:0")
}

#[test]
fn what_is_for_the_operator_is_at_their_address_only() {
    let (service, operator) = two_addresses();
    let token = [("X-Operator-Token", TOKEN)];
    let status = |address, path: &str| call(address, "GET", path, &token, None).status;
    for path in [ACCOUNTS, "/backup", "/console/"] {
        assert_eq!(status(operator, path), 200, "{path}");
        assert_eq!(status(service.address, path), 404, "{path}");
    }
    // An agent's API without a key, a page for workers, documents, and health.
    for (path, expected) in [
        ("/api/v1/humans", 401),
        ("/jobs/", 200),
        ("/openapi.json", 200),
        ("/readyz", 200),
    ] {
        assert_eq!(status(service.address, path), expected, "{path}");
        assert_eq!(status(operator, path), expected, "{path}");
    }
    let leads_to_console = |address| call(address, "GET", "/start/", &[], None).text().contains("/console");
    assert!(leads_to_console(operator) && !leads_to_console(service.address));
    // Both addresses are counted together.
    let metrics = call(service.address, "GET", "/metrics", &[], None).text();
    assert!(metrics.contains("operation=\"list_accounts\""), "{metrics}");
}

#[test]
fn a_page_of_another_origin_does_not_reach_the_apis_of_people() {
    let (service, operator) = two_addresses();
    let status = |address, path: &str, sites: &[&str]| {
        let site = |site| ("Sec-Fetch-Site", site);
        let headers = sites.iter().copied().map(site).chain([("X-Operator-Token", TOKEN)]);
        call(address, "GET", path, &headers.collect::<Vec<_>>(), None).status
    };
    let (of_people, session) = ([ACCOUNTS, "/backup", "/worker/v1/me"], "/join/v1/session");
    for sites in [
        &["cross-site"][..],
        &["same-site"],
        &["same-origin", "cross-site"],
        &["?"],
    ] {
        for path in of_people.iter().chain([&session]) {
            for address in [operator, service.address] {
                assert_eq!(status(address, path, sites), 404, "{path} {sites:?}");
            }
        }
        // An agent may be a page, and a link may lead to a page.
        assert_eq!(status(operator, "/api/v1/humans", sites), 401);
        assert_eq!(status(operator, "/console/", sites), 200);
    }
    for sites in [&[][..], &["same-origin"], &["none"]] {
        assert_eq!(
            of_people.map(|path| status(operator, path, sites)),
            [200, 200, 401],
            "{sites:?}"
        );
        assert_eq!(
            of_people.map(|path| status(service.address, path, sites)),
            [404, 404, 401],
            "{sites:?}"
        );
        for address in [operator, service.address] {
            assert_eq!(status(address, session, sites), 405, "{sites:?}");
        }
    }
}

#[test]
fn the_start_names_both_addresses() {
    let (service, operator) = two_addresses();
    let said = service.out.wait_for("/docs").map(|_| service.out.text());
    let said = said.expect("the last line");
    let first = format!(
        "hitode listens on http://{}, for the operator on http://{operator}\n",
        service.address
    );
    assert!(said.starts_with(&first), "{said}");
    assert!(said.contains(&format!("--url http://{operator}")), "{said}");
    assert!(said.contains(&format!("http://{operator}/console")), "{said}");
}

#[test]
fn commands_call_the_operators_address() {
    let (service, operator) = two_addresses();
    let list = |address: SocketAddr| {
        let line = format!("account list --url http://{address}");
        Call::from_line(&line).variable("HITODE_OPERATOR_TOKEN", TOKEN).run()
    };
    assert!(list(operator).well().out.contains(SECRET));
    let failed = list(service.address).failed();
    assert!(
        failed.contains("--console-listen") && failed.contains("--url"),
        "{failed}"
    );
}

#[test]
fn a_link_for_a_worker_leads_to_the_address_for_all_or_to_the_stated_one() {
    let invited = |launch: Launch| {
        let service = launch.start();
        let operator = service.operator.expect("two addresses");
        let caller = Caller::operator(operator, TOKEN);
        let id = caller.post("/humans", test_support::people::worker()).data()["id"].clone();
        let line = format!("worker invite {id} --json --url http://{operator}");
        let links = Call::from_line(&line)
            .variable("HITODE_OPERATOR_TOKEN", TOKEN)
            .run()
            .well()
            .json();
        let link = links[0]["url"].as_str().expect("a link").to_owned();
        (link, format!("http://{}/jobs/#", service.address))
    };
    let (link, main) = invited(launch());
    assert!(link.starts_with(&main), "{link}");
    let (link, _) = invited(launch().arg("--site").arg("https://work.example.com/"));
    assert!(link.starts_with("https://work.example.com/jobs/#"), "{link}");
}

#[test]
fn no_form_of_a_request_reaches_the_operators_api_at_the_main_address() {
    let (service, operator) = two_addresses();
    let targets = [
        ACCOUNTS,
        "/operator/v1",
        "/operator/v1/",
        "/operator/v1/accounts/",
        "/operator/v1/accounts?limit=1",
        "//operator/v1/accounts",
        "/operator//v1/accounts",
        "/./operator/v1/accounts",
        "/api/v1/../../operator/v1/accounts",
        "/jobs/../operator/v1/accounts",
        "/%6fperator/v1/accounts",
        "/operator%2Fv1/accounts",
        "/operator/v1/%61ccounts",
        "/operator/v1;a/accounts",
        "/OPERATOR/V1/accounts",
        "/operator/v1/accounts%00",
        &format!("http://{operator}{ACCOUNTS}"),
        &format!("http://{}{ACCOUNTS}", service.address),
        "/backup",
        "//backup",
        "/console",
        "/console/",
    ];
    let main = service.address.to_string();
    let operator = operator.to_string();
    // All on one connection, which stays open after each.
    let mut connection = Connection::to(service.address).expect("it listens");
    for target in targets {
        for host in [&*main, &*operator, "localhost", ""] {
            for more in [
                "",
                "X-Original-URL: /operator/v1/accounts\r\nX-Rewrite-URL: /operator/v1/accounts\r\n",
                "X-Forwarded-Host: localhost\r\nForwarded: for=127.0.0.1;host=localhost\r\n",
                "X-HTTP-Method-Override: GET\r\nUpgrade: h2c\r\nConnection: keep-alive, Upgrade\r\n",
            ] {
                let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nX-Operator-Token: {TOKEN}\r\n{more}\r\n");
                let answer = connection.send(head.as_bytes()).expect("an answer");
                assert_eq!(answer.status, 404, "{head}: {}", answer.text());
                assert!(!answer.text().contains(SECRET), "{head}");
            }
        }
    }
}

#[test]
fn no_method_reaches_the_operators_api_at_the_main_address() {
    let (service, _) = two_addresses();
    let account = json!({ "name": "Another one", "plan": "free" });
    let token = [("X-Operator-Token", TOKEN)];
    for path in [ACCOUNTS, "/operator/v1/accounts/1", "/operator/v1/elsewhere"] {
        let unknown = call(service.address, "GET", "/elsewhere", &token, None);
        for (method, body) in [
            ("GET", None),
            ("HEAD", None),
            ("OPTIONS", None),
            ("DELETE", None),
            ("TRACE", None),
            ("POST", Some(&account)),
            ("PATCH", Some(&account)),
        ] {
            let answer = call(service.address, method, path, &token, body);
            assert_eq!(answer.status, 404, "{method} {path}");
            assert_eq!(answer.header("allow"), None, "{method} {path}");
            assert_eq!(answer.header("x-error-code"), unknown.header("x-error-code"));
            assert_eq!(answer.body().is_empty(), method == "HEAD", "{method} {path}");
        }
    }
    // A request within the body of another one, and one of HTTP/1.0 without a host.
    let inner = format!("GET {ACCOUNTS} HTTP/1.1\r\nHost: a\r\nX-Operator-Token: {TOKEN}\r\n\r\n");
    for whole in [
        format!(
            "POST /elsewhere HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{inner}",
            inner.len()
        ),
        format!(
            "POST /elsewhere HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{inner}"
        ),
        format!("GET {ACCOUNTS} HTTP/1.0\r\nX-Operator-Token: {TOKEN}\r\n\r\n"),
        format!("GET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n{inner}"),
    ] {
        let mut stream = connect(service.address);
        stream.write_all(whole.as_bytes()).expect("sent");
        stream.shutdown(std::net::Shutdown::Write).expect("closed");
        let answers = String::from_utf8(rest(stream)).expect("text");
        assert!(
            !answers.contains("HTTP/1.1 2") && !answers.contains(SECRET),
            "{whole}: {answers}"
        );
    }
}

#[test]
fn requests_at_both_addresses_are_answered_before_the_end() {
    let (mut service, operator) = two_addresses();
    let account = json!({ "name": "Last one", "plan": "free" });
    let headers = [("X-Operator-Token", TOKEN), ("Expect", "100-continue")];
    let at_operator = Unfinished::send(operator, &request("POST", ACCOUNTS, &headers, Some(&account)));
    let redeem = request(
        "POST",
        "/join/v1/session",
        &headers[1..],
        Some(&json!({ "code": "none" })),
    );
    let at_main = Unfinished::send(service.address, &redeem);
    service.signal("TERM");
    for address in [service.address, operator] {
        wait_until_rejected(address);
    }
    assert_eq!(at_operator.finish().status, 201);
    assert_eq!(at_main.finish().status, 400);
    let ended = service.end();
    assert_eq!(ended.code, Some(0));
    assert!(ended.log.contains("all requests were answered"), "{}", ended.log);
}

#[test]
fn clients_at_the_main_address_cannot_block_the_operator() {
    let service = launch().arg("--connections").arg("2").start();
    let operator = service.operator.expect("two addresses");
    let headers = [("Expect", "100-continue")];
    let redeem = request("POST", "/join/v1/session", &headers, Some(&json!({ "code": "none" })));
    let busy = [(); 2].map(|()| Unfinished::send(service.address, &redeem));
    assert_eq!(Caller::operator(operator, TOKEN).get("/accounts").status, 200);
    drop(busy);
}

#[test]
fn an_address_that_cannot_be_used_names_its_flag() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("bound");
    let taken = taken.local_addr().map(|address| (address.to_string(), taken));
    let (address, _listener) = taken.expect("an address");
    let free = "127.0.0.1:0";
    let other = free_port();
    let same = format!("127.0.0.1:{other}");
    for (main, operator, why) in [
        (
            free,
            &*address,
            "another program uses this address; stop it, or choose another address with --console-listen",
        ),
        (
            free,
            "192.0.2.7:8080",
            "this machine does not have this address; choose another one with --console-listen",
        ),
        (free, "nonsense", "HOST:PORT"),
        (
            &*same,
            &*same,
            "twice: --console-listen needs another address or port than --listen",
        ),
        (&*format!("0.0.0.0:{other}"), &*same, "twice"),
    ] {
        let data = directory();
        let launch = Launch::on(data.path())
            .listen(main)
            .arg("--console-listen")
            .arg(operator);
        let ended = launch.run_to_its_end();
        assert_eq!(ended.code, Some(1), "{main} {operator}");
        assert!(
            ended.log.contains(why) && !ended.log.contains("panicked"),
            "{}",
            ended.log
        );
    }
}

/// A port that no program uses at present.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
    listener.local_addr().expect("an address").port()
}
