//! The message of a failing test, for readers who do not know the suite: the request, the tried rule of the contract, and the
//! actual answer.

use crate::contract::Operation;
use crate::suite::TestedRule;
use crate::world::{Request, Response, shortened};
use std::fmt::{self, Display, Formatter};

/// The message of a failing test.
pub(crate) struct Failure<'a> {
    /// The operation: its method, path, name and place.
    pub(crate) operation: [&'a str; 4],
    pub(crate) tried: Option<TestedRule>,
    pub(crate) request: &'a Request,
    pub(crate) response: &'a Response,
    pub(crate) wanted: &'a str,
    pub(crate) because: &'a str,
}

impl Operation {
    /// The words that a message names it by.
    pub(crate) fn called(&self) -> [&'static str; 4] {
        [&self.declared.method, self.path, self.name, self.at]
    }
}

impl Display for Failure<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let [method, path, name, at] = self.operation;
        let Response { status, headers, body } = self.response;
        writeln!(out, "{method} {path} does not keep to the contract.")?;
        writeln!(out, "    operation: {name} ({at})")?;
        if let Some(TestedRule { rule, at }) = self.tried {
            writeln!(out, "    rule:      {rule} ({at})")?;
        }
        writeln!(out, "    request:   {}", self.request.curl())?;
        if let Some(peer) = self.request.peer {
            writeln!(out, "               from an address of its own, {peer}")?;
        }
        writeln!(out, "    came:      {status}")?;
        for (name, value) in headers {
            writeln!(out, "               {name}: {value}")?;
        }
        writeln!(out, "               {}", shortened(&String::from_utf8_lossy(body)))?;
        writeln!(out, "    wanted:    {}", self.wanted)?;
        write!(out, "    but:       {}", self.because)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn failure(peer: Option<IpAddr>, tried: Option<TestedRule>) -> String {
        let headers = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let request = Request {
            method: "POST".to_owned(),
            target: "/shelves/7/books".to_owned(),
            headers: vec![
                headers("Library-Card", "card_1"),
                headers("Content-Type", "application/json"),
            ],
            body: Some(br#"{"title":"It's a title"}"#.to_vec()),
            peer,
        };
        let response = Response {
            status: 201,
            headers: vec![headers("content-type", "application/json")],
            body: br#"{"ok":true}"#.to_vec(),
        };
        Failure {
            operation: [
                "POST",
                "/shelves/:id/books",
                "reading::create_book",
                "library.yaml:120:7",
            ],
            tried,
            request: &request,
            response: &response,
            wanted: "400 invalid (library.yaml:19:3): {faults}",
            because: "the status is 201",
        }
        .to_string()
    }

    #[test]
    fn a_failure_names_operation_rule_request_and_answer() {
        let tried = TestedRule {
            rule: "member `title` (types.title): at most 10 characters",
            at: "library.yaml:40:3",
        };
        let message = r#"POST /shelves/:id/books does not keep to the contract.
    operation: reading::create_book (library.yaml:120:7)
    rule:      member `title` (types.title): at most 10 characters (library.yaml:40:3)
    request:   curl -i -X POST "$BASE"'/shelves/7/books' -H 'Library-Card: card_1' -H 'Content-Type: application/json' --data-binary '{"title":"It'\''s a title"}'
    came:      201
               content-type: application/json
               {"ok":true}
    wanted:    400 invalid (library.yaml:19:3): {faults}
    but:       the status is 201"#;
        assert_eq!(failure(None, Some(tried)), message);
    }

    #[test]
    fn unknown_parts_are_left_out_and_an_address_is_named() {
        let message = failure(Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))), None);
        assert!(!message.contains("rule:"), "{message}");
        assert!(
            message.contains("\n               from an address of its own, 192.0.2.1\n"),
            "{message}"
        );
    }
}
