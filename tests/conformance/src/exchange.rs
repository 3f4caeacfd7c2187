//! Requests and answers, and who calls.

use std::net::IpAddr;

/// A caller.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The credential.
    pub secret: String,
    /// The id of the acting resource; 0 if there is only one such caller.
    pub id: i64,
    /// The name of the credential's kind.
    pub kind: &'static str,
}

/// A request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The HTTP method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Headers, in this order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<Vec<u8>>,
    /// The source address, if the sender can choose it.
    pub peer: Option<IpAddr>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// That there is none.
    pub(crate) const fn none() -> Self {
        Self {
            status: 0,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// From an HTTP response. Header bytes that are not UTF-8 show as U+FFFD.
    pub fn new(head: &http::response::Parts, body: Vec<u8>) -> Self {
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = head.headers.iter();
        Self {
            status: head.status.as_u16(),
            headers: headers.map(|(name, value)| (name.to_string(), text(value))).collect(),
            body,
        }
    }

    /// The value of a header; `None` if it is absent or duplicate.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self
            .headers
            .iter()
            .filter(|(known, _)| known.eq_ignore_ascii_case(name));
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }
}

impl Request {
    /// The request as a line for a shell, with `$BASE` in place of the server's address.
    pub fn curl(&self) -> String {
        let mut line = format!("curl -i -X {} \"$BASE\"{}", self.method, quoted(&self.target));
        for (name, value) in &self.headers {
            line.push_str(&format!(" -H {}", quoted(&format!("{name}: {value}"))));
        }
        if let Some(body) = &self.body {
            line.push_str(&format!(
                " --data-binary {}",
                quoted(&shortened(&String::from_utf8_lossy(body)))
            ));
        }
        line
    }
}

/// The text, shortened in its middle if it is long.
pub(crate) fn shortened(text: &str) -> String {
    const KEPT: usize = 600;
    let count = text.chars().count();
    if count <= 2 * KEPT {
        return text.to_owned();
    }
    let head: String = text.chars().take(KEPT).collect();
    let tail: String = text.chars().skip(count - KEPT).collect();
    format!("{head}… {} characters …{tail}", count - 2 * KEPT)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
