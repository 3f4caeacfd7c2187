//! Which lines go into one request, and which of them an error names. A request is entered as a whole or not at
//! all, so one invalid line blocks the other lines of its batch. The error text names the invalid lines; the others are
//! sent again without them.

use std::collections::BTreeMap;
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
    pub(super) fn from_lines(lines: Lines<R>) -> Self {
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

/// The errors of a rejected batch of `length` lines, by the index of the line. A sentence of the text that names no line
/// belongs to the one before it. If the text leaves errors out, those of its last line may be missing, so that line is left
/// out too, unless it is the only one.
pub(super) fn errors_by_line(error: &str, length: usize) -> BTreeMap<usize, String> {
    let mut errors: BTreeMap<usize, String> = BTreeMap::new();
    let mut last = None;
    for sentence in error.split("; ") {
        match (of_line(sentence).filter(|(index, _)| *index < length), last) {
            (Some((index, text)), _) => {
                last = Some(index);
                let error = errors.entry(index).or_default();
                *error += if error.is_empty() { "" } else { "; " };
                *error += &text;
            }
            (None, Some(index)) if is_of_more(sentence) && errors.len() > 1 => drop(errors.remove(&index)),
            (None, Some(index)) if !is_of_more(sentence) => {
                *errors.entry(index).or_default() += &format!("; {sentence}");
            }
            _ => {}
        }
    }
    errors
}

/// Whether a sentence says that others are left out: `and 3 more`.
fn is_of_more(sentence: &str) -> bool {
    let count = sentence
        .strip_prefix("and ")
        .and_then(|rest| rest.strip_suffix(" more"));
    count.is_some_and(|count| count.parse::<u64>().is_ok())
}

/// The index of the line that a sentence names, and the sentence without it.
fn of_line(sentence: &str) -> Option<(usize, String)> {
    let rest = sentence.strip_prefix(&format!("`{MEMBER}["))?;
    let (index, rest) = rest.split_once(']')?;
    let text = match rest.strip_prefix('.') {
        Some(member) => format!("`{member}"),
        None => format!("the line{}", rest.strip_prefix('`')?),
    };
    Some((index.parse().ok()?, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(error: &str, expected: &[(usize, &str)]) {
        let errors = errors_by_line(error, 4);
        let found: Vec<_> = errors.iter().map(|(index, error)| (*index, error.as_str())).collect();
        assert_eq!(found, expected, "{error}");
    }

    #[test]
    fn each_line_gets_its_sentences_without_its_position() {
        check(
            "`humans[3].name` must be a string; `humans[0]` must be an object; `humans[3].nmae` is not known here, did you \
             mean `name`?",
            &[
                (0, "the line must be an object"),
                (
                    3,
                    "`name` must be a string; `nmae` is not known here, did you mean `name`?",
                ),
            ],
        );
        check("`humans[1].a` no; `humans[2].a` no; and 3 more", &[(1, "`a` no")]);
        check(
            "`humans[1].a` no; `humans[1].b` no; and 3 more",
            &[(1, "`a` no; `b` no")],
        );
        check("`humans[1].a; b` is not known here", &[(1, "`a; b` is not known here")]);
    }

    #[test]
    fn an_error_that_names_no_line_of_the_batch_is_of_none() {
        for error in [
            "no",
            "`humans` must have 1 to 3 items",
            "`humans[9]` no",
            "`humans[x]` no",
            "`humans[",
        ] {
            check(error, &[]);
        }
    }

    #[track_caller]
    fn batches(file: &str, most: usize, expected: &[&[u64]]) {
        let mut batches = Batches::from_lines(Lines::from_input(file.as_bytes()));
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
