//! What the tables are made of: sections, their keys, and the forms of values.

use super::{Name, Scalar};

/// A map with keys that the language knows.
#[derive(Debug)]
pub struct Section {
    /// What one is called in reports: `an endpoint`.
    pub what: &'static str,
    /// Where one stands, as a dotted path: `surfaces.NAME.endpoints.NAME`; empty for the whole file.
    pub stands: &'static str,
    /// What it is for. Markdown.
    pub doc: &'static str,
    /// One in a line; empty for the whole file.
    pub example: &'static str,
    /// Its keys, in the order in which they are mostly written.
    pub keys: &'static [Key],
}

impl PartialEq for Section {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl Eq for Section {}

/// A key of a section.
#[derive(Debug)]
pub struct Key {
    /// The key itself.
    pub name: &'static str,
    /// What its value looks like.
    pub form: Form,
    /// Whether it must be given.
    pub presence: Presence,
    /// What it says, in the standard's terms, with its unit. Markdown.
    pub doc: &'static str,
    /// What of the server, its types and its tests comes from it. Markdown.
    pub makes: &'static str,
    /// A value that it may have, where it is not that of the form.
    pub(super) example: Option<&'static str>,
}

/// Whether a key must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Always.
    Required,
    /// Exactly one of these keys of its section.
    Choice,
    /// Not at all; what holds where it is not.
    Optional(&'static str),
}

/// What a value looks like.
#[derive(Debug)]
pub enum Form {
    /// A scalar.
    Scalar(Scalar),
    /// A list of different items.
    List {
        /// What each item looks like.
        of: &'static Form,
        /// One, as it is written.
        example: &'static str,
    },
    /// A map with keys that the contract chooses.
    Map {
        /// What the keys name, and declare where they stand.
        names: Name,
        /// What each value looks like.
        of: &'static Form,
        /// One, as it is written.
        example: &'static str,
    },
    /// A map of a single entry with a key that the contract chooses.
    Pair {
        /// What the key names.
        names: Name,
        /// What the value looks like.
        of: &'static Form,
        /// One, as it is written.
        example: &'static str,
    },
    /// A map with keys that the language knows.
    Section(&'static Section),
    /// One of several, which are told apart by what they are in YAML.
    Either {
        /// What a report says that it expected.
        expected: &'static str,
        /// The forms; the example of the first one is that of all.
        of: &'static [Form],
    },
}

impl Section {
    /// The key of this name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The names of its keys.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    /// The names of the keys that must be given.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'static str> {
        let is_required = |key: &&Key| key.presence == Presence::Required;
        self.keys.iter().filter(is_required).map(|key| key.name)
    }

    /// The keys of which there must be exactly one.
    pub fn choice(&self) -> impl Iterator<Item = &'static str> {
        let is_choice = |key: &&Key| key.presence == Presence::Choice;
        self.keys.iter().filter(is_choice).map(|key| key.name)
    }
}

impl Key {
    /// A value that it may have, as it is written.
    pub fn example(&self) -> &'static str {
        self.example.unwrap_or_else(|| self.form.example())
    }
}

impl Form {
    /// A value of this form, as it is written.
    pub fn example(&self) -> &'static str {
        match self {
            Form::Scalar(scalar) => scalar.example(),
            Form::List { example, .. } | Form::Map { example, .. } | Form::Pair { example, .. } => example,
            Form::Section(section) => section.example,
            Form::Either { of, .. } => of.first().map_or("", Form::example),
        }
    }

    /// What a report says that it expected.
    pub(crate) fn expected(&self) -> String {
        match self {
            Form::Scalar(scalar) => scalar.expected(),
            Form::List { .. } => "a list".to_owned(),
            Form::Map { .. } => "a map of names".to_owned(),
            Form::Pair { .. } => "a map of one entry".to_owned(),
            Form::Section(section) => format!("a map ({})", section.what),
            Form::Either { expected, .. } => (*expected).to_owned(),
        }
    }

    /// The form of the items, where this is a list or can be one.
    pub fn items(&self) -> Option<&'static Form> {
        self.find(|form| match form {
            Form::List { of, .. } => Some(*of),
            _ => None,
        })
    }

    /// The form of the entries, where this is a map with keys that the contract chooses, or can be one.
    pub fn entries(&self) -> Option<&'static Form> {
        self.find(|form| match form {
            Form::Map { of, .. } | Form::Pair { of, .. } => Some(*of),
            _ => None,
        })
    }

    /// The section that this is or can be.
    pub fn section(&self) -> Option<&'static Section> {
        self.find(|form| match form {
            Form::Section(section) => Some(*section),
            _ => None,
        })
    }

    /// The scalar that this is or can be.
    pub fn scalar(&self) -> Option<Scalar> {
        self.find(|form| match form {
            Form::Scalar(scalar) => Some(*scalar),
            _ => None,
        })
    }

    fn find<T>(&self, part: impl Fn(&Form) -> Option<T>) -> Option<T> {
        match self {
            Form::Either { of, .. } => of.iter().find_map(part),
            form => part(form),
        }
    }
}

/// For the tables.
impl Form {
    pub(super) const fn list(of: &'static Form, example: &'static str) -> Form {
        Form::List { of, example }
    }

    pub(super) const fn map(names: Name, of: &'static Form, example: &'static str) -> Form {
        Form::Map { names, of, example }
    }
}

/// For the tables: what each entry says stands on one line behind its name.
impl Key {
    /// A key that must be given.
    pub(super) const fn required(name: &'static str, form: Form) -> Key {
        Key::new(name, form, Presence::Required)
    }

    /// One of the keys of which there must be exactly one.
    pub(super) const fn choice(name: &'static str, form: Form) -> Key {
        Key::new(name, form, Presence::Choice)
    }

    /// A key that may be left out, and what holds then.
    pub(super) const fn optional(name: &'static str, form: Form, absent: &'static str) -> Key {
        Key::new(name, form, Presence::Optional(absent))
    }

    const fn new(name: &'static str, form: Form, presence: Presence) -> Key {
        Key {
            name,
            form,
            presence,
            doc: "",
            makes: "",
            example: None,
        }
    }

    pub(super) const fn doc(self, doc: &'static str) -> Key {
        Key { doc, ..self }
    }

    pub(super) const fn makes(self, makes: &'static str) -> Key {
        Key { makes, ..self }
    }

    pub(super) const fn such_as(self, example: &'static str) -> Key {
        let example = Some(example);
        Key { example, ..self }
    }
}
