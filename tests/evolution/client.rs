//! A client for one request at a time.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Far more than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
    head: String,
}

impl Answer {
    /// Out of all that came until the connection was closed.
    #[track_caller]
    fn of(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer {
            status: status.expect("a status"),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }

    /// The member `data` of a success.
    #[track_caller]
    pub(crate) fn data(&self) -> Value {
        let mut json = self.json();
        assert_eq!(json["success"], true, "{self:?}");
        json["data"].take()
    }

    /// That member's member `id`.
    #[track_caller]
    pub(crate) fn id(&self) -> i64 {
        self.data()["id"].as_i64().expect("an id")
    }

    /// The status, and what an error says.
    #[track_caller]
    pub(crate) fn said(&self) -> (u16, String) {
        (
            self.status,
            self.json()["error"].as_str().unwrap_or_default().to_owned(),
        )
    }

    /// A header by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// Sends a request on a connection of its own and waits for the answer.
#[track_caller]
pub(crate) fn call(address: SocketAddr, line: &str, credential: (&str, &str), body: Option<&Value>) -> Answer {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket option");
    let body = body.map(Value::to_string).unwrap_or_default();
    let (header, secret) = credential;
    let length = body.len();
    write!(
        stream,
        "{line} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n{header}: {secret}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    Answer::of(&answer)
}
