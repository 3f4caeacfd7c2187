//! `codegen mock`, called over HTTP.

use super::{BASE, command, run, text};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

pub(super) const LIBRARY: &str = "../mock/tests/library/api.yaml";

/// A mock of the library that runs.
pub(super) struct Running {
    child: Child,
    address: String,
    /// What it prints after its address.
    printed: Vec<String>,
}

impl Running {
    fn start(more: &[&str]) -> Self {
        Self::start_of(LIBRARY, more)
    }

    pub(super) fn start_of(contract: &str, more: &[&str]) -> Self {
        let arguments = [&["mock", contract, "--listen", "127.0.0.1:0"], more].concat();
        let mut child = command(&arguments).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("piped"));
        let mut lines = out.lines().map(|line| line.expect("text"));
        let address = lines.next().expect("its address").replace("http://", "");
        let mut printed = Vec::new();
        // The credentials, and the first call to try.
        while !printed.last().is_some_and(|line: &String| line.starts_with("curl ")) {
            printed.push(lines.next().expect("a call to try"));
        }
        Self {
            child,
            address,
            printed,
        }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The credentials that it has printed, as arguments.
    pub(super) fn credentials(&self) -> Vec<String> {
        let lines = self.printed.iter().take_while(|line| !line.starts_with("curl "));
        let credentials = lines.filter_map(|line| line.split_once(": "));
        credentials
            .map(|(name, secret)| format!("--credential={name}={secret}"))
            .collect()
    }

    /// The status line and the body.
    pub(super) fn call(&self, head: &str, body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let length = body.len();
        let request = format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it answers");
        let (head, body) = response.split_once("\r\n\r\n").expect("a head");
        (head.lines().next().unwrap_or_default().to_owned(), body.to_owned())
    }

    pub(super) fn signal(mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().expect("it runs");
        self.child.wait().expect("it ends")
    }
}

#[test]
fn a_mock_is_called_over_http_and_keeps_its_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("state").to_string_lossy().into_owned();
    let start = || Running::start(&["--data", &file, "--credential", "badge=b1"]);
    let mock = start();
    assert_eq!(mock.printed[0], "badge: b1");
    assert!(
        mock.printed[1].starts_with("curl -s -X POST http://127.0.0.1:"),
        "{:?}",
        mock.printed
    );
    let head = "POST /desk/readers HTTP/1.1\r\nHost: a\r\nX-Badge: b1\r\nContent-Type: application/json";
    let (status, body) = mock.call(head, r#"{"name":"Ann"}"#);
    assert_eq!(status, "HTTP/1.1 201 Created");
    let card = body
        .split('"')
        .find(|part| part.starts_with("card_"))
        .expect("a card")
        .to_owned();
    assert_eq!(mock.signal().code(), Some(0));
    let mock = start();
    let (_, body) = mock.call(&format!("GET /v1/me HTTP/1.1\r\nHost: a\r\nX-Card: {card}"), "");
    assert!(body.contains(r#""name":"Ann""#), "{body}");
    let (status, body) = mock.call("GET /v1/me HTTP/1.1\r\nHost: a b", "");
    assert_eq!(status, "HTTP/1.1 400 Bad Request");
    assert!(body.contains("the header `Host` must be a host"), "{body}");
    let (status, body) = mock.call("GET /llms.txt HTTP/1.1\r\nHost: a", "");
    assert!(status.contains("200") && body.contains("Library"), "{status}");
    assert_eq!(mock.signal().code(), Some(0));
}

#[test]
fn a_secret_is_made_and_a_seed_makes_the_same() {
    let printed = |seed| {
        let mock = Running::start(&["--seed", seed]);
        let printed = mock.printed[0].clone();
        mock.signal();
        printed
    };
    assert_eq!(printed("1"), printed("1"));
    assert_ne!(printed("1"), printed("2"));
}

#[test]
fn a_caller_that_no_operation_creates_is_made_up() {
    let mock = Running::start_of(BASE, &["--credential", "card=c1"]);
    assert_eq!(mock.printed[0], "card: c1");
    let call = mock.printed[1].replace("curl -s ", "");
    let target = call
        .split(' ')
        .next()
        .unwrap_or_default()
        .replace(&format!("http://{}", mock.address), "");
    let (status, body) = mock.call(&format!("GET {target} HTTP/1.1\r\nHost: a\r\nX-Card: c1"), "");
    assert_eq!(status, "HTTP/1.1 200 OK", "{target}: {body}");
    let (status, _) = mock.call(&format!("GET {target} HTTP/1.1\r\nHost: a\r\nX-Card: c2"), "");
    assert_eq!(status, "HTTP/1.1 401 Unauthorized");
    mock.signal();
}

#[test]
fn what_cannot_be_served_is_said_in_a_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().expect("it is bound").to_string();
    let nowhere = Path::new("/nowhere/state").to_string_lossy();
    for (arguments, part) in [
        (["--listen", &taken], "cannot listen on 127.0.0.1:"),
        (["--listen", "x"], "cannot listen on x: "),
        (["--credential", "badge"], "--credential takes NAME=VALUE, not `badge`"),
        (
            ["--credential", "bage=x"],
            "there is no credential `bage`, did you mean `badge`?",
        ),
        (["--credential", "card=x"], "`card` identifies a `Reader`"),
        (["--credential", "badge="], "the value of `badge` must"),
        (["--data", &nowhere], "cannot keep the state in /nowhere/state: "),
    ] {
        let output = run(&[&["mock", LIBRARY], &arguments[..]].concat());
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(run(&["mock", BASE, "--rate-limits", "perhaps"]).status.code(), Some(2));
}
