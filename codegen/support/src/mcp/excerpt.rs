//! As much of an answer as a model can take: whole rows of its list, up to a number of characters.

use crate::chunks::{Chunks, ResponseBody, Waiting};
use crate::failure::Failure;
use bytes::Bytes;

/// The characters after which a list is cut. Clients move longer results to a file, or cut them anywhere.
const CHARACTERS: usize = 40_000;

/// The member that holds a list that is no object's member: what a tool returns is an object.
const DATA: &str = "data";

/// An answer as a JSON object, all of it or whole rows.
pub(super) struct Excerpt {
    pub(super) json: Bytes,
    pub(super) cut: Option<Cut>,
}

/// What was cut.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The member that holds the list.
    pub(super) list: String,
    /// How many of its rows are shown.
    pub(super) rows: i64,
}

/// The excerpt of an answer, as an object: a list is its member `data`, and an answer without a body is empty.
pub(super) async fn from_body(body: Chunks) -> Result<Excerpt, Failure> {
    let excerpt = of_body(body).await?;
    let json = match excerpt.json.first() {
        Some(b'{') => return Ok(excerpt),
        Some(_) => [format!(r#"{{"{DATA}":"#).as_bytes(), &excerpt.json, b"}"]
            .concat()
            .into(),
        None => Bytes::from_static(b"{}"),
    };
    Ok(Excerpt { json, ..excerpt })
}

/// The excerpt of the body as it is. What is cut is not read.
async fn of_body(body: Chunks) -> Result<Excerpt, Failure> {
    let waiting = match body.into_body(None) {
        ResponseBody::Whole(json) if json.len() <= CHARACTERS => return Ok(Excerpt { json, cut: None }),
        ResponseBody::Whole(json) => [Waiting::Ready(json)].into(),
        ResponseBody::Stream { waiting, .. } => waiting,
    };
    let mut scanner = Scanner::default();
    for part in waiting {
        let mut read = match part {
            Waiting::Ready(json) => {
                scanner.take(&json);
                continue;
            }
            Waiting::More(read) => read,
        };
        while !scanner.is_skipping {
            let done = tokio::task::spawn_blocking(move || (read(), read)).await;
            let (json, again) = done.map_err(|_| Failure::Internal)?;
            read = again;
            match json? {
                Some(json) => scanner.take(&json),
                None => break,
            }
        }
    }
    let Scanner { out, cut, .. } = scanner;
    Ok(Excerpt { json: out.into(), cut })
}

/// Copies compact JSON, and leaves rows of an outermost list out once there are too many characters. The first row
/// always stays.
#[derive(Default)]
struct Scanner {
    out: Vec<u8>,
    characters: usize,
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    list: Option<List>,
    is_skipping: bool,
    cut: Option<Cut>,
}

/// The outermost list that is open.
struct List {
    depth: usize,
    /// Where it begins in the output.
    start: usize,
    /// The complete rows, and where they end in the output.
    rows: i64,
    rows_end: usize,
}

impl Scanner {
    fn take(&mut self, json: &[u8]) {
        for byte in json {
            self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) {
        if self.in_text {
            self.in_text = byte != b'"' || self.is_escaped;
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return self.keep(byte);
        }
        match byte {
            b'"' => self.in_text = true,
            b'[' | b'{' => {
                self.depth += 1;
                if byte == b'[' && self.list.is_none() {
                    let (depth, start) = (self.depth, self.out.len());
                    self.list = Some(List {
                        depth,
                        start,
                        rows: 0,
                        rows_end: 0,
                    });
                }
            }
            b',' if self.is_of_list() => self.end_row(false),
            b']' | b'}' => {
                if byte == b']' && self.is_of_list() {
                    self.end_row(true);
                    self.list = None;
                    self.is_skipping = false;
                }
                self.depth -= 1;
            }
            _ => {}
        }
        self.keep(byte);
    }

    fn is_of_list(&self) -> bool {
        self.list.as_ref().is_some_and(|list| list.depth == self.depth)
    }

    /// A row is complete. One that ends too far away is left out, except the first.
    fn end_row(&mut self, is_last: bool) {
        let Some(list) = &mut self.list else { return };
        if self.is_skipping {
            return;
        }
        if self.characters <= CHARACTERS {
            list.rows += 1;
            list.rows_end = self.out.len();
            return;
        }
        if list.rows > 0 {
            self.out.truncate(list.rows_end);
        } else if is_last {
            return;
        }
        self.is_skipping = true;
        self.cut.get_or_insert(Cut {
            list: member(&self.out[..list.start]),
            rows: list.rows.max(1),
        });
    }

    fn keep(&mut self, byte: u8) {
        if !self.is_skipping {
            self.out.push(byte);
            self.characters += usize::from(byte & 0xC0 != 0x80);
        }
    }
}

/// The name of the member whose value follows: `a` of `{"a":`.
fn member(before: &[u8]) -> String {
    let before = String::from_utf8_lossy(before);
    let name = before.trim_end_matches(['"', ':']).rsplit('"').next();
    name.filter(|name| !name.is_empty()).unwrap_or(DATA).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list whose rows have these lengths, and what is left of it.
    #[track_caller]
    fn check(rows: &[usize], shown: usize, is_cut: bool) {
        let list = |rows: &[usize]| {
            let rows: Vec<String> = rows
                .iter()
                .map(|length| format!(r#"{{"a":["]\\",{}]}}"#, "1".repeat(*length)))
                .collect();
            format!(r#"{{"ok":[],"data":[{}],"total":9}}"#, rows.join(","))
        };
        let mut scanner = Scanner::default();
        scanner.take(list(rows).as_bytes());
        assert_eq!(String::from_utf8(scanner.out).expect("text"), list(&rows[..shown]));
        let cut = is_cut.then(|| Cut {
            list: "data".to_owned(),
            rows: shown as i64,
        });
        assert_eq!(scanner.cut, cut);
    }

    #[tokio::test]
    async fn a_list_and_nothing_become_objects() {
        for (body, json) in [("", "{}"), ("[]", r#"{"data":[]}"#), (r#"{"a":[]}"#, r#"{"a":[]}"#)] {
            let excerpt = from_body(Chunks::from(body.as_bytes().to_vec()))
                .await
                .expect("it is read");
            assert_eq!((&*excerpt.json, excerpt.cut), (json.as_bytes(), None));
        }
    }

    #[tokio::test]
    async fn a_long_list_is_cut_after_a_row() {
        let row = format!("\"{}\"", "r".repeat(30_000));
        let body = format!("[{row},{row}]");
        let excerpt = from_body(Chunks::from(body.into_bytes())).await.expect("it is read");
        assert_eq!(excerpt.json, format!(r#"{{"data":[{row}]}}"#));
        let cut = Cut {
            list: DATA.to_owned(),
            rows: 1,
        };
        assert_eq!(excerpt.cut, Some(cut));
    }

    #[test]
    fn whole_rows_stay_and_the_first_one_always() {
        check(&[], 0, false);
        check(&[10, 10], 2, false);
        check(&[30_000, 9_000, 30_000, 10], 2, true);
        check(&[30_000, 30_000], 1, true);
        check(&[30_000, 9_900, 200], 2, true);
        check(&[50_000], 1, false);
        check(&[50_000, 10, 10], 1, true);
        check(&[10, 50_000], 1, true);
    }
}
