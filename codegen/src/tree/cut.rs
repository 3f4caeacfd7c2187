//! Texts that a `#` cuts short: `message: Order #5 is sent` says `Order`, and nothing in the tree tells.

use super::{Form, Node, characters};
use crate::report::Report;
use crate::spec::Span;

/// `comment-in-text`: a comment that follows a text without quotes and has no blank behind its `#`, as one that is a
/// part of the text would.
pub(crate) fn comments_in_texts(source: &str, tree: &Node) -> Vec<Report> {
    let mut reports = Vec::new();
    let mut begin = characters::mark(source);
    for (index, line) in characters::without_mark(source).split_inclusive('\n').enumerate() {
        let start = begin;
        begin += line.len();
        let line = line.trim_end();
        let Some(column) = comment(line) else { continue };
        let (before, after) = line.split_at(column);
        let is_meant =
            after[1..].starts_with(|c: char| c.is_whitespace() || matches!(c, '#' | '!')) || after.len() == 1;
        if is_meant || !ends_in_text(before) || holds(tree, after) {
            continue;
        }
        let at = Span {
            line: index + 1,
            column: before.chars().count() + 1,
            start: start + column,
            end: start + line.len(),
        };
        let report = Report::new(
            "comment-in-text",
            at,
            "the text ends before this `#`: what follows is a comment",
        );
        reports.push(report.help("put the text in quotes, or begin the comment with `# `"));
    }
    reports
}

/// Whether a line ends in a text without quotes: in no bracket, and in no sign that a text follows below.
fn ends_in_text(line: &str) -> bool {
    let last = line.trim_end().rsplit(' ').next().unwrap_or_default();
    line.contains(": ") && !last.starts_with(['|', '>']) && !last.ends_with(['"', '\'', ']', '}', ',', ':'])
}

/// Where the comment of a line begins that has something in front of it, in bytes.
fn comment(line: &str) -> Option<usize> {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open && before != '\\' => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') && matches!(before, ' ' | '[' | '{' | ',') => quote = Some(c),
            None if c == '#' && before == ' ' => return Some(at).filter(|at| !line[..*at].trim().is_empty()),
            None => {}
        }
        before = c;
    }
    None
}

/// Whether a text of the tree has this piece, which then is no comment.
fn holds(node: &Node, piece: &str) -> bool {
    match &node.form {
        Form::Text(text) => text.contains(piece),
        Form::List(items) => items.iter().any(|item| holds(item, piece)),
        Form::Map(entries) => entries.iter().any(|(_, value)| holds(value, piece)),
        _ => false,
    }
}
