//! The load: plain blocking connections that send one request again and again.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A request, sent over some connections at once.
pub(crate) struct Load {
    pub(crate) address: SocketAddr,
    pub(crate) connections: usize,
    pub(crate) request: String,
}

/// A GET without a credential.
pub(crate) fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

/// A POST of JSON.
pub(crate) fn post(path: &str, header: &str, credential: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\n{header}: {credential}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

impl Load {
    /// Sends so many in all.
    pub(crate) fn send(&self, requests: usize) {
        self.run(|sent| sent < requests / self.connections);
    }

    /// Sends for so long; returns the answers a second.
    pub(crate) fn send_for(&self, time: Duration) -> f64 {
        let start = Instant::now();
        let answers = self.run(|_| start.elapsed() < time);
        answers as f64 / start.elapsed().as_secs_f64()
    }

    fn run(&self, more: impl Fn(usize) -> bool + Sync) -> usize {
        std::thread::scope(|scope| {
            let connections: Vec<_> = (0..self.connections)
                .map(|_| scope.spawn(|| self.connection(&more)))
                .collect();
            connections
                .into_iter()
                .map(|connection| connection.join().expect("the connection holds"))
                .sum()
        })
    }

    fn connection(&self, more: impl Fn(usize) -> bool) -> usize {
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_nodelay(true).expect("a socket option");
        let mut answers = BufReader::new(stream.try_clone().expect("a second handle"));
        let mut requests = stream;
        let mut sent = 0;
        while more(sent) {
            requests.write_all(self.request.as_bytes()).expect("the server reads");
            read_answer(&mut answers);
            sent += 1;
        }
        sent
    }
}

fn read_answer(answers: &mut impl BufRead) {
    let mut line = String::new();
    let mut length = 0;
    answers.read_line(&mut line).expect("a status line");
    assert!(line.starts_with("HTTP/1.1 2"), "{line}");
    while line != "\r\n" {
        line.clear();
        answers.read_line(&mut line).expect("a header");
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
    }
    answers.read_exact(&mut vec![0; length]).expect("a body");
}
