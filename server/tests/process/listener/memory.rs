//! What large bodies cost while they come.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use super::*;

/// Imports at a time, and the bytes of each that come: together three times of what they may hold.
const IMPORTS: usize = 48;
const BYTES: usize = 8 << 20;
/// How many of them there is room for.
const AT_ONCE: usize = 16;

/// The most memory that a process has had, in bytes.
fn peak(service: &Service) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", service.id())).expect("a status");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("a peak");
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
    // Round after round, until as many came through as there is room for, and then nothing moves any more.
    let mut sent = vec![0; IMPORTS];
    let through = |sent: &[usize]| sent.iter().filter(|sent| **sent == bytes.len()).count();
    let (begun, mut quiet_rounds) = (Instant::now(), 0);
    while through(&sent) < AT_ONCE || quiet_rounds < 50 {
        assert!(begun.elapsed() < DEADLINE, "{} came through", through(&sent));
        let mut moved = 0;
        for (mut stream, sent) in streams.iter().zip(&mut sent) {
            match stream.write(&bytes[*sent..]) {
                Ok(more) => (*sent, moved) = (*sent + more, moved + more),
                Err(fault) if fault.kind() == ErrorKind::WouldBlock => {}
                Err(fault) => panic!("{fault}"),
            }
        }
        quiet_rounds = if moved == 0 { quiet_rounds + 1 } else { 0 };
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(through(&sent) < IMPORTS);
    scene.assert_others_are_served();
    let held = peak(&scene.service) - before;
    assert!(held < 256 << 20, "{} MiB", held >> 20);
    drop(streams);
    // Their room is free again.
    let one = serde_json::json!({ "humans": [crate::people::worker()], "": "x" });
    assert_eq!(scene.people.operator.post("/humans/import", one).status, 400);
    scene.assert_unharmed();
}
