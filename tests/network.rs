//! The generated suite against a server behind an address: this program runs again with the address in its environment.

use crate::evolution::{OPERATOR_TOKEN, Server, UNEDITED};
use crate::world::network;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::thread;

/// An operation with guards of each API, and the limits, but no test that waits for the end of a window.
const SAMPLE: [&str; 8] = [
    "generated::agent::decide_application::",
    "generated::agent::create_key::",
    "generated::agent::limits::",
    "generated::operator::update_account::",
    "generated::worker::create_application::",
    "generated::worker::update_me::",
    "--skip=_is_exact",
    "--skip=rate_comes_first",
];

/// Runs these generated tests against a server; returns whether all passed, and their output.
fn run(server: SocketAddr, tests: &[&str]) -> (bool, String) {
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(tests)
        .arg("--test-threads=16")
        .env(network::URL, format!("http://{server}"))
        .env(network::OPERATOR_TOKEN, OPERATOR_TOKEN)
        .output()
        .expect("this program runs");
    let printed = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&printed).into_owned())
}

#[test]
fn the_suite_passes_over_a_network_with_limits() {
    let server = Server::start(&UNEDITED);
    let (passed, printed) = run(server.address(), &SAMPLE);
    assert!(passed, "{printed}");
    let total = server.operator().get("/accounts?limit=1").json()["total"].as_u64();
    assert!(total > Some(100), "{total:?} accounts were made there\n{printed}");
}

#[test]
fn a_wrong_answer_is_reported_with_operation_request_and_rule() {
    let server = Server::start(&UNEDITED);
    let spoilt = spoiling(server.address(), "x-ratelimit-limit", "x-ratelimit-bound");
    let (passed, printed) = run(spoilt, &["generated::agent::get_human::success", "--exact"]);
    assert!(!passed, "{printed}");
    for part in [
        "GET /api/v1/humans/:id does not keep to the contract",
        "operation: agent::get_human (api.yaml:",
        "rule: ",
        "curl -i -X GET",
        "X-RateLimit-Limit",
    ] {
        assert!(printed.contains(part), "no `{part}` in\n{printed}");
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
