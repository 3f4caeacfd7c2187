//! The fixed tests against a server behind an address: its tests run in this process.

use crate::evolution::{OPERATOR_TOKEN, Server, UNEDITED};
use crate::world::{suite, world_at};
use conformance::{Network, RunOptions};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

/// An operation with guards of each API, and the limits.
const SAMPLE: [&str; 6] = [
    "agent::decide_application::",
    "agent::create_key::",
    "agent::limits::",
    "operator::update_account::",
    "worker::create_application::",
    "worker::update_me::",
];

/// Tests that wait for the end of a window.
const LEFT_OUT: &str = "_is_exact";

/// Runs these fixed tests against a server; returns the names and messages of those that fail.
fn failing(server: SocketAddr, is_tried: impl Fn(&str) -> bool) -> Vec<String> {
    let url = format!("http://{server}");
    let server = Network::new(&url, suite().contract);
    let world = world_at(server, OPERATOR_TOKEN.to_owned());
    let options = RunOptions {
        is_tried: &is_tried,
        ..RunOptions::default()
    };
    let outcomes = suite().run(Box::leak(Box::new(world)), &options).into_iter();
    let failing = outcomes.filter_map(|one| Some(format!("{}: {}", one.test, one.verdict.failure()?)));
    failing.collect()
}

#[test]
fn the_suite_passes_over_a_network_with_limits() {
    let server = Server::start(&UNEDITED);
    let is_tried = |name: &str| SAMPLE.iter().any(|start| name.starts_with(start)) && !name.contains(LEFT_OUT);
    assert_eq!(failing(server.address(), is_tried), [""; 0]);
    let total = server.operator().get("/accounts?limit=1").json()["total"].as_u64();
    assert!(total > Some(100), "{total:?} accounts were made there");
}

#[test]
fn a_wrong_answer_is_reported_with_operation_request_and_rule() {
    let server = Server::start(&UNEDITED);
    let spoilt = spoiling(server.address(), "x-ratelimit-limit", "x-ratelimit-bound");
    let failed = failing(spoilt, |name| name == "agent::get_human::success");
    let [message] = failed.as_slice() else {
        panic!("{failed:?}")
    };
    for part in [
        "GET /api/v1/humans/:id does not keep to the contract",
        "operation: agent::get_human (api.yaml:",
        "rule: ",
        "curl -i -X GET",
        "X-RateLimit-Limit",
    ] {
        assert!(message.contains(part), "no `{part}` in\n{message}");
    }
}

/// The address of a proxy that replaces this text in answers.
fn spoiling(server: SocketAddr, text: &'static str, other: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(server).expect("the server listens");
            let (from, to) = (client.try_clone(), server.try_clone());
            thread::spawn(move || pass_on(client, to.expect("a second handle"), |bytes| bytes));
            thread::spawn(move || {
                pass_on(server, from.expect("a second handle"), |bytes| {
                    String::from_utf8_lossy(&bytes).replace(text, other).into_bytes()
                });
            });
        }
    });
    address
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, change: impl Fn(Vec<u8>) -> Vec<u8>) {
    let mut bytes = [0; 65536];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if to.write_all(&change(bytes[..count].to_vec())).is_err() {
            return;
        }
    }
}
