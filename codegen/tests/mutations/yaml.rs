//! A contract as a tree that can be changed and written again.

use codegen::yaml::{Node, Value, parse};
use std::fmt::Write;

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Yaml {
    /// `null`, `true` or a number, as in the file.
    Plain(String),
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// The tree of a text that is YAML.
    pub(crate) fn parse(text: &str) -> Option<Yaml> {
        parse(text, &mut Vec::new()).map(|node| Yaml::of_node(&node))
    }

    fn of_node(node: &Node) -> Yaml {
        match &node.form {
            Value::Absent | Value::Null => Yaml::Plain("null".to_owned()),
            Value::Bool(value) => Yaml::Plain(value.to_string()),
            Value::Number { text, .. } => Yaml::Plain(text.clone()),
            Value::Text(text) => Yaml::Text(text.clone()),
            Value::List(items) => Yaml::List(items.iter().map(Yaml::of_node).collect()),
            Value::Map(entries) => {
                let entry = |(key, value): &(codegen::span::Word, Node)| (key.text.clone(), Yaml::of_node(value));
                Yaml::Map(entries.iter().map(entry).collect())
            }
        }
    }

    /// The number of nodes.
    pub(crate) fn size(&self) -> usize {
        1 + match self {
            Yaml::Plain(_) | Yaml::Text(_) => 0,
            Yaml::List(items) => items.iter().map(Yaml::size).sum(),
            Yaml::Map(entries) => entries.iter().map(|(_, value)| value.size()).sum(),
        }
    }

    /// The node with this number, in the order of the file.
    pub(crate) fn nth(&mut self, mut number: usize) -> Option<&mut Yaml> {
        if number == 0 {
            return Some(self);
        }
        number -= 1;
        let children: Vec<&mut Yaml> = match self {
            Yaml::Plain(_) | Yaml::Text(_) => Vec::new(),
            Yaml::List(items) => items.iter_mut().collect(),
            Yaml::Map(entries) => entries.iter_mut().map(|(_, value)| value).collect(),
        };
        for child in children {
            let size = child.size();
            if number < size {
                return child.nth(number);
            }
            number -= size;
        }
        None
    }

    /// The node at the end of a path of child indexes.
    pub(crate) fn at(&self, pointer: &[usize]) -> &Yaml {
        pointer.iter().fold(self, |node, number| match node {
            Yaml::List(items) => &items[*number],
            Yaml::Map(entries) => &entries[*number].1,
            Yaml::Plain(_) | Yaml::Text(_) => panic!("the way is one of this tree"),
        })
    }

    /// The same node, mutable.
    pub(crate) fn at_mut(&mut self, pointer: &[usize]) -> &mut Yaml {
        pointer.iter().fold(self, |node, number| match node {
            Yaml::List(items) => &mut items[*number],
            Yaml::Map(entries) => &mut entries[*number].1,
            Yaml::Plain(_) | Yaml::Text(_) => panic!("the way is one of this tree"),
        })
    }

    /// The value of a key.
    pub(crate) fn entry_mut(&mut self, key: &str) -> Option<&mut Yaml> {
        match self {
            Yaml::Map(entries) => entries.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Calls `change` for every key and text.
    pub(crate) fn each_text(&mut self, change: &mut impl FnMut(&mut String)) {
        match self {
            Yaml::Plain(_) => {}
            Yaml::Text(text) => change(text),
            Yaml::List(items) => items.iter_mut().for_each(|item| item.each_text(change)),
            Yaml::Map(entries) => {
                for (key, value) in entries {
                    change(key);
                    value.each_text(change);
                }
            }
        }
    }

    /// The tree as text: the first levels of maps as blocks, everything else in one line.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        self.write(0, &mut text);
        text
    }

    fn write(&self, depth: usize, text: &mut String) {
        const BLOCKS: usize = 6;
        match self {
            Yaml::Map(entries) if depth < BLOCKS && !entries.is_empty() => {
                for (key, value) in entries {
                    let _ = write!(text, "\n{:1$}", "", depth * 2);
                    quote(key, text);
                    text.push_str(": ");
                    value.write(depth + 1, text);
                }
            }
            Yaml::Plain(plain) => text.push_str(plain),
            Yaml::Text(own) => quote(own, text),
            Yaml::List(items) => {
                text.push('[');
                for item in items {
                    item.write(BLOCKS, text);
                    text.push_str(", ");
                }
                text.push(']');
            }
            Yaml::Map(entries) => {
                text.push('{');
                for (key, value) in entries {
                    quote(key, text);
                    text.push_str(": ");
                    value.write(BLOCKS, text);
                    text.push_str(", ");
                }
                text.push('}');
            }
        }
    }
}

/// Writes words plain and all other texts in quotes.
fn quote(own: &str, text: &mut String) {
    const TAKEN: [&str; 5] = ["true", "false", "null", "y", "n"];
    let is_word = own.starts_with(|c: char| c.is_ascii_alphabetic())
        && own.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
        && !TAKEN.contains(&own.to_ascii_lowercase().as_str());
    if is_word {
        return text.push_str(own);
    }
    text.push('"');
    for c in own.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(text, "\\x{:02x}", c as u32 & 0xff);
            }
            c => text.push(c),
        }
    }
    text.push('"');
}
