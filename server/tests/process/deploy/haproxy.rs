//! `haproxy.cfg`.

use std::process::Command;

use test_support::process::program;

use super::balancer::{Place, eventually};
use super::*;

fn start(fleet: &Fleet) -> Balancer {
    let balancer = in_front_of(&fleet.addresses());
    // At first it takes each node for ready.
    balancer.log.wait_for(DOWN).expect("a line");
    balancer
}

fn in_front_of(nodes: &[String]) -> Balancer {
    let place = Place::new();
    let [http, https] = [place.http, place.https].map(|port| format!("bind 127.0.0.1:{port}"));
    let configuration = shipped(
        "haproxy.cfg",
        &[
            ("/dev/log", "stdout format raw"),
            // The test may run as any user.
            ("    user haproxy\n    group haproxy\n", ""),
            ("/etc/haproxy/hitode.pem", &place.path("both.pem")),
            ("bind :80 ", &http),
            ("bind :443", &https),
            ("10.0.0.11:8080", &nodes[0]),
            ("10.0.0.12:8080", &nodes[1]),
            ("10.0.0.13:8080", &nodes[2]),
        ],
    );
    place.start(&["haproxy", "-db", "-f"], &configuration)
}

/// The line about the third node.
const DOWN: &str = "Server nodes/node3 is DOWN";

#[test]
fn nodes_behind_haproxy_share_the_work_and_one_that_is_killed_is_not_missed() {
    let fleet = Fleet::start("haproxy", &["--proxies", "127.0.0.1"]);
    let balancer = start(&fleet);
    check_nodes(fleet, &balancer);
}

#[test]
fn a_node_that_is_not_ready_gets_no_requests_from_haproxy() {
    let fleet = Fleet::start("haproxy_ready", &["--proxies", "127.0.0.1"]);
    let balancer = start(&fleet);
    let keys = keys();
    let before = fleet.nodes_of(&balancer, &keys);
    assert!(!before.contains(&2), "{before:?}");
    fleet.switched.set_ready(true);
    let with_it = eventually("a ready node gets requests", || {
        let nodes = fleet.nodes_of(&balancer, &keys);
        if nodes.contains(&2) { Ok(nodes) } else { Err(nodes) }
    });
    let moved = before.iter().zip(&with_it).filter(|(one, other)| one != other);
    assert!(moved.clone().all(|(_, now)| *now == 2), "{before:?} {with_it:?}");
    assert!(moved.count() < keys.len() * 3 / 4, "{before:?} {with_it:?}");
    fleet.switched.set_ready(false);
    balancer.log.wait_for_number(2, DOWN).expect("a line");
    assert_eq!(fleet.nodes_of(&balancer, &keys), before);
}

#[test]
fn clients_behind_haproxy_have_limits_of_their_own() {
    let fleet = Fleet::start("haproxy_clients", &["--proxies", "127.0.0.1"]);
    let balancer = start(&fleet);
    let url = balancer.url("/api/v1/humans?limit=[1-700]");
    let ask = |from: &str, url: &str| {
        let replies = balancer.curl(&["--interface", from, "-H", "X-API-Key: htd_guess", url]);
        replies.iter().map(|reply| reply.status).collect::<Vec<_>>()
    };
    let guessed = ask("127.0.0.5", &url);
    assert!(guessed[0] == 401 && guessed.contains(&429), "{guessed:?}");
    assert_eq!(ask("127.0.0.6", &balancer.url("/api/v1/humans")), [401]);
    let logs = eventually("both addresses in the log", || {
        let logs: String = fleet.nodes.iter().map(|node| node.log.text()).collect();
        let has = |client: &str| logs.contains(&format!("client={client}"));
        if has("127.0.0.5") && has("127.0.0.6") {
            Ok(logs)
        } else {
            Err(logs)
        }
    });
    assert!(!logs.contains("it did not begin with"), "{logs}");
}

/// All probes and random calls, each to the node of its credential: so one node has to show what another one has just
/// acknowledged.
#[test]
#[ignore = "it takes minutes: for `tests/run --full`"]
fn three_nodes_behind_haproxy_keep_to_the_contract() {
    let nodes = nodes(
        3,
        "haproxy_contract",
        &["--proxies", "127.0.0.1", "--rate-limits", "off"],
    );
    let addresses: Vec<_> = nodes.iter().map(|node| node.address.to_string()).collect();
    let balancer = in_front_of(&addresses);
    // `tests/run --build` builds it.
    let mut conform = Command::new(program().with_file_name("codegen"));
    conform
        .args([
            "conform",
            concat!(env!("CARGO_MANIFEST_DIR"), "/../api.yaml"),
            "--level",
            "texts",
        ])
        .args([
            "--rate-limits",
            "off",
            "--credential",
            &format!("operator_token={OPERATOR}"),
        ])
        .args(["--url", &balancer.url("")])
        .env("SSL_CERT_FILE", balancer.certificate());
    let output = conform.output().expect("codegen; tests/run --build builds it");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{report}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    println!("{report}");
    for node in &nodes {
        assert!(node.log.text().contains("client=127."), "a node without requests");
    }
}
