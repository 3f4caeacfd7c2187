//! The failure of a test, for readers who do not know the suite: the request, the tried rule of the contract, and the
//! actual answer.

use crate::answer::Answer;
use crate::contract::Operation;
use crate::level::Level;
use crate::masks::{Masks, presented};
use crate::suite::{TestedRule, end_test};
use crate::world::{Request, Response, shortened};
use std::fmt::{self, Display, Formatter};

/// The failure of a test. It is displayed as a message of several lines.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// The lowest level at which this is a failure.
    pub level: Level,
    /// The kind of the difference, without ids and values: failures with the same cause are one group.
    pub cause: String,
    /// The operation: its method, path, name and position; empty for a failure without a request.
    pub operation: [&'static str; 4],
    /// The rule of the contract that was tried, and its position.
    pub tried: Option<TestedRule>,
    /// The request; none if the test failed before it sent one.
    pub request: Option<Request>,
    /// The answer to it.
    pub response: Option<Response>,
    /// What the contract demands, with the position.
    pub wanted: String,
    /// The difference between both.
    pub because: String,
}

impl Operation {
    /// The words that a message names it by.
    pub(crate) fn called(&self) -> [&'static str; 4] {
        [&self.declared.method, self.path, self.name, self.at]
    }
}

impl Failure {
    /// The failure of a test that panicked with this text.
    pub(crate) fn of_panic(text: String) -> Self {
        Self {
            level: Level::Shape,
            cause: generalized(text.lines().next().unwrap_or_default()),
            because: text,
            ..Self::default()
        }
    }

    /// The request as a line for a shell.
    pub fn curl(&self) -> Option<String> {
        self.request.as_ref().map(Request::curl)
    }
}

impl Display for Failure {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (Some(request), Some(Response { status, headers, body })) = (&self.request, &self.response) else {
            return out.write_str(&self.because);
        };
        let [method, path, name, at] = self.operation;
        writeln!(out, "{method} {path} does not keep to the contract.")?;
        writeln!(out, "    operation: {name} ({at})")?;
        if let Some(TestedRule { rule, at }) = self.tried {
            writeln!(out, "    rule:      {rule} ({at})")?;
        }
        writeln!(out, "    request:   {}", request.curl())?;
        if let Some(peer) = request.peer {
            writeln!(out, "               from an address of its own, {peer}")?;
        }
        writeln!(out, "    came:      {status}")?;
        for (name, value) in headers {
            writeln!(out, "               {name}: {value}")?;
        }
        if !body.is_empty() {
            writeln!(out, "               {}", shortened(&String::from_utf8_lossy(body)))?;
        }
        writeln!(out, "    wanted:    {}", self.wanted)?;
        write!(out, "    but:       {}", self.because)
    }
}

impl Answer {
    /// Ends the test: the answer is not as `wanted`. The cause follows from both texts.
    #[track_caller]
    pub(crate) fn fail(&self, wanted: &str, why: &str) -> ! {
        let (wanted_in_short, _) = wanted.split_once(", as declared at ").unwrap_or((wanted, ""));
        let presented = presented(self.operation.contract.model, &self.request).map(ToOwned::to_owned);
        let masks = Masks::new(self.operation.contract.model, presented);
        let [wanted_in_short, hidden_why] = [wanted_in_short, why].map(|text| generalized(&masks.hide(text)));
        let cause = format!("{wanted_in_short}: {hidden_why}");
        self.fail_by(Level::Values, cause, wanted, why)
    }

    /// Ends the test, by this cause. It is a failure from this level on.
    #[track_caller]
    pub(crate) fn fail_by(&self, level: Level, cause: String, wanted: &str, why: &str) -> ! {
        end_test(Failure {
            level,
            cause,
            operation: self.operation.called(),
            tried: self.tried,
            request: Some(self.request.clone()),
            response: Some(self.response.clone()),
            wanted: wanted.to_owned(),
            because: why.to_owned(),
        })
    }

    #[track_caller]
    pub(crate) fn fail_status(&self, expected: &str, wanted: &str) -> ! {
        let status = self.response.status;
        let is_success = |status: u16| (200..300).contains(&status);
        let wants_success = expected.parse().is_ok_and(is_success);
        let expected = if wants_success { "a success" } else { expected };
        // What is wrongly accepted, or rejected as invalid, has the rule as its cause; everything else has one cause.
        let cause = match self.tried {
            Some(tried) if is_success(status) && !wants_success => {
                format!("accepted in place of {expected}: {}", tried.requirement())
            }
            Some(tried) if status == 400 && wants_success => {
                format!("rejected with 400 in place of {expected}: {}", tried.requirement())
            }
            _ => format!("status {status} in place of {expected}"),
        };
        self.fail_by(Level::Shape, cause, wanted, &format!("the status is {status}"))
    }

    /// Ends the test: this part, such as a header, is missing or not as declared.
    #[track_caller]
    pub(crate) fn fail_part(&self, part: &str, came: Option<impl Display>, wanted: &str, not: &str) -> ! {
        let (cause, level) = match came {
            None if part.starts_with("member") => (format!("{part} missing"), Level::Shape),
            None => (format!("{part} missing"), Level::Values),
            Some(_) => (format!("{part} has another value"), Level::Values),
        };
        self.fail_by(level, cause, wanted, &format!("the {part} {}{not}", is(came)))
    }
}

/// Describes a value that may be missing.
pub(crate) fn is(value: Option<impl Display>) -> String {
    value.map_or("is missing".to_owned(), |value| format!("is {value}"))
}

/// The text without its numbers, quoted values, lists and positions, so that texts about different records are equal.
pub(crate) fn generalized(text: &str) -> String {
    const LONGEST: usize = 160;
    let mut general = String::new();
    // A status at the start says what was wanted; digits within a name are part of it.
    let start = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let start = if start == 3 { start } else { 0 };
    general.push_str(&text[..start]);
    let mut rest = text[start..].chars().peekable();
    while let Some(next) = rest.next() {
        let end = match next {
            '"' => '"',
            '[' => ']',
            '{' => '}',
            '(' => ')',
            next if next.is_ascii_digit() && !is_within_a_name(&general) => {
                while rest
                    .next_if(|next| next.is_ascii_digit() || matches!(next, '.' | '-'))
                    .is_some()
                {}
                general.push('…');
                continue;
            }
            next => {
                general.push(next);
                continue;
            }
        };
        let mut depth = 1;
        while depth > 0
            && let Some(inner) = rest.next()
        {
            match inner {
                '\\' => _ = rest.next(),
                inner if inner == end => depth -= 1,
                inner if inner == next => depth += 1,
                _ => {}
            }
        }
        general.push('…');
    }
    general.chars().take(LONGEST).collect::<String>().trim().to_owned()
}

/// Whether a digit behind this text belongs to a name, as in `UTF-8` and `sha256`.
fn is_within_a_name(text: &str) -> bool {
    let last = text.strip_suffix('-').unwrap_or(text).chars().last();
    last.is_some_and(|last| last.is_alphanumeric() || last == '_')
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
            level: Level::Shape,
            cause: String::new(),
            operation: [
                "POST",
                "/shelves/:id/books",
                "reading::create_book",
                "library.yaml:120:7",
            ],
            tried,
            request: Some(request),
            response: Some(response),
            wanted: "400 invalid (library.yaml:19:3): {faults}".to_owned(),
            because: "the status is 201".to_owned(),
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

    #[test]
    fn causes_are_equal_for_different_records() {
        let cause = generalized(r#"`title` of row 17 as "a \"b\" {" (a.yaml:1:2), not {"a":[1,2]} but [3]"#);
        assert_eq!(cause, "`title` of row … as … …, not … but …");
        assert_eq!(generalized("404 nothing: of 17 in UTF-8"), "404 nothing: of … in UTF-8");
    }
}
