//! Many slow clients at once.

use std::io::ErrorKind;

use super::*;

const MANY: usize = 300;

/// Many connections that have sent all but the last bytes of a request do not block others. Each is answered when these
/// bytes come; one that is rejected by its head is answered and disconnected without them.
#[test]
fn slow_requests_are_answered_and_block_no_others() {
    let scene = Scene::set();
    let json = text(&bounty("Slowly"));
    let body = chunked(&scene, &format!("{:x}\r\n{json}\r\n0\r\n\r\n", json.len()));
    let rejected = b"POST /api/v1/bounties HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n0123456789".to_vec();
    for (bytes, held_back, is_completed, status) in [
        (scene.agents("GET", "/keys", "").into_bytes(), 3, true, 200),
        (body.clone(), 5, true, 201),
        (body, 50, true, 201),
        (rejected, 4, false, 401),
    ] {
        let (begun, last) = bytes.split_at(bytes.len() - held_back);
        let slow: Vec<_> = (0..MANY)
            .map(|_| {
                let mut stream = connect(scene.service.address);
                stream.write_all(begun).expect("sent");
                stream
            })
            .collect();
        scene.assert_others_are_served();
        for mut stream in slow.iter().filter(|_| is_completed) {
            stream.write_all(last).expect("sent");
            stream.shutdown(Shutdown::Write).expect("half closed");
        }
        for stream in slow {
            assert_eq!(
                Answer::parse(&rest(stream)).status,
                status,
                "{held_back} bytes held back"
            );
        }
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
