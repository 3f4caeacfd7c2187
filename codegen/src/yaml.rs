//! The text of `api.yaml` as a tree of nodes with positions, in order and with duplicate keys.
//!
//! `granit-parser` parses the text, because it reports positions of nodes and of errors; `serde_yaml` decides the type
//! of a scalar. Knows YAML, and not the meaning of the file.

mod builder;
mod characters;
mod scalar;
mod syntax;

use crate::diagnostic::{Diagnostic, Rule};
use crate::span::{Span, Word};
use builder::Builder;
pub(crate) use characters::is_unseen;
use granit_parser::{Event, Parser};

/// Maximum bytes of a contract. A longer file is not a contract, and would take long to check.
pub const MAX_BYTES: usize = 1 << 20;

/// A node of the file.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its position.
    pub at: Span,
    /// The position for diagnostics about the whole node: the node itself if it is short, otherwise its key.
    pub head: Span,
    /// Its value.
    pub form: Value,
}

/// The value of a node.
#[derive(Clone, Debug)]
pub enum Value {
    /// Not in the file: replaces a missing node that has been reported.
    Absent,
    /// An empty value, `~` or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number {
        /// The value as a number.
        value: f64,
        /// The value as JSON text.
        text: String,
    },
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map: its entries in order, including duplicate keys.
    Map(Vec<(Word, Node)>),
}

/// The separator between a declaration and its description.
pub const DESCRIBED: &str = " -- ";

impl Node {
    /// The name of a list item in paths: its text without the description.
    pub fn name(&self) -> Option<&str> {
        match &self.form {
            Value::Text(text) => Some(text.split_once(DESCRIBED).map_or(text, |(name, _)| name.trim_end())),
            Value::Number { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The node at a dotted path: keys of maps and items of lists by name.
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

    /// The node at a dotted path, or the last existing node on the way to it. Also whether it is the node itself.
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

    /// The key of the node at a dotted path.
    pub fn key(&self, path: &str) -> Option<&Word> {
        let dots = path.rmatch_indices('.');
        let above = dots.filter_map(|(dot, _)| Some((self.find(&path[..dot])?, &path[dot + 1..])));
        above.chain([(self, path)]).find_map(|(node, name)| match &node.form {
            Value::Map(entries) => entries.iter().map(|(key, _)| key).find(|key| key.text == name),
            _ => None,
        })
    }

    /// This node or one below it, if the path starts with its name. Names may contain dots.
    fn follow(&self, path: &str, name: &str) -> Option<&Node> {
        match path.strip_prefix(name)? {
            "" => Some(self),
            rest => self.find(rest.strip_prefix('.')?),
        }
    }
}

/// Parses the whole text. Reports YAML errors, and YAML that the language does not accept: anchors, aliases, tags.
/// `None` if the text is not YAML.
pub fn parse(source: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Node> {
    if source.len() > MAX_BYTES {
        let message = format!(
            "a contract has at most {MAX_BYTES} bytes, but this file has {}",
            source.len()
        );
        let diagnostic = Diagnostic::new(Rule::Syntax, Span::default(), message);
        diagnostics.push(diagnostic.help("is this the right file?"));
        return None;
    }
    let forbidden = characters::forbidden(source);
    if !forbidden.is_empty() {
        diagnostics.extend(forbidden);
        return None;
    }
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        // No limit on comments.
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
