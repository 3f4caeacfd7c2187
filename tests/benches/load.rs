//! The load: connections that send one request again and again, each as soon as the answer to the previous one is complete.
//!
//! All connections are on one thread, so that the load needs one core. It knows nothing of the measured service.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::latency::Latencies;
use crate::population::Dice;

/// Requests, sent over several connections.
pub(crate) struct Load {
    pub(crate) address: SocketAddr,
    pub(crate) connections: usize,
    pub(crate) requests: Vec<String>,
}

/// The answers.
pub(crate) struct Answers {
    pub(crate) latencies: Latencies,
    /// From the first request to the last answer.
    pub(crate) took: Duration,
}

impl Answers {
    pub(crate) fn count(&self) -> f64 {
        self.latencies.count() as f64
    }

    pub(crate) fn a_second(&self) -> f64 {
        self.count() / self.took.as_secs_f64()
    }
}

/// Stands in a request for a number that no other request of this process has.
pub(crate) const UNIQUE: &str = "{unique}";

static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// A GET; `header` is a line of the head, or empty.
pub(crate) fn get(path: &str, header: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{header}\r\n")
}

/// A POST of JSON.
pub(crate) fn post(path: &str, header: &str, body: &str) -> String {
    send(&format!("POST {path}"), header, body)
}

/// JSON, with the method and path in `line`.
pub(crate) fn send(line: &str, header: &str, body: &str) -> String {
    format!(
        "{line} HTTP/1.1\r\nhost: localhost\r\n{header}content-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A line of the head.
pub(crate) fn header(name: &str, value: &str) -> String {
    format!("{name}: {value}\r\n")
}

impl Load {
    /// Opens the connections and sends on each for this time.
    pub(crate) fn send_for(&self, time: Duration) -> Answers {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        runtime.expect("a runtime").block_on(async {
            let mut streams = Vec::new();
            for _ in 0..self.connections {
                streams.push(connect(self.address).await);
            }
            let requests: Arc<[String]> = self.requests.as_slice().into();
            let start = Instant::now();
            let conversations: JoinSet<_> = streams
                .into_iter()
                .enumerate()
                .map(|(place, stream)| converse(stream, Arc::clone(&requests), place, start + time))
                .collect();
            let latencies = conversations.join_all().await.into_iter().flatten().collect();
            Answers {
                latencies: Latencies::from_durations(latencies),
                took: start.elapsed(),
            }
        })
    }

    /// Sends all requests one after the other on one connection, and again until this time has passed. Returns the
    /// latencies in the order of the requests.
    pub(crate) fn repeat_for(&self, time: Duration) -> Vec<Duration> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        runtime.expect("a runtime").block_on(async {
            let mut stream = connect(self.address).await;
            let mut answer = Vec::with_capacity(64 * 1024);
            let mut latencies = Vec::new();
            let start = Instant::now();
            while start.elapsed() < time {
                for request in &self.requests {
                    let sent = Instant::now();
                    ask(&mut stream, request.as_bytes(), &mut answer).await;
                    latencies.push(sent.elapsed());
                }
            }
            latencies
        })
    }

    /// The body of the answer to the first request.
    pub(crate) fn body(&self) -> Vec<u8> {
        self.bodies(1).remove(0)
    }

    /// The bodies of the answers to this number of requests.
    pub(crate) fn bodies(&self, requests: usize) -> Vec<Vec<u8>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        runtime.expect("a runtime").block_on(async {
            let mut stream = connect(self.address).await;
            let mut bodies = Vec::new();
            for request in self.requests.iter().take(requests) {
                let mut answer = Vec::new();
                let body = ask(&mut stream, request.as_bytes(), &mut answer).await;
                bodies.push(answer.split_off(body));
            }
            bodies
        })
    }
}

/// A connection for one request after the other, with answers in JSON.
pub(crate) struct Connection(TcpStream);

impl Connection {
    pub(crate) async fn to(address: SocketAddr) -> Self {
        Self(connect(address).await)
    }

    /// The body of the answer.
    pub(crate) async fn ask(&mut self, request: &str) -> Value {
        let mut answer = Vec::new();
        let body = ask(&mut self.0, request.as_bytes(), &mut answer).await;
        serde_json::from_slice(&answer[body..]).expect("JSON")
    }
}

async fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    stream.set_nodelay(true).expect("a socket option");
    stream
}

/// Requests are drawn. In turn, those of the connections whose writes commit together would be of one account more and more.
async fn converse(mut stream: TcpStream, requests: Arc<[String]>, place: usize, until: Instant) -> Vec<Duration> {
    let mut dice = Dice(place as u64);
    let mut answer = Vec::with_capacity(64 * 1024);
    let mut latencies = Vec::new();
    let mut sent = Instant::now();
    while sent < until {
        let request = &requests[dice.roll(requests.len() as u64) as usize];
        if request.contains(UNIQUE) {
            let number = NUMBERS.fetch_add(1, Ordering::Relaxed).to_string();
            ask(&mut stream, request.replace(UNIQUE, &number).as_bytes(), &mut answer).await;
        } else {
            ask(&mut stream, request.as_bytes(), &mut answer).await;
        }
        let answered = Instant::now();
        latencies.push(answered - sent);
        sent = answered;
    }
    latencies
}

/// Sends the request and waits for the whole answer; returns the position of the body.
async fn ask(stream: &mut TcpStream, request: &[u8], answer: &mut Vec<u8>) -> usize {
    stream.write_all(request).await.expect("the server reads");
    answer.clear();
    loop {
        let read = stream.read_buf(answer).await.expect("the connection holds");
        assert!(read > 0, "the server hung up: {}", String::from_utf8_lossy(answer));
        if let Some((body, end)) = parts(answer)
            && answer.len() >= end
        {
            return body;
        }
    }
}

/// The start and the end of the body, once the head is complete.
fn parts(answer: &[u8]) -> Option<(usize, usize)> {
    let head = answer.windows(4).position(|end| end == b"\r\n\r\n")?;
    let text = std::str::from_utf8(&answer[..head]).expect("a head in ASCII");
    assert!(text.starts_with("HTTP/1.1 2"), "{}", String::from_utf8_lossy(answer));
    let length = text
        .lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, length)| length.parse::<usize>().ok());
    let body = head + 4;
    Some((body, body + length.expect("an answer with its length")))
}
