//! Starting, refusing to start, and stopping.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Instant;

use serde_json::json;

use test_support::http::{Answer, call, connect, request, rest};
use test_support::people::{Caller, People, bounty};
use test_support::process::{DEADLINE, Launch, directory, shell};

#[test]
fn it_serves_and_says_that_it_is_well() {
    let service = Launch::anywhere().start();
    let well = call(service.address, "GET", "/healthz", &[], None);
    assert_eq!((well.status, well.json()), (200, json!({ "status": "ok" })));
    for path in ["/healthz", "/metrics", "/api/v1/humans"] {
        let answer = call(service.address, "GET", path, &[], None);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    for (method, path) in [("GET", "/metrics/"), ("GET", "/api"), ("GET", "/healthz/")] {
        let nothing = call(service.address, method, path, &[], None);
        assert_eq!(nothing.status, 404, "{method} {path}");
        assert_eq!(nothing.json()["success"], false, "{method} {path}");
    }
}

#[test]
fn a_start_that_waits_can_be_stopped() {
    let database = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!(
        "postgres://hitode@{}/hitode",
        database.local_addr().expect("an address")
    );
    let waiting = Launch::anywhere().arg("--database-url").arg(&url).begin();
    // It never answers.
    let _connection = database.accept().expect("a connection");
    waiting.signal("TERM");
    let ended = waiting.end();
    assert_eq!(ended.code, Some(1), "{}", ended.log);
    assert!(ended.log.contains("stopped before the store was open"), "{}", ended.log);
}

#[test]
fn sigterm_and_ctrl_c_end_it_with_0() {
    for signal in ["TERM", "INT"] {
        let mut service = Launch::anywhere().start();
        // An idle connection does not delay it.
        let _idle = connect(service.address);
        service.signal(signal);
        assert_eq!(service.end().code, Some(0), "{signal}");
    }
}

#[test]
fn a_write_under_way_is_answered_before_the_end() {
    let data = directory();
    let mut service = Launch::on(data.path()).start();
    let people = People::enter(&service, Caller::operator_of(&service));
    let headers = [("X-API-Key", people.agent.secret.as_str()), ("Expect", "100-continue")];
    let bytes = request("POST", "/api/v1/bounties", &headers, Some(&bounty("Last one")));

    let unfinished = Unfinished::send(service.address, &bytes);
    service.signal("TERM");
    wait_until_rejected(service.address);

    assert_eq!(unfinished.finish().status, 201);
    assert_eq!(service.end().code, Some(0));
    let service = Launch::on(data.path()).start();
    assert_eq!(people.at(&service).agent.get("/bounties").json()["total"], 1);
}

/// A request that is being processed, and whose body was not sent.
pub(crate) struct Unfinished {
    stream: TcpStream,
    body: Vec<u8>,
}

impl Unfinished {
    /// Sends the head of a request with `Expect: 100-continue`, and waits until the server asks for the body.
    #[track_caller]
    pub(crate) fn send(address: SocketAddr, request: &[u8]) -> Unfinished {
        let body = request.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
        let mut stream = connect(address);
        stream.write_all(&request[..body]).expect("sent");
        let mut interim = [0; 25];
        stream.read_exact(&mut interim).expect("an interim answer");
        assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
        let body = request[body..].to_vec();
        Unfinished { stream, body }
    }

    /// Sends the body.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Answer {
        self.stream.write_all(&self.body).expect("sent");
        Answer::parse(&rest(self.stream))
    }
}

/// Waits until the port rejects connections.
pub(crate) fn wait_until_rejected(address: SocketAddr) {
    let begun = Instant::now();
    while TcpStream::connect(address).is_ok() {
        assert!(begun.elapsed() < DEADLINE, "it goes on listening");
    }
}

#[test]
fn a_second_signal_does_not_wait() {
    let mut service = Launch::anywhere().start();
    let mut stream = connect(service.address);
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: te").expect("sent");
    // An answer on a later connection shows that the half request has been read.
    call(service.address, "GET", "/healthz", &[], None);
    service.signal("TERM");
    wait_until_rejected(service.address);
    service.signal("TERM");
    assert_eq!(service.end().code, Some(0));
    assert_eq!(rest(stream), b"");
}

#[test]
fn an_address_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("bound");
    let address = taken.local_addr().expect("an address").to_string();
    let ended = Launch::anywhere().listen(&address).run_to_its_end();
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.log.contains(&format!(
            "cannot listen on {address}: another program uses this address"
        )),
        "{}",
        ended.log
    );
    assert!(
        ended.log.contains("--listen") && !ended.log.contains("panicked"),
        "{}",
        ended.log
    );
}

#[test]
fn an_address_that_is_taken_is_named_in_ipv6_too() {
    // Without IPv6, the address cannot be taken.
    let Ok(taken) = TcpListener::bind("[::1]:0") else {
        return;
    };
    let address = taken.local_addr().expect("an address").to_string();
    assert_not_started(&address, "another program uses this address");
}

#[test]
fn an_address_that_cannot_be_used_says_why_and_what_to_do() {
    // 192.0.2.0/24 (RFC 5737) and `.invalid` (RFC 6761) are reserved for documentation.
    assert_not_started("192.0.2.7:8080", "this machine does not have this address");
    assert_not_started("no-such-host.invalid:8080", "no-such-host.invalid");
}

#[track_caller]
fn assert_not_started(address: &str, why: &str) {
    let ended = Launch::anywhere().listen(address).run_to_its_end();
    assert_eq!(ended.code, Some(1), "{address}");
    let said = ended.log.contains(&format!("cannot listen on {address}: ")) && ended.log.contains(why);
    assert!(said && !ended.log.contains("panicked"), "{}", ended.log);
}

#[test]
fn a_wrong_address_is_rejected_with_the_right_format() {
    for address in ["nonsense", "127.0.0.1", "127.0.0.1:99999"] {
        let ended = Launch::anywhere().listen(address).run_to_its_end();
        assert_eq!(ended.code, Some(1), "{address}");
        assert!(ended.log.contains("HOST:PORT"), "{address}: {}", ended.log);
    }
}

#[test]
fn a_start_says_whether_the_directory_is_new_how_to_begin_and_where_to_read_on() {
    let place = directory();
    let data = place.path().join("below/data");
    let new = format!("Created a new data directory: {}\n", data.display());
    for is_new in [true, false] {
        let service = Launch::on(&data).start();
        let last = service.out.wait_for("/docs").expect("the last line");
        let said = service.out.text();
        assert!(
            said.starts_with(&format!("hitode listens on http://{}\n", service.address)),
            "{said}"
        );
        assert!(said.ends_with(&format!("{last}\n")), "{said}");
        assert_eq!(said.contains(&new), is_new, "{said}");
        let (_, page) = last
            .rsplit_once(&service.address.to_string())
            .expect("the page's address");
        assert_eq!(call(service.address, "GET", page, &[], None).status, 200, "{last}");
        let account = service.out.wait_for("account create").expect("a command");
        assert!(
            shell(&account).contains("htd_"),
            "it makes a key when it is pasted: {account}"
        );
    }
}

#[test]
fn rate_limits_can_be_switched_off_which_is_warned_of() {
    let data = directory();
    let service = Launch::on(data.path()).arg("--rate-limits").arg("off").start();
    assert!(service.log.wait_for("the rate limits are off").is_some());
    let people = People::enter(&service, Caller::operator_of(&service));
    for _ in 0..130 {
        let answer = people.agent.get("/keys");
        assert_eq!((answer.status, answer.header("ratelimit")), (200, None));
    }
    service.stop();

    let service = Launch::on(data.path()).start();
    let agent = people.agent.at(&service);
    let statuses: Vec<u16> = (0..250).map(|_| agent.get("/keys").status).collect();
    assert!(statuses.contains(&429));
    assert!(!service.log.text().contains("the rate limits are off"));
}

#[test]
fn variables_do_what_the_flags_do() {
    let data = directory();
    let service = Launch::on(data.path())
        .variable("HITODE_RATE_LIMITS", "off")
        .variable("HITODE_OPERATOR_TOKEN", "a-token-of-my-own")
        .variable("HITODE_LOG", "warn")
        .start();
    let operator = Caller::operator(&service, "a-token-of-my-own");
    assert_eq!(operator.get("/accounts").json()["total"], 0);
    assert_eq!(Caller::operator(&service, "another-token").get("/accounts").status, 401);
    assert!(!data.path().join("operator-token").exists());
    let log = service.stop().log;
    assert!(
        log.contains("the rate limits are off") && !log.contains("INFO"),
        "{log}"
    );
}

#[test]
fn the_help_names_every_flag_and_variable() {
    let help = shell(&format!("'{}' serve --help", env!("CARGO_BIN_EXE_hitode")));
    for flag in ["--listen", "--data", "--demo", "--rate-limits", "--log-format"] {
        let variable = flag.to_uppercase().replace("--", "HITODE_").replace('-', "_");
        assert!(help.contains(flag) && help.contains(&variable), "{help}");
    }
}

#[test]
fn a_wrong_log_filter_is_rejected_before_anything_starts() {
    let data = directory();
    let ended = Launch::on(data.path())
        .variable("HITODE_LOG", "hitode=loud")
        .run_to_its_end();
    assert_eq!(ended.code, Some(1));
    assert!(ended.log.contains("HITODE_LOG"), "{}", ended.log);
    assert!(std::fs::read_dir(data.path()).expect("readable").next().is_none());
}

#[test]
fn a_directory_with_files_of_something_else_is_refused_and_stays_as_it_was() {
    let data = directory();
    std::fs::write(data.path().join("photo.jpg"), "x").expect("a file");
    let ended = Launch::on(data.path()).run_to_its_end();
    assert_eq!(ended.code, Some(1), "{}", ended.log);
    let advice = "such as `photo.jpg`; choose an empty directory with --data DIR, or move them away";
    assert!(ended.log.contains(advice), "{}", ended.log);
    assert_eq!(std::fs::read_dir(data.path()).expect("a directory").count(), 1);
}
