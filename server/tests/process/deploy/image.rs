//! The image, without a program that builds it.

use std::net::{SocketAddr, TcpListener};
use std::process::Command;

use super::*;

/// The instructions, each in one line.
fn instructions() -> Vec<String> {
    let text = shipped("Dockerfile", &[]).replace("\\\n", "");
    text.lines().map(str::to_owned).collect()
}

/// What follows these words in the only instruction that has them.
#[track_caller]
fn after(words: &str) -> String {
    let found = instructions().into_iter();
    let mut found = found.filter_map(|line| Some(line.split_once(words)?.1.to_owned()));
    let first = found.next().expect(words);
    assert_eq!(found.next(), None, "{words}");
    first
}

#[track_caller]
fn is_healthy(address: SocketAddr) -> bool {
    let port = address.port().to_string();
    let command: Vec<String> = serde_json::from_str(&after(" CMD ")).expect("a list of words");
    let mut words = command.iter().map(|word| word.replace("8080", &port));
    let status = Command::new(words.next().expect("a program")).args(words).output();
    status.expect("it runs").status.success()
}

#[test]
fn the_image_is_healthy_while_the_server_is_available() {
    let server = Launch::anywhere().start();
    assert!(is_healthy(server.address));
    let switched = SwitchedNode::start();
    assert!(!is_healthy(switched.address), "503");
    let closed = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = closed.local_addr().expect("an address");
    drop(closed);
    assert!(!is_healthy(address), "nothing listens");
}

#[test]
fn the_data_of_the_image_are_below_its_volume() {
    // A restore creates the directory.
    let directory = after("HITODE_DATA=");
    let parent = Path::new(&directory).parent().expect("a parent");
    assert_eq!(parent, Path::new(&after("VOLUME ")));
}
