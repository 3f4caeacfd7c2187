//! More connections than the server allows.

use std::io::Read;

use super::*;

const IDLE: usize = 2_000;

#[test]
fn two_thousand_idle_connections_block_no_other_client() {
    allow_files();
    let scene = Scene::set();
    let mut idle = Vec::new();
    for number in 0..IDLE {
        let mut stream = connect(scene.service.address);
        // Some connections sent nothing, some sent half a request, and some were answered and stay open.
        let begun = [
            "",
            "GET /healthz HTTP/1.1\r\n",
            "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
        ][number % 3];
        let _ = stream.write_all(begun.as_bytes());
        idle.push(stream);
    }
    scene.assert_others_are_served();
    // The idle connections were not closed for it: the last one still works.
    let mut last = idle.pop().expect("a connection");
    last.write_all(b"host: x\r\n\r\n").expect("open");
    last.read_exact(&mut [0; 15]).expect("an answer");
    drop(idle);
    scene.assert_unharmed();
}

#[test]
fn an_address_has_its_share_and_no_more() {
    let scene = Scene::set_with(|launch| launch.arg("--connections-per-address").arg("3"));
    let to = scene.service.address;
    let body = scene.agents(
        "POST",
        "/bounties",
        "content-type: application/json\r\ncontent-length: 9\r\nexpect: 100-continue\r\n",
    );
    let busy: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = connect_from("127.0.0.2", to, 4096);
            stream.write_all(body.as_bytes()).expect("sent");
            // The server asks for the body, so the request is being processed.
            stream.read_exact(&mut [0; 25]).expect("an interim answer");
            stream
        })
        .collect();
    let mut rejected = connect_from("127.0.0.2", to, 4096);
    let _ = rejected.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    assert_eq!(rest(rejected), b"");
    scene.assert_others_are_served();
    drop(busy);
    scene.assert_unharmed();
}

#[test]
fn with_few_file_descriptors_it_warns_and_serves() {
    let scene = Scene::set_with(|launch| launch.files(80));
    let warning = scene.service.log.wait_for("may open only").expect("a warning");
    assert!(
        warning.contains("enough for 16 connections") && warning.contains("ulimit -n 1064"),
        "{warning}"
    );
    let _idle: Vec<_> = (0..100).map(|_| connect(scene.service.address)).collect();
    scene.assert_others_are_served();
}
