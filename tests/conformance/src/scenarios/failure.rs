//! The failure of a scenario, for readers who do not know it: the step, the request, and the actual answer.

use crate::exchange::{Request, Response, shortened};
use std::fmt::{self, Display, Formatter};

/// The failure of a scenario. It is displayed as a message of several lines.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The kind of the difference, without ids and values: failures with the same cause are one group.
    pub cause: String,
    /// `step 2 of the scenario …`
    pub step: String,
    /// The operation: its method and path, its name, and its position in the contract.
    pub operation: [String; 3],
    /// The request.
    pub request: Request,
    /// The answer to it.
    pub response: Response,
    /// What the step demands.
    pub wanted: String,
    /// The difference between both.
    pub because: String,
}

impl Display for Failure {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let [route, name, at] = &self.operation;
        writeln!(out, "{route} is not answered as {} says.", self.step)?;
        writeln!(out, "    operation: {name} ({at})")?;
        writeln!(out, "    request:   {}", self.request.curl())?;
        let Response { status, headers, body } = &self.response;
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
    use super::generalized;

    #[test]
    fn causes_are_equal_for_different_records() {
        let cause = generalized(r#"`title` of row 17 as "a \"b\" {" (a.yaml:1:2), not {"a":[1,2]} but [3]"#);
        assert_eq!(cause, "`title` of row … as … …, not … but …");
        assert_eq!(generalized("404 nothing: of 17 in UTF-8"), "404 nothing: of … in UTF-8");
    }
}
