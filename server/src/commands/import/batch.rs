//! Which lines go into one request, and how a rejected request is split. A request is entered as a whole or not at
//! all, so one invalid line blocks the other lines of its batch. The error text names most invalid lines, but only as
//! a hint where to split: a line is rejected only when it was sent alone.

use std::collections::BTreeSet;
use std::io::{self, BufRead};

use super::lines::{Line, Lines};

/// The maximum lines of a batch.
pub(super) const MOST_LINES: usize = 512;

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
    held: Option<Line>,
}

impl<R: BufRead> Batches<R> {
    pub(super) fn of(lines: Lines<R>) -> Self {
        Batches { lines, held: None }
    }

    /// The next line that cannot be sent, or up to `most` lines that can.
    pub(super) fn next(&mut self, most: usize) -> io::Result<Option<Next>> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < most {
            let line = match self.held.take() {
                Some(line) => line,
                None => match self.lines.next()? {
                    Some(line) => line,
                    None => break,
                },
            };
            match &line.text {
                Err(why) if batch.is_empty() => {
                    let why = why.clone();
                    return Ok(Some(Next::Bad(line, why)));
                }
                Ok(text) if batch.is_empty() || bytes + text.len() < MOST_BYTES => {
                    bytes += text.len() + 1;
                    batch.push(line);
                }
                _ => {
                    self.held = Some(line);
                    break;
                }
            }
        }
        Ok((!batch.is_empty()).then_some(Next::Batch(batch)))
    }
}

/// The request's body for these lines.
pub(super) fn body(batch: &[Line]) -> Vec<u8> {
    let texts: Vec<&str> = batch.iter().map(Line::json).collect();
    format!("{{\"{MEMBER}\":[{}]}}", texts.join(",")).into_bytes()
}

/// Splits a batch of `length` lines that was rejected with `error` into parts to send one after the other, as lengths.
/// Each line that the error names is a part of its own.
pub(super) fn cut(length: usize, error: &str) -> Vec<usize> {
    let named: BTreeSet<usize> = named(error).filter(|index| *index < length).collect();
    if named.is_empty() || named.len() == length && length == 1 {
        return vec![length.div_ceil(2), length / 2];
    }
    let (mut parts, mut from) = (Vec::new(), 0);
    for index in named {
        parts.extend([index - from, 1]);
        from = index + 1;
    }
    parts.push(length - from);
    parts.retain(|part| *part > 0);
    parts
}

/// The indices of all workers that `error` names.
fn named(error: &str) -> impl Iterator<Item = usize> + '_ {
    let opening = format!("`{MEMBER}[");
    let after: Vec<&str> = error.split(opening.as_str()).skip(1).collect();
    after
        .into_iter()
        .filter_map(|rest| rest.split(']').next()?.parse().ok())
}

/// The error text for a line that was sent alone, without its index in the request.
pub(super) fn of_one_line(error: &str) -> String {
    error
        .replace(&format!("`{MEMBER}[0]."), "`")
        .replace(&format!("`{MEMBER}[0]`"), "the line")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_batch_is_split_at_the_named_lines() {
        let of_two =
            "`humans[3].name` must be a string; `humans[3].nmae` is not known here; `humans[0]` must be an object";
        assert_eq!(cut(10, of_two), [1, 2, 1, 6]);
        assert_eq!(cut(4, of_two), [1, 2, 1]);
        assert_eq!(cut(2, "`humans[0]` x; `humans[1]` y"), [1, 1]);
    }

    #[test]
    fn one_that_names_no_line_of_it_is_halved() {
        for error in [
            "no",
            "`humans` must have 1 to 3 items",
            "`humans[9]` no",
            "`humans[x]`",
            "`humans[",
        ] {
            assert_eq!(cut(5, error), [3, 2], "{error}");
        }
    }

    #[test]
    fn the_error_of_one_line_names_no_position_in_a_request() {
        assert_eq!(
            of_one_line("`humans[0].hourly_rate` must be from 0; `humans[0]` must be an object"),
            "`hourly_rate` must be from 0; the line must be an object"
        );
    }

    #[track_caller]
    fn batches(file: &str, most: usize, expected: &[&[u64]]) {
        let mut batches = Batches::of(Lines::of(file.as_bytes()));
        let mut found: Vec<Vec<u64>> = Vec::new();
        while let Some(next) = batches.next(most).expect("readable") {
            found.push(match next {
                Next::Batch(batch) => batch.iter().map(|line| line.number).collect(),
                Next::Bad(line, _) => vec![line.number],
            });
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn a_batch_ends_where_it_is_full_and_before_a_bad_line() {
        batches("{}\n{}\n{}\n", 2, &[&[1, 2], &[3]]);
        batches("{}\n{}\n\n{\n{}\n[\n", 9, &[&[1, 2], &[4], &[5], &[6]]);
        let half = format!("\"{}\"\n", "x".repeat(MOST_BYTES / 2));
        batches(&half.repeat(3), 9, &[&[1], &[2], &[3]]);
        batches("", 9, &[]);
    }
}
