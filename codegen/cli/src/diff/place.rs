//! The place of a change in a contract, and the lines there.

use super::Contract;
use codegen::span::Span;
use codegen::yaml::{Node, Value};
use std::ops::Range;

/// Maximum number of quoted characters of a line. A very long line is not readable as a whole.
const LONGEST: usize = 300;

/// The place of a changed element in one of the contracts.
pub(super) struct SourceLocation {
    /// The path in the change.
    pub(super) path: String,
    /// The highlighted span: the element itself, or the node around it.
    pub(super) at: Span,
    /// Whether the contract states the element; otherwise it is derived.
    pub(super) is_stated: bool,
    /// The bytes of the element, or of the node around it if that is one line; `None` if that has more lines.
    range: Option<Range<usize>>,
}

/// The changed part of the element at a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Name,
    Value,
}

impl SourceLocation {
    /// The place of a path. If the element was added, removed or renamed, its name is highlighted and not its value.
    pub(super) fn from_path(path: &str, contract: &Contract, what: What) -> Self {
        let (node, is_found) = contract.tree.nearest(path);
        // A path may lead into an expression such as `title?`, which is one node.
        let is_stated = is_found || !matches!(node.form, Value::List(_) | Value::Map(_));
        let key = match what {
            What::Name => contract.tree.key(path),
            What::Value => None,
        };
        SourceLocation {
            path: path.to_owned(),
            at: key.map_or(node.head, |key| key.at),
            is_stated,
            range: range(node, &contract.input.text, is_stated),
        }
    }

    /// The place around a path that the contract does not have, for example a list without one of its items.
    pub(super) fn around(path: &str, contract: &Contract) -> Option<Self> {
        let (_, is_found) = contract.tree.nearest(path);
        (!is_found).then(|| SourceLocation::from_path(path, contract, What::Value))
    }

    /// The line of the place without its indent, shortened if it is very long.
    pub(super) fn line(&self, contract: &Contract) -> String {
        let source = &contract.input.text;
        let start = line_start(source, self.at.start);
        shortened(&source[start..line_end(source, start)], self.at.start - start)
            .trim()
            .to_owned()
    }

    /// The lines of the place without their common indent: all, or at most `most` and `…`. Empty if no line shows the
    /// element.
    pub(super) fn lines(&self, contract: &Contract, most: usize) -> Vec<String> {
        let Some(range) = &self.range else {
            return Vec::new();
        };
        let source = &contract.input.text;
        let start = line_start(source, range.start);
        let text = &source[start..line_end(source, range.end)];
        let depth = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let filled_lines = || text.lines().filter(|line| !line.trim().is_empty());
        let least = filled_lines().map(depth).min().unwrap_or_default();
        let first = filled_lines().take(most).enumerate();
        let mut lines: Vec<String> = first
            .map(|(number, line)| {
                let byte = if number == 0 { range.start - start - least } else { 0 };
                shortened(&line[least..], byte)
            })
            .collect();
        if filled_lines().nth(most).is_some() {
            lines.push("…".to_owned());
        }
        lines
    }
}

/// The bytes of a node with its key, if they show the element.
fn range(node: &Node, source: &str, is_stated: bool) -> Option<Range<usize>> {
    let is_line = node.head == node.at && !source[node.at.start..node.at.end].contains('\n');
    let whole = node.head.start.min(node.at.start)..node.head.end.max(node.at.end);
    (is_stated || is_line).then_some(whole)
}

fn line_start(source: &str, byte: usize) -> usize {
    source[..byte].rfind('\n').map_or(0, |end| end + 1)
}

fn line_end(source: &str, byte: usize) -> usize {
    source[byte..].find('\n').map_or(source.len(), |length| byte + length)
}

/// The line; of a very long line the part around a byte.
fn shortened(line: &str, byte: usize) -> String {
    if line.chars().nth(LONGEST).is_none() {
        return line.trim_end().to_owned();
    }
    let before = line[..byte].chars().count().saturating_sub(LONGEST / 2);
    let part: String = line.chars().skip(before).take(LONGEST).collect();
    let opening = if before > 0 { "…" } else { "" };
    format!("{opening}{part}…")
}
