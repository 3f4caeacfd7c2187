//! A receiver of webhooks: a listener that answers as it is told and remembers what came.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use test_support::process::DEADLINE;

/// How a receiver answers what is no challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// With this status.
    Status(u16),
    /// With a redirect to its own URL.
    Redirect,
    /// Never.
    Never,
}

/// A request that came.
#[derive(Clone, Debug)]
pub(super) struct Delivered {
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Delivered {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a body of JSON")
    }
}

/// The receiver. It stops when it is dropped.
pub(super) struct Receiver {
    pub(super) address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    answers: Mutex<Answers>,
    /// Without challenges.
    delivered: Mutex<Vec<Delivered>>,
    came: Condvar,
    ends: AtomicBool,
}

impl Receiver {
    /// A receiver on any port.
    pub(super) fn new() -> Self {
        Self::at("127.0.0.1:0".parse().expect("an address"), Answers::Status(204))
    }

    /// A receiver at this address.
    pub(super) fn at(address: SocketAddr, answers: Answers) -> Self {
        let listener = TcpListener::bind(address).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            answers: Mutex::new(answers),
            delivered: Mutex::default(),
            came: Condvar::new(),
            ends: AtomicBool::new(false),
        });
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            // What is never answered stays open until the end.
            let mut held = Vec::new();
            for stream in listener.incoming().flatten() {
                if of_thread.ends.load(Ordering::Relaxed) {
                    return;
                }
                held.extend(of_thread.serve(stream));
            }
        });
        Self {
            address,
            shared,
            thread: Some(thread),
        }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    pub(super) fn set(&self, answers: Answers) {
        *self.shared.answers.lock().expect("no holder panics") = answers;
    }

    /// Waits until so many requests have come, and returns all.
    #[track_caller]
    pub(super) fn wait_for(&self, many: usize) -> Vec<Delivered> {
        self.wait(&format!("{many} requests"), |delivered| delivered.len() >= many)
    }

    /// Waits until the event with this number has come, after so many requests.
    #[track_caller]
    pub(super) fn wait_until(&self, before: usize, number: usize) {
        let cursor = Value::from(number.to_string());
        self.wait(&format!("event {number}"), |delivered| {
            let mut later = delivered[before..].iter();
            later.any(|one| one.json()["cursor"] == cursor)
        });
    }

    #[track_caller]
    fn wait(&self, what: &str, is_there: impl Fn(&[Delivered]) -> bool) -> Vec<Delivered> {
        let begun = Instant::now();
        let mut delivered = self.shared.delivered.lock().expect("no holder panics");
        while !is_there(&delivered) {
            let left = DEADLINE.saturating_sub(begun.elapsed());
            assert!(!left.is_zero(), "{what} did not come, but {} requests", delivered.len());
            let waited = self.shared.came.wait_timeout(delivered, left);
            delivered = waited.expect("no holder panics").0;
        }
        delivered.clone()
    }
}

impl Shared {
    /// Answers one request. Returns the connection if it stays open.
    fn serve(&self, stream: TcpStream) -> Option<TcpStream> {
        let delivered = read(&stream)?;
        let answers = *self.answers.lock().expect("no holder panics");
        let message = delivered.json();
        let (head, body) = match answers {
            _ if message["type"] == "verification" => {
                let body = json!({ "challenge": message["challenge"] }).to_string();
                ("200 OK".to_owned(), body)
            }
            _ => {
                self.delivered.lock().expect("no holder panics").push(delivered);
                self.came.notify_all();
                match answers {
                    Answers::Never => return Some(stream),
                    Answers::Status(status) => (format!("{status} Status"), String::new()),
                    Answers::Redirect => ("302 Found\r\nLocation: /elsewhere".to_owned(), String::new()),
                }
            }
        };
        let answer = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        // Fails if the server was killed.
        let _ = (&stream).write_all(answer.as_bytes());
        None
    }
}

fn read(stream: &TcpStream) -> Option<Delivered> {
    let mut reader = BufReader::new(stream);
    let mut headers = HeaderMap::new();
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    loop {
        line.clear();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(
            HeaderName::from_bytes(name.as_bytes()).expect("a name"),
            HeaderValue::from_str(value).expect("a value"),
        );
    }
    let length = headers.get("content-length")?.to_str().ok()?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Delivered { headers, body })
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Relaxed);
        // Wakes the thread, which then sees that it ends.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
