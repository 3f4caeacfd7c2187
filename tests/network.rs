//! Probes of limits, held bodies and webhooks against a server process, in real time.

use crate::evolution::{OPERATOR_TOKEN, Server, UNEDITED};
use crate::histories::MODEL;
use crate::world::roots;
use conformance::{
    HistoryClock, HistoryOptions, HttpSender, Level, ProbeOptions, ProbeOutcome, Probes, Receiver, Request,
};
use std::net::SocketAddr;
use test_support::judged::{expect_probes, probes};

/// What is tried. The first read and write of all wait for the end of a window: they are not among these.
const TRIED: [&str; 9] = [
    "agent::list_humans::limits: read:owner",
    "agent::decide_application::success",
    "agent::decide_application::several",
    "worker::get_me::limits: ",
    "worker::update_me::limits: write",
    "worker::update_me::success",
    "worker::update_me::a credential that ends",
    "worker::update_me::a suspension while",
    "operator::create_account::limits: none",
];

#[test]
fn a_server_with_limits_passes_over_a_network() {
    let is_tried = |name: &str| TRIED.iter().any(|start| name.starts_with(start));
    let all = probes(Level::Texts);
    let options = ProbeOptions {
        histories: HistoryOptions {
            is_limited: true,
            has_addresses: true,
            ..all.histories
        },
        is_tried: &is_tried,
        ..all
    };
    let outcomes = tried(&Server::start(&UNEDITED), &options);
    assert!(outcomes.len() > TRIED.len(), "{}", outcomes.len());
    expect_probes(&outcomes);
}

#[test]
fn webhooks_get_the_events_of_their_account() {
    let receiver = Receiver::listen(SocketAddr::from(([127, 0, 0, 1], 0))).expect("there is a free port");
    let options = ProbeOptions {
        receiver: Some(&receiver),
        is_tried: &|name| name.ends_with("::deliveries to webhooks"),
        ..probes(Level::Texts)
    };
    let outcomes = tried(&Server::unlimited(&UNEDITED), &options);
    assert_eq!(outcomes.len(), 1);
    expect_probes(&outcomes);
}

/// Probes of a server process.
fn tried(server: &Server, options: &ProbeOptions) -> Vec<ProbeOutcome> {
    let http = HttpSender::new(&format!("http://{}", server.address()), &MODEL).expect("it is an address");
    assert!(http.has_addresses(), "the server is on a loopback address");
    let send = |request: &Request| http.send(request);
    let held = |request: &Request, meanwhile: &mut dyn FnMut()| http.send_held(request, meanwhile);
    let options = ProbeOptions {
        histories: options.histories.clone(),
        held: Some(&held),
        ..*options
    };
    Probes::run(
        HistoryClock::Real,
        &MODEL,
        &send,
        roots(OPERATOR_TOKEN.to_owned()),
        &options,
    )
}
