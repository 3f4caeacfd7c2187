//! The text of `api.yaml` as a tree of nodes with positions. Order and duplicate keys are kept.
//!
//! `granit-parser` parses the text, because it reports the position of every node and what is wrong; `serde_yaml` decides the type
//! of a scalar. Anchors, aliases and tags are rejected. Knows YAML, and nothing of what the file means.

mod builder;
mod characters;
mod scalar;
mod syntax;

use crate::diagnostic::Diagnostic;
use crate::spec::{Span, Word};
use builder::Builder;
pub(crate) use characters::is_unseen;
use granit_parser::{Event, Parser};

/// A node of the file.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it stands.
    pub at: Span,
    /// What to point at when the whole of it is meant: itself where it is short, and else the key that it stands under.
    pub head: Span,
    /// What it is.
    pub form: Value,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Value {
    /// Not in the file at all: stands in for something that is missing and has been reported.
    Absent,
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number {
        /// Its value.
        value: f64,
        /// The same as JSON.
        text: String,
    },
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map: its entries in order, a key as often as it stands there.
    Map(Vec<(Word, Node)>),
}

/// What stands between something and the text that describes it.
pub const DESCRIBED: &str = " -- ";

impl Node {
    /// What an item of a list is called in paths: its text, up to what describes it.
    pub fn name(&self) -> Option<&str> {
        match &self.form {
            Value::Text(text) => Some(text.split_once(DESCRIBED).map_or(text, |(name, _)| name.trim_end())),
            Value::Number { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The node that a dotted path leads to: keys of maps by name, items of lists by theirs.
    pub fn find(&self, path: &str) -> Option<&Node> {
        match &self.form {
            Value::Map(entries) => entries.iter().find_map(|(key, value)| value.follow(path, &key.text)),
            Value::List(items) => items.iter().find_map(|item| match (&item.form, item.name()) {
                (_, Some(name)) => item.follow(path, name),
                (Value::Map(_), _) => item.find(path),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The node that a dotted path leads to, or the last one on the way to it, and whether it is the one itself.
    pub fn nearest(&self, path: &str) -> (&Node, bool) {
        let mut known = path;
        loop {
            if let Some(node) = self.find(known) {
                return (node, known == path);
            }
            match known.rfind('.') {
                Some(end) => known = &known[..end],
                None => return (self, false),
            }
        }
    }

    /// The key under which a map holds the node that a dotted path leads to.
    pub fn key(&self, path: &str) -> Option<&Word> {
        let dots = path.rmatch_indices('.');
        let above = dots.filter_map(|(dot, _)| Some((self.find(&path[..dot])?, &path[dot + 1..])));
        above.chain([(self, path)]).find_map(|(node, name)| match &node.form {
            Value::Map(entries) => entries.iter().map(|(key, _)| key).find(|key| key.text == name),
            _ => None,
        })
    }

    /// This node, or one below it, if the path begins with its name. A name may have dots of its own.
    fn follow(&self, path: &str, name: &str) -> Option<&Node> {
        match path.strip_prefix(name)? {
            "" => Some(self),
            rest => self.find(rest.strip_prefix('.')?),
        }
    }
}

/// Reads the whole text and reports what is not the YAML that the language is written in. There is no tree if the text
/// is no YAML at all.
pub fn parse(source: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Node> {
    let forbidden = characters::forbidden(source);
    if !forbidden.is_empty() {
        diagnostics.extend(forbidden);
        return None;
    }
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        // As many as there are.
        max_buffered_comment_events: source.len(),
    };
    let mut builder = Builder::new(source, diagnostics);
    for event in Parser::new_from_str_with_options(characters::without_mark(source), options) {
        match event {
            Ok((Event::DocumentStart(..), span)) if builder.is_done() => {
                builder.second_document(span);
                return None;
            }
            Ok((event, span)) => builder.add(event, span),
            Err(error) => {
                let diagnostic = syntax::diagnostic(&error, source, &builder);
                diagnostics.push(diagnostic);
                return None;
            }
        }
    }
    Some(builder.done())
}
