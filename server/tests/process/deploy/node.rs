//! A node of the test, which is ready when the test says so.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use proxy_protocol_rs::{ParseError, parse};

/// What its answers have as `X-Request-Id`.
pub(super) const REQUEST_ID: &str = "the-switched-node";

pub(super) struct SwitchedNode {
    pub(super) address: SocketAddr,
    ready: Arc<AtomicBool>,
}

impl SwitchedNode {
    pub(super) fn start() -> SwitchedNode {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let ready = Arc::new(AtomicBool::new(false));
        let is_ready = ready.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let is_ready = is_ready.clone();
                thread::spawn(move || answer(stream, &is_ready));
            }
        });
        SwitchedNode { address, ready }
    }

    pub(super) fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Ordering::Relaxed);
    }
}

/// Answers 200 or 503 to one request, behind a PROXY protocol header if there is one.
fn answer(mut stream: TcpStream, is_ready: &AtomicBool) -> Option<()> {
    let mut bytes = Vec::new();
    while !has_head(&bytes) {
        let mut next = [0; 4096];
        let read = stream.read(&mut next).ok().filter(|read| *read > 0)?;
        bytes.extend(&next[..read]);
    }
    let status = match is_ready.load(Ordering::Relaxed) {
        true => "200 OK",
        false => "503 Service Unavailable",
    };
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\nx-request-id: {REQUEST_ID}\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()
}

fn has_head(bytes: &[u8]) -> bool {
    let header = match parse(bytes) {
        Ok((_, length)) => length,
        Err(ParseError::Incomplete) => return false,
        Err(_) => 0,
    };
    bytes[header..].windows(4).any(|four| four == b"\r\n\r\n")
}
