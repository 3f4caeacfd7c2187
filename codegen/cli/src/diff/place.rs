//! Where a change stands in a contract, and the lines that stand there.

use super::Contract;
use codegen::spec::Span;
use codegen::yaml::{Node, Value};
use std::ops::Range;

/// Most characters of a line that are quoted: a file of one line is no text.
const LONGEST: usize = 300;

/// Where something that has changed stands in one of the contracts.
pub(super) struct SourceLocation {
    /// The path that the change names.
    pub(super) path: String,
    /// What to point at: the thing itself, or what it would stand in.
    pub(super) at: Span,
    /// Whether the contract states the thing; else it has its meaning from elsewhere.
    pub(super) is_stated: bool,
    /// The bytes that tell of the thing: its own, or what it would stand in where that is a line; none where it is more.
    range: Option<Range<usize>>,
}

/// What has changed at a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Name,
    Value,
}

impl SourceLocation {
    /// The place of a path. Of what is new, gone or called otherwise the name is pointed at, and not what it holds.
    pub(super) fn of(path: &str, contract: &Contract, what: What) -> Self {
        let (node, is_found) = contract.tree.nearest(path);
        // A path may lead into an expression such as `title?`, which is no node of its own.
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

    /// What stands around a path that the contract does not have, where that is a line: a list without one of its items.
    pub(super) fn around(path: &str, contract: &Contract) -> Option<Self> {
        let (_, is_found) = contract.tree.nearest(path);
        (!is_found).then(|| SourceLocation::of(path, contract, What::Value))
    }

    /// The line of the place without what indents it, shortened where it is very long.
    pub(super) fn line(&self, contract: &Contract) -> String {
        let source = &contract.input.text;
        let start = line_start(source, self.at.start);
        shortened(&source[start..line_end(source, start)], self.at.start - start)
            .trim()
            .to_owned()
    }

    /// The lines of what stands there, moved to the left as one: all, or at most so many, and `…`. None where nothing of
    /// the thing can be seen.
    pub(super) fn lines(&self, contract: &Contract, most: usize) -> Vec<String> {
        let Some(range) = &self.range else {
            return Vec::new();
        };
        let source = &contract.input.text;
        let start = line_start(source, range.start);
        let text = &source[start..line_end(source, range.end)];
        let depth = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let written = || text.lines().filter(|line| !line.trim().is_empty());
        let least = written().map(depth).min().unwrap_or_default();
        let shown = written().take(most).enumerate();
        let mut lines: Vec<String> = shown
            .map(|(number, line)| {
                let byte = if number == 0 { range.start - start - least } else { 0 };
                shortened(&line[least..], byte)
            })
            .collect();
        if written().nth(most).is_some() {
            lines.push("…".to_owned());
        }
        lines
    }
}

/// The bytes of a node with its key, where they tell of what is looked for.
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

/// The line, or of a very long one what stands around a byte of it.
fn shortened(line: &str, byte: usize) -> String {
    if line.chars().nth(LONGEST).is_none() {
        return line.trim_end().to_owned();
    }
    let before = line[..byte].chars().count().saturating_sub(LONGEST / 2);
    let part: String = line.chars().skip(before).take(LONGEST).collect();
    let opening = if before > 0 { "…" } else { "" };
    format!("{opening}{part}…")
}
