//! slowhttptest (a Debian package) for some seconds in each of its modes, while others are served.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::*;

/// Simultaneous connections and seconds of each mode.
const CONNECTIONS: &str = "300";
const SECONDS: &str = "4";

/// Between two requests of the others.
const PAUSE: Duration = Duration::from_millis(25);

fn start(scene: &Scene, way: &[&str], path: &str) -> Child {
    Command::new("slowhttptest")
        .args(way)
        .args(["-c", CONNECTIONS, "-r", CONNECTIONS, "-l", SECONDS, "-i", "1", "-u"])
        .arg(format!("http://{}{path}", scene.service.address))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("slowhttptest starts; tests/run installs it, and so does `apt-get install slowhttptest`")
}

#[track_caller]
fn check(way: &[&str], path: &str) {
    let scene = Scene::set();
    let mut attack = start(&scene, way, path);
    let mut served = 0;
    while attack.try_wait().expect("a child").is_none() {
        scene.assert_others_are_served();
        served += 1;
        // Each round opens a bounty, and an account may have 1,000.
        std::thread::sleep(PAUSE);
    }
    let output = attack.wait_with_output().expect("its output");
    let output = String::from_utf8_lossy(&output.stdout);
    assert!(output.contains("Test ended on"), "{output}");
    assert!(served > 0);
    scene.assert_unharmed();
}

#[test]
fn slow_heads() {
    check(&["-H"], "/healthz");
}

#[test]
fn slow_bodies() {
    check(&["-B"], "/api/v1/bounties");
}

#[test]
fn slow_readers() {
    check(
        &["-X", "-w", "1", "-y", "10", "-n", "1", "-z", "5", "-k", "3"],
        "/api/v1/humans",
    );
}

#[test]
fn many_ranges() {
    check(&["-R"], "/healthz");
}
