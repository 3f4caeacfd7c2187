//! A client for one request at a time, which shows the exact answer.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use crate::process::DEADLINE;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    /// All answers of one connection, each with a length.
    #[track_caller]
    pub fn parse_all(mut bytes: &[u8]) -> Vec<Answer> {
        let mut answers = Vec::new();
        while !bytes.is_empty() {
            let mut answer = Answer::parse(bytes);
            let length = answer.header("content-length").and_then(|length| length.parse().ok());
            let rest = answer.body.split_off(length.expect("a length"));
            bytes = &bytes[bytes.len() - rest.len()..];
            answers.push(answer);
        }
        answers
    }

    /// The answer in all bytes until the connection was closed.
    #[track_caller]
    pub fn parse(bytes: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(bytes);
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap_or_else(|| panic!("no head: {text:?}"));
        let head = String::from_utf8(bytes[..end].to_vec()).expect("text");
        let mut lines = head.split("\r\n");
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1))
            .and_then(|status| status.parse().ok());
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        let mut answer = Answer {
            status: status.expect("a status"),
            headers: headers.collect(),
            body: bytes[end + 4..].to_vec(),
        };
        if answer.is_chunked() && !answer.body.is_empty() {
            answer.body = joined(&mut &*answer.body).expect("whole chunks");
        }
        answer
    }

    /// Whether the body is chunked.
    fn is_chunked(&self) -> bool {
        self.header("transfer-encoding") == Some("chunked")
    }

    /// The first value of the header of this name, written in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The bytes of the body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("text")
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }

    /// The member `data` of a success.
    #[track_caller]
    pub fn data(&self) -> Value {
        let mut json = self.json();
        assert!(self.status < 300 && json["success"] == true, "{} {json}", self.status);
        json["data"].take()
    }

    /// The member `id` of `data`.
    #[track_caller]
    pub fn id(&self) -> i64 {
        self.data()["id"].as_i64().expect("an id")
    }

    /// The status, and the text of an error; empty for a success.
    #[track_caller]
    pub fn status_and_error(&self) -> (u16, String) {
        let error = self.json()["error"].as_str().unwrap_or_default().to_owned();
        (self.status, error)
    }
}

/// A new connection.
pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("connected");
    stream.set_read_timeout(Some(DEADLINE)).expect("a timeout");
    stream.set_write_timeout(Some(DEADLINE)).expect("a timeout");
    stream
}

/// A connection for consecutive requests. Its errors are values: the server may be killed at any moment.
pub struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// When no server listens there.
    pub fn to(address: SocketAddr) -> io::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let stream = BufReader::new(stream);
        let connection = Connection { stream };
        connection.wait_at_most(DEADLINE)?;
        Ok(connection)
    }

    /// How long to wait for an answer.
    ///
    /// # Errors
    /// When the connection has ended.
    pub fn wait_at_most(&self, time: Duration) -> io::Result<()> {
        self.stream.get_ref().set_read_timeout(Some(time))
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// # Errors
    /// When the connection ends before that.
    pub fn call(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> io::Result<Answer> {
        self.stream
            .get_mut()
            .write_all(&kept_request(method, path, headers, body))?;
        self.answer()
    }

    /// Sends these bytes, which are a request, and waits for the whole answer.
    ///
    /// # Errors
    /// When the connection ends before that.
    pub fn send(&mut self, request: &[u8]) -> io::Result<Answer> {
        self.stream.get_mut().write_all(request)?;
        self.answer()
    }

    /// Sends these bytes, which are a part of a request.
    ///
    /// # Errors
    /// When the connection has ended.
    pub fn send_part(&mut self, part: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(part)
    }

    /// Waits for the whole answer to a request that was sent.
    ///
    /// # Errors
    /// When the connection ends before that.
    pub fn answer(&mut self) -> io::Result<Answer> {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n\r\n") {
            if self.stream.read_until(b'\n', &mut bytes)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let mut answer = Answer::parse(&bytes);
        if answer.is_chunked() {
            answer.body = joined(&mut self.stream)?;
            return Ok(answer);
        }
        let length = answer.header("content-length").and_then(|length| length.parse().ok());
        answer.body.resize(length.expect("a length"), 0);
        self.stream.read_exact(&mut answer.body)?;
        Ok(answer)
    }
}

/// Reads a chunked body.
fn joined(chunks: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut size = String::new();
        chunks.read_line(&mut size)?;
        let size = u64::from_str_radix(size.trim_end(), 16).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let begun = body.len() as u64;
        chunks.take(size).read_to_end(&mut body)?;
        chunks.read_exact(&mut [0; 2])?;
        if size == 0 {
            return Ok(body);
        }
        if body.len() as u64 - begun < size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// The bytes of a request after which the connection is closed.
pub fn request(method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Vec<u8> {
    kept_request(method, path, &[&[("connection", "close")], headers].concat(), body)
}

/// The bytes of a request after which others may follow.
fn kept_request(method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: test\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    let body = body.map(Value::to_string).unwrap_or_default();
    if !body.is_empty() {
        text += &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    }
    (text + "\r\n" + &body).into_bytes()
}

/// The bytes of a request with a file of this type.
pub fn upload(path: &str, headers: &[(&str, &str)], (media_type, content): (&str, &[u8])) -> Vec<u8> {
    let mut head = format!("POST {path} HTTP/1.1\r\nhost: test\r\ncontent-type: {media_type}\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("content-length: {}\r\n\r\n", content.len());
    [head.as_bytes(), content].concat()
}

/// Sends a request and waits for the answer.
#[track_caller]
pub fn call(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Answer {
    let mut stream = connect(address);
    stream.write_all(&request(method, path, headers, body)).expect("sent");
    Answer::parse(&rest(stream))
}

/// All bytes until the end; for a reset connection those that came before.
pub fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}
