//! Callers that take every connection and finish no request: how many requests a caller may have in progress, and that new
//! clients are served meanwhile.
//!
//! The quick form is part of every test run. `HITODE_HELD=1` takes as many connections as a server has by default, and counts
//! how many of a hundred new clients are served within a second.

use std::io::{ErrorKind, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::*;

/// As in `api.yaml`.
const AT_ONCE: usize = 32;
/// Unfinished bodies of an attacker under each of its keys.
const UNDER_EACH: usize = 17;
/// How long a new client of the quick form waits: less than the timeout of a body.
const PATIENCE: Duration = Duration::from_secs(8);

/// A service with its limits on, and its operator.
fn bounded(connections: usize) -> (Service, Caller) {
    let launch = Launch::anywhere().arg("--connections").arg(&connections.to_string());
    let service = launch.start();
    let operator = Caller::operator_of(&service);
    (service, operator)
}

/// Another account, by its first key.
fn account(service: &Service, operator: &Caller) -> Caller {
    let reply = operator.post("/accounts", json!({ "name": "Agent", "plan": "verified" }));
    Caller::agent(service, reply.data()["key"].as_str().expect("a key"))
}

/// The head of a request of whose body only the first byte is sent.
fn unfinished(caller: &Caller) -> String {
    format!(
        "POST /api/v1/bounties HTTP/1.1\r\nhost: test\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
         content-length: 100\r\nexpect: 100-continue\r\n\r\n{{",
        caller.secret
    )
}

/// A connection with such a request, and the first status: 100 if the server asks for the body.
fn hold(service: &Service, caller: &Caller) -> (TcpStream, u16) {
    let mut stream = connect(service.address);
    stream.write_all(unfinished(caller).as_bytes()).expect("sent");
    let mut head = [0; 12];
    stream.read_exact(&mut head).expect("an answer begins");
    (stream, statuses(&head)[0])
}

#[test]
fn a_caller_has_so_many_requests_under_way_and_no_more() {
    let (service, operator) = bounded(100);
    let (first, other) = (account(&service, &operator), account(&service, &operator));
    let reply = first.post("/keys", json!({ "name": "second" }));
    let second = Caller::agent(&service, reply.data()["key"].as_str().expect("a key"));
    let mut held = Vec::new();
    for caller in [&first, &second] {
        for _ in 0..AT_ONCE / 2 {
            let (stream, status) = hold(&service, caller);
            assert_eq!(status, 100);
            held.push(stream);
        }
    }
    // The account is rejected under either key, and the server does not ask for the body.
    for caller in [&first, &second] {
        assert_eq!(hold(&service, caller).1, 429);
        let rejected = caller.get("/keys");
        assert_eq!((rejected.status, rejected.header("retry-after")), (429, Some("1")));
        assert_eq!(
            rejected.json()["error"],
            "at most 32 of your requests are worked on at once"
        );
    }
    assert_eq!(other.get("/keys").status, 200);
    // A client that disconnects frees its place as soon as the server notices.
    drop(held.pop());
    let begun = Instant::now();
    while first.get("/keys").status == 429 {
        assert!(begun.elapsed() < DEADLINE, "the request never ends");
        // The reads of the attack then have their timeout of a minute.
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Holds every connection until it is stopped: a closed connection is opened again. Returns how many were closed before
/// any answer.
fn attack(service: &Service, accounts: &[Caller], stop: &AtomicBool, all_held: &AtomicBool) -> usize {
    let open = |number: usize| {
        let mut stream = connect(service.address);
        let _ = stream.write_all(unfinished(&accounts[number / UNDER_EACH]).as_bytes());
        let _ = stream.set_nonblocking(true);
        stream
    };
    let mut held: Vec<_> = (0..accounts.len() * UNDER_EACH)
        .map(|number| (open(number), 0))
        .collect();
    let mut closed_unanswered = 0;
    while !stop.load(Ordering::Relaxed) {
        for (number, (stream, came)) in held.iter_mut().enumerate() {
            let mut bytes = [0; 1024];
            match stream.read(&mut bytes) {
                Ok(more @ 1..) => *came += more,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Ok(0) | Err(_) => {
                    // The interim response asks for the body. It is not an answer.
                    closed_unanswered += usize::from(*came <= "HTTP/1.1 100 Continue\r\n\r\n".len());
                    (*stream, *came) = (open(number), 0);
                }
            }
        }
        all_held.store(true, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(20));
    }
    closed_unanswered
}

/// How long each of `count` new clients waits for its answer, one after the other; `None` if none comes in time.
fn new_clients(service: &Service, caller: &Caller, count: usize) -> Vec<Option<Duration>> {
    let request = format!(
        "GET /api/v1/keys HTTP/1.1\r\nhost: test\r\nx-api-key: {}\r\nconnection: close\r\n\r\n",
        caller.secret
    );
    let served = |_| {
        let begun = Instant::now();
        let mut stream = connect(service.address);
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(request.as_bytes()).expect("sent");
        (statuses(&rest(stream)) == [200]).then(|| begun.elapsed())
    };
    (0..count).map(served).collect()
}

/// Lets clients hold at least `connections`, which is all there are, and measures `count` new ones.
fn attacked(connections: usize, count: usize) -> Vec<Option<Duration>> {
    allow_files();
    let (service, operator) = bounded(connections);
    let attackers: Vec<_> = (0..connections / UNDER_EACH + 1)
        .map(|_| account(&service, &operator))
        .collect();
    let client = account(&service, &operator);
    let (stop, all_held) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let attack = scope.spawn(|| attack(&service, &attackers, &stop, &all_held));
        let begun = Instant::now();
        while !all_held.load(Ordering::Relaxed) {
            assert!(begun.elapsed() < DEADLINE, "the attack never begins");
            std::thread::sleep(Duration::from_millis(5));
        }
        let served = new_clients(&service, &client, count);
        stop.store(true, Ordering::Relaxed);
        let closed = attack.join().expect("no panic");
        assert!(closed > 0, "nobody made room, so not all connections were held");
        served
    })
}

#[test]
fn missing_bodies_block_no_new_client() {
    let served = attacked(60, 20);
    assert!(served.iter().all(Option::is_some), "{served:?}");
    if std::env::var_os("HITODE_HELD").is_some() {
        let served = attacked(1_000, 100);
        let in_time = |time: &&Option<Duration>| time.is_some_and(|time| time < Duration::from_secs(1));
        let count = served.iter().filter(in_time).count();
        println!("{count} of 100 new clients were served within a second: {served:?}");
        assert!(count >= 99, "{count} of 100: {served:?}");
    }
}
