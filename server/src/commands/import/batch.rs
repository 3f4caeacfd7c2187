//! Which lines go into one request. A request is entered as a whole or not at all, so a line that is probably invalid is
//! sent alone, where it blocks no other.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use contract::operator::import_humans;
use contract::support::ValidationErrors;

use super::lines::{Line, Lines};

/// The maximum lines of a batch.
const MOST_LINES: usize = 512;

/// The maximum bytes of a batch.
const MOST_BYTES: usize = 1 << 20;

/// The member of the request that holds the workers.
const MEMBER: &str = "humans";

/// The next item of the input.
pub(super) enum Next {
    /// Workers to send.
    Batch(Vec<Line>),
    /// A line that cannot be sent, with the reason.
    Bad(Line, String),
}

/// Splits lines into batches.
pub(super) struct Batches<R> {
    pub(super) lines: Lines<R>,
    /// Lines that were read and are not settled, in order.
    held: VecDeque<Line>,
    /// The maximum lines of the next batch. Small at first: a proxy may accept short bodies only.
    most: usize,
}

impl<R: BufRead> Batches<R> {
    pub(super) fn from_lines(lines: Lines<R>) -> Self {
        Batches {
            lines,
            held: VecDeque::new(),
            most: 1,
        }
    }

    /// The next line that cannot be sent, or as many lines as one request takes.
    pub(super) fn next(&mut self) -> io::Result<Option<Next>> {
        let Some(first) = self.next_line()? else {
            return Ok(None);
        };
        if let Err(why) = &first.text {
            let why = why.clone();
            return Ok(Some(Next::Bad(first, why)));
        }
        let is_alone = validate(&first).is_err();
        let (mut bytes, mut batch) = (first.json().len(), vec![first]);
        while !is_alone && batch.len() < self.most {
            let Some(line) = self.next_line()? else { break };
            bytes += line.json().len() + 1;
            if bytes > MOST_BYTES || validate(&line).is_err() {
                self.held.push_front(line);
                break;
            }
            batch.push(line);
        }
        Ok(Some(Next::Batch(batch)))
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        match self.held.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.lines.next(),
        }
    }

    /// Makes batches longer, after one was entered.
    pub(super) fn grow(&mut self) {
        self.most = (self.most * 2).min(MOST_LINES);
    }

    /// Takes back the lines of a rejected batch, of two or more, to be sent in shorter ones.
    pub(super) fn put_back(&mut self, batch: Vec<Line>) {
        self.most = batch.len() / 2;
        for line in batch.into_iter().rev() {
            self.held.push_front(line);
        }
    }
}

/// The request's body for these lines.
pub(super) fn body(batch: &[Line]) -> Vec<u8> {
    let texts: Vec<&str> = batch.iter().map(Line::json).collect();
    format!("{{\"{MEMBER}\":[{}]}}", texts.join(",")).into_bytes()
}

/// The error of the only line of a request, without its position: `humans[0].name` becomes `name`.
pub(super) fn error_of_line(error: &str) -> String {
    error
        .replace(&format!("`{MEMBER}[0]."), "`")
        .replace(&format!("`{MEMBER}[0]`"), "the line")
}

/// Checks a line with this program's decoder. The server has the last word: it may be of another version.
pub(super) fn validate(line: &Line) -> Result<(), String> {
    line.text.as_ref().map_err(String::clone)?;
    let mut errors = ValidationErrors::new();
    let body = serde_json::from_slice(&body(std::slice::from_ref(line))).map_err(|error| error.to_string())?;
    import_humans::Body::decode(body, &mut errors);
    match errors.is_empty() {
        true => Ok(()),
        false => Err(error_of_line(&errors.text())),
    }
}

#[cfg(test)]
mod tests {
    use test_support::people::worker;

    use super::*;

    #[test]
    fn the_error_of_a_line_does_not_name_its_position() {
        let error = "`humans[0].name` must be a string; `humans[0]` must be an object; `humans[0].humans[0].x` is not known here";
        let expected = "`name` must be a string; the line must be an object; `humans[0].x` is not known here";
        assert_eq!(error_of_line(error), expected);
    }

    #[track_caller]
    fn check(file: &str, most: usize, expected: &[&[u64]]) {
        let mut batches = Batches::from_lines(Lines::from_input(file.as_bytes()));
        batches.most = most;
        let mut found: Vec<Vec<u64>> = Vec::new();
        while let Some(next) = batches.next().expect("readable") {
            found.push(match next {
                Next::Batch(batch) => batch.iter().map(|line| line.number).collect(),
                Next::Bad(line, _) => vec![line.number],
            });
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn a_batch_ends_where_it_is_full_and_an_invalid_line_is_alone() {
        let good = worker().to_string();
        check(&format!("{good}\n{good}\n{good}\n"), 2, &[&[1, 2], &[3]]);
        check(
            &format!("{good}\n{good}\n\n{{\n{good}\n[\n"),
            9,
            &[&[1, 2], &[4], &[5], &[6]],
        );
        check(
            &format!("{{}}\n{good}\n{{}}\n{{}}\n{good}\n{good}"),
            9,
            &[&[1], &[2], &[3], &[4], &[5, 6]],
        );
        let half = format!("{{{}{}\n", " ".repeat(MOST_BYTES / 2), &good[1..]);
        check(&half.repeat(3), 9, &[&[1], &[2], &[3]]);
        check("", 9, &[]);
    }
}
