//! Many slow clients at once.

use std::io::ErrorKind;

use super::*;

const MANY: usize = 300;

/// Opens many connections that have sent `request` without its last bytes, checks that others are served, and then sends the
/// rest: slow clients are answered as usual.
#[track_caller]
fn check(request: impl Fn(&Scene) -> Vec<u8>, held_back: usize, status: u16) {
    let scene = Scene::set();
    let bytes = request(&scene);
    let (begun, last) = bytes.split_at(bytes.len() - held_back);
    let slow: Vec<_> = (0..MANY)
        .map(|_| {
            let mut stream = connect(scene.service.address);
            stream.write_all(begun).expect("sent");
            stream
        })
        .collect();
    scene.assert_others_are_served();
    for mut stream in &slow {
        stream.write_all(last).expect("sent");
        stream.shutdown(Shutdown::Write).expect("half closed");
    }
    for stream in slow {
        assert_eq!(Answer::parse(&rest(stream)).status, status);
    }
    scene.assert_unharmed();
}

#[test]
fn slow_heads() {
    check(|scene| scene.agents("GET", "/keys", "").into_bytes(), 3, 200);
}

#[test]
fn slow_bodies() {
    let body = |json: String| format!("{:x}\r\n{json}\r\n0\r\n\r\n", json.len());
    check(|scene| chunked(scene, &body(text(&bounty("Slowly")))), 5, 201);
    check(|scene| chunked(scene, &body(text(&bounty("Slowly")))), 50, 201);
}

/// A rejected client that stops sending is answered and disconnected.
#[test]
fn halting_bodies_of_those_who_are_rejected() {
    let scene = Scene::set();
    let halting: Vec<_> = (0..MANY)
        .map(|_| {
            let mut stream = connect(scene.service.address);
            let begun = b"POST /api/v1/bounties HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n012345";
            stream.write_all(begun).expect("sent");
            stream
        })
        .collect();
    scene.assert_others_are_served();
    for stream in halting {
        assert_eq!(Answer::parse(&rest(stream)).status, 401);
    }
    scene.assert_unharmed();
}

/// Sends as many requests as a connection accepts while the client reads nothing; returns the number of complete ones.
fn send_and_read_nothing(stream: &mut TcpStream, request: &str) -> usize {
    stream.set_nonblocking(true).expect("not blocking");
    let bytes = request.repeat(1_000);
    let mut sent = 0;
    while sent < bytes.len() {
        match stream.write(&bytes.as_bytes()[sent..]) {
            Ok(more) => sent += more,
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => panic!("{error}"),
        }
    }
    stream.set_nonblocking(false).expect("blocking");
    sent / request.len()
}

/// A thousand requests for large answers, from clients that read nothing until the server has to stop.
#[test]
fn slow_readers_and_a_shutdown_that_waits_for_them() {
    let scene = Scene::set();
    let bio = "x".repeat(10_000);
    let human = scene.people.human;
    assert_eq!(
        scene
            .people
            .operator
            .patch(&format!("/humans/{human}"), serde_json::json!({ "bio": bio }))
            .status,
        200
    );
    let request = scene.agents("GET", &format!("/humans/{human}"), "");
    let mut readers: Vec<_> = (0..50)
        .map(|_| {
            let mut stream = connect_from("127.0.0.1", scene.service.address, 4 << 10);
            assert!(send_and_read_nothing(&mut stream, &request) > 500);
            stream
        })
        .collect();
    scene.assert_others_are_served();
    let last = readers.pop().expect("a reader");
    drop(readers);
    scene.assert_others_are_served();

    let mut service = scene.service;
    service.signal("TERM");
    // The answer in progress is complete, and so are those before it.
    let answers = Answer::parse_all(&rest(last));
    assert!(answers.len() > 1);
    assert!(answers.iter().all(|answer| answer.data()["bio"] == *bio));
    assert_eq!(service.end().code, Some(0));
}
