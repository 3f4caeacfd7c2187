//! Memory use of large bodies while they arrive, and of long answers while clients do not read them.

use std::io::{ErrorKind, Read};
use std::time::{Duration, Instant};

use super::*;
use std::net::SocketAddr;

/// Simultaneous imports, and the bytes sent of each: together three times the limit.
const IMPORTS: usize = 24;
const BYTES: usize = 8 << 20;
/// How many of them fit.
const AT_ONCE: usize = 8;

/// The peak memory of a process, in bytes.
fn peak(service: &Service) -> usize {
    memory(service, "VmHWM")
}

fn memory(service: &Service, what: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", service.id())).expect("a status");
    let line = status.lines().find(|line| line.starts_with(what)).expect("a line");
    let number = line
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse::<usize>().ok());
    number.expect("a number") << 10
}

#[test]
fn many_large_bodies_at_once_hold_no_more_than_they_may() {
    let scene = Scene::set();
    let before = peak(&scene.service);
    let head = format!(
        "POST /operator/v1/humans/import HTTP/1.1\r\nhost: x\r\nx-operator-token: {}\r\ncontent-type: application/json\r\n\
         content-length: {BYTES}\r\n\r\n",
        scene.people.operator.secret
    );
    let bytes = [head.into_bytes(), vec![b' '; BYTES - 1]].concat();
    let streams: Vec<_> = (0..IMPORTS)
        .map(|_| {
            let stream = connect(scene.service.address);
            stream.set_nonblocking(true).expect("not blocking");
            stream
        })
        .collect();
    // Send in rounds until as many bytes passed as fit, and then nothing moves any more.
    let mut sent = vec![0; IMPORTS];
    let through = |sent: &[usize]| sent.iter().filter(|sent| **sent == bytes.len()).count();
    let (begun, mut quiet_rounds) = (Instant::now(), 0);
    while through(&sent) < AT_ONCE || quiet_rounds < 50 {
        assert!(begun.elapsed() < DEADLINE, "{} came through", through(&sent));
        let mut moved = 0;
        for (mut stream, sent) in streams.iter().zip(&mut sent) {
            match stream.write(&bytes[*sent..]) {
                Ok(more) => (*sent, moved) = (*sent + more, moved + more),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => panic!("{error}"),
            }
        }
        quiet_rounds = if moved == 0 { quiet_rounds + 1 } else { 0 };
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(through(&sent) < IMPORTS);
    scene.assert_others_are_served();
    let held = peak(&scene.service) - before;
    println!("{IMPORTS} bodies: {} MiB more", held >> 20);
    assert!(held < 160 << 20, "{} MiB", held >> 20);
    drop(streams);
    // Their memory is available again.
    let one = serde_json::json!({ "humans": [test_support::people::worker()], "": "x" });
    assert_eq!(scene.people.operator.post("/humans/import", one).status, 400);
    scene.assert_unharmed();
}

/// A text with the most characters of a message, in the most bytes.
fn long_text() -> String {
    "\u{1f600}".repeat(10_000)
}

/// Many clients request `path` and read almost nothing; checks that memory grows by far less than a copy for each.
#[track_caller]
fn read_slowly(scene: Scene, path: &str) {
    let (readers, most) = if is_long() { (100, 150 << 20) } else { (50, 90 << 20) };
    let before = peak(&scene.service);
    let request = scene.agents("GET", path, "");
    let mut slow: Vec<_> = (0..readers)
        .map(|_| {
            let mut stream = connect_from("127.0.0.1", scene.service.address, 4 << 10);
            stream.write_all(request.as_bytes()).expect("sent");
            stream
        })
        .collect();
    // Each answer has begun, and its prepared part is complete.
    for stream in &mut slow {
        let mut first = [0; 12];
        stream.read_exact(&mut first).expect("an answer begins");
        assert_eq!(&first, b"HTTP/1.1 200");
    }
    scene.assert_others_are_served();
    let grown = peak(&scene.service) - before;
    println!("{readers} slow readers: {} MiB more", grown >> 20);
    assert!(grown < most, "{} MiB", grown >> 20);
    drop(slow);
    scene.assert_unharmed();
}

#[test]
fn slow_readers_of_a_long_conversation_take_no_copy_of_it_each() {
    let messages = if is_long() { 300 } else { 50 };
    let scene = Scene::set();
    let agent = &scene.people.agent;
    let begun = serde_json::json!({ "human_id": scene.people.human, "message": "Hello" });
    let path = format!("/conversations/{}", agent.post("/conversations", begun).id());
    let message = serde_json::json!({ "content": long_text() });
    for _ in 0..messages {
        assert_eq!(agent.post(&format!("{path}/messages"), message.clone()).status, 200);
    }
    let whole = agent.get(&path).data();
    let count = whole["messages"].as_array().map(Vec::len);
    assert_eq!(count, Some(messages + 1));
    assert!(
        whole["messages"]
            .as_array()
            .is_some_and(|all| all[1..].iter().all(|one| one["content"] == message["content"]))
    );
    read_slowly(scene, &path);
}

#[test]
fn slow_readers_of_many_conversations_take_no_copy_of_them_each() {
    let scene = Scene::set();
    let begun = serde_json::json!({ "human_id": scene.people.human, "message": long_text() });
    for _ in 0..50 {
        assert_eq!(scene.people.agent.post("/conversations", begun.clone()).status, 200);
    }
    read_slowly(scene, "/conversations?limit=100");
}

/// Sends a request that may wait for minutes.
fn import(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = connect(address);
    stream.set_read_timeout(None).expect("no timeout");
    stream.write_all(request).expect("sent");
    Answer::parse(&rest(stream))
}

/// Complete imports that arrive at the same moment, each rejected for its last bytes.
#[test]
fn many_large_bodies_are_worked_on_one_after_the_other() {
    let (imports, items) = if is_long() { (12, 1_900_000) } else { (6, 250_000) };
    let scene = Scene::set();
    let before = peak(&scene.service);
    // Lists of one number each take the most memory for their bytes.
    let body = format!("{{\"humans\":[{}0]}}", "[0],".repeat(items));
    let request = format!(
        "POST /operator/v1/humans/import HTTP/1.1\r\nhost: x\r\nx-operator-token: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        scene.people.operator.secret,
        body.len(),
    );
    let answers: Vec<_> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..imports)
            .map(|_| scope.spawn(|| import(scene.service.address, request.as_bytes()).status))
            .collect();
        sent.into_iter().map(|one| one.join().expect("an answer")).collect()
    });
    // A debug build may be too slow to read the largest bodies in time.
    assert!(
        answers
            .iter()
            .all(|status| *status == 400 || (is_long() && *status == 408)),
        "{answers:?}"
    );
    let grown = peak(&scene.service) - before;
    println!("{imports} imports: {} MiB more", grown >> 20);
    assert!(
        grown < if is_long() { 180 << 20 } else { 60 << 20 },
        "{} MiB",
        grown >> 20
    );
    scene.assert_unharmed();
}
