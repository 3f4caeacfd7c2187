//! The text of `api.yaml` as a tree of nodes, each with its place; order and duplicate keys are kept.
//!
//! Knows YAML, nothing of what the file means. `serde_yaml` tells places only in errors, so each node is visited
//! twice in one pass: first by `Peek`, which always fails, leaves the node where it is, and thereby tells its place;
//! then by `Take`. Anchors, aliases and tags are refused, so that a node means what stands at its place.

mod cursor;
mod cut;
mod hints;

use crate::report::Report;
use crate::spec::{Span, Word};
use cursor::Cursor;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

pub(crate) use cut::comments_in_texts;

/// A node of the file.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it begins.
    pub at: Span,
    /// What it is.
    pub form: Form,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Form {
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

impl Node {
    /// The node that a dotted path leads to: keys of maps by name, items of lists by their text.
    pub fn find(&self, path: &str) -> Option<&Node> {
        match &self.form {
            Form::Map(entries) => entries.iter().find_map(|(key, value)| value.follow(path, &key.text)),
            Form::List(items) => items.iter().find_map(|item| match &item.form {
                Form::Text(text) | Form::Number { text, .. } => item.follow(path, text),
                Form::Map(_) => item.find(path),
                _ => None,
            }),
            _ => None,
        }
    }

    /// This node, or one below it, if the path begins with its name. A name may have dots of its own.
    fn follow(&self, path: &str, name: &str) -> Option<&Node> {
        match path.strip_prefix(name)? {
            "" => Some(self),
            rest => self.find(rest.strip_prefix('.')?),
        }
    }
}

/// Reads the whole text; a report where it is not the YAML that the language is written in.
pub fn parse(source: &str) -> Result<Node, Report> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    if let Some(report) = cursor::forbidden_character(source) {
        return Err(report);
    }
    let mut scan = Scan {
        cursor: Cursor::new(source),
        problem: None,
    };
    let start = Span { line: 1, column: 1 };
    let take = Take {
        scan: &mut scan,
        at: start,
    };
    take.deserialize(serde_yaml::Deserializer::from_str(source))
        .map_err(|error| {
            let place = error.location().map(|place| Span {
                line: place.line(),
                column: place.column(),
            });
            let message = error.to_string();
            scan.problem.unwrap_or_else(|| {
                let at = place.unwrap_or_else(|| scan.cursor.next_document());
                let help = hints::hint(source, at, &message);
                let report = Report::new("syntax", at, message);
                match help {
                    Some(help) => report.help(help),
                    None => report,
                }
            })
        })
}

const TAG: &str = "tags (`!name`) are not part of this language";

/// What is known while the tree is read.
struct Scan<'s> {
    cursor: Cursor<'s>,
    problem: Option<Report>,
}

impl Scan<'_> {
    /// Moves on to the node whose place is in `error`, which [`Peek`] made. Where the text itself is broken, the
    /// place means nothing, and [`Take`] fails next. Only where there is a tag is there no place.
    fn arrive<E: Error>(&mut self, error: E) -> Result<Span, E> {
        let at = place_in(&format!("{error:?}")).unwrap_or_else(|| self.cursor.find('!'));
        if !self.cursor.advance(at) && at < self.cursor.at() {
            let at = self.cursor.find('*');
            return self.refuse(at, "aliases (`*name`) are not part of this language");
        }
        match self.cursor.next() {
            Some('&') => self.refuse(at, "anchors (`&name`) are not part of this language"),
            Some('!') => self.refuse(at, TAG),
            _ => Ok(at),
        }
    }

    /// Stops the whole reading with a report.
    fn refuse<T, E: Error>(&mut self, at: Span, message: &str) -> Result<T, E> {
        self.problem = Some(Report::new("syntax", at, message));
        Err(E::custom(message))
    }
}

/// The place in an error of `serde_yaml`, of which serde's traits let nothing through but text.
fn place_in(error: &str) -> Option<Span> {
    let (_, place) = error.strip_suffix(')')?.rsplit_once(", line: ")?;
    let (line, column) = place.split_once(", column: ")?;
    Some(Span {
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    })
}

/// Asks a node to be an enum and refuses what comes. The error has the place, and the node is left to be taken:
/// no other request of serde's does both. (An alias is not left: what it stands for lies behind.)
struct Peek;

enum Never {}

impl<'de> DeserializeSeed<'de> for Peek {
    type Value = Never;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Never, D::Error> {
        deserializer.deserialize_enum("", &[], self)
    }
}

impl<'de> Visitor<'de> for Peek {
    type Value = Never;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("nothing")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Never, A::Error> {
        Err(A::Error::custom(""))
    }
}

/// Takes a node whose place is known.
struct Take<'a, 's> {
    scan: &'a mut Scan<'s>,
    at: Span,
}

impl Take<'_, '_> {
    fn node<E>(self, form: Form) -> Result<Node, E> {
        Ok(Node { at: self.at, form })
    }

    fn number<E: Error>(self, value: f64, text: String) -> Result<Node, E> {
        if value.is_finite() {
            self.node(Form::Number { value, text })
        } else {
            self.scan.refuse(self.at, "a number must be finite")
        }
    }
}

impl<'de> DeserializeSeed<'de> for Take<'_, '_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Take<'_, '_> {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a scalar, a list or a map")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        self.node(Form::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Node, E> {
        self.node(Form::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        self.node(Form::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        self.number(value as f64, value.to_string())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        self.number(value as f64, value.to_string())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Node, E> {
        self.number(value as f64, value.to_string())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Node, E> {
        self.number(value as f64, value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        self.number(value, value.to_string())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        self.node(Form::Text(text.to_owned()))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Node, A::Error> {
        self.scan.refuse(self.at, TAG)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        loop {
            let at = match access.next_element_seed(Peek) {
                Ok(None) => return self.node(Form::List(items)),
                Ok(Some(never)) => match never {},
                Err(error) => self.scan.arrive(error)?,
            };
            let scan = &mut *self.scan;
            items.extend(access.next_element_seed(Take { scan, at })?);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        loop {
            let at = match access.next_key_seed(Peek) {
                Ok(None) => return self.node(Form::Map(entries)),
                Ok(Some(never)) => match never {},
                Err(error) => self.scan.arrive(error)?,
            };
            let scan = &mut *self.scan;
            let Some(Form::Text(text)) = access.next_key_seed(Take { scan, at })?.map(|k| k.form) else {
                return self.scan.refuse(at, "a key must be text");
            };
            let value_at = match access.next_value_seed(Peek) {
                Ok(never) => match never {},
                Err(error) => self.scan.arrive(error)?,
            };
            let scan = &mut *self.scan;
            let value = access.next_value_seed(Take { scan, at: value_at })?;
            entries.push((Word { text, at }, value));
        }
    }
}
