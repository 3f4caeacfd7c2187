//! The types of the grammar: sections, keys, and the forms of values.

use super::name::Name;
use super::scalar::Scalar;

/// A map with a fixed set of keys.
#[derive(Debug)]
pub struct Section {
    /// Its name in diagnostics: `an endpoint`.
    pub what: &'static str,
    /// Its path in a contract: `surfaces.NAME.endpoints.NAME`. Empty for the whole file.
    pub path: &'static str,
    /// What it is for. Markdown.
    pub doc: &'static str,
    /// An example in one line. Empty for the whole file.
    pub example: &'static str,
    /// Its keys, in the usual order.
    pub keys: &'static [Key],
    /// Keys of other languages, and what to write instead.
    pub aliases: &'static [(&'static [&'static str], &'static str)],
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
    /// The name of the key.
    pub name: &'static str,
    /// The form of its value.
    pub form: Form,
    /// Whether it is required.
    pub presence: Presence,
    /// What it means, in standard terms, with its unit. Markdown.
    pub doc: &'static str,
    /// What is generated from it in the server, its types and its tests. Markdown.
    pub effect: &'static str,
    /// An example value. Empty if it is that of the form.
    pub(crate) example: &'static str,
}

/// Whether a key is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Always.
    Required,
    /// Exactly one of these keys of its section.
    Choice,
    /// Optional, with the behaviour if it is absent.
    Optional(&'static str),
}

/// The form of a value.
#[derive(Debug)]
pub enum Form {
    /// A scalar.
    Scalar(Scalar),
    /// A list of distinct items.
    List {
        /// The form of each item.
        of: &'static Form,
        /// An example, as written in a contract.
        example: &'static str,
    },
    /// A map whose keys are names that the contract chooses.
    Map {
        /// What the keys name, and declare.
        names: Name,
        /// The form of each value.
        of: &'static Form,
        /// An example, as written in a contract.
        example: &'static str,
    },
    /// A map with one entry, whose key is a name that the contract chooses.
    Pair {
        /// What the key names.
        names: Name,
        /// The form of the value.
        of: &'static Form,
        /// An example, as written in a contract.
        example: &'static str,
    },
    /// A map with a fixed set of keys.
    Section(&'static Section),
    /// One of several forms, distinguished by their type in YAML.
    Either {
        /// The expected value, for diagnostics.
        expected: &'static str,
        /// The forms. The example of the first one is the example of all.
        of: &'static [Form],
    },
}

impl Section {
    /// The key with this name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The names of its keys.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    /// The names of the required keys.
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
    /// An example value, as written in a contract.
    pub fn example(&self) -> &'static str {
        match self.example {
            "" => self.form.example(),
            example => example,
        }
    }
}

impl Form {
    /// This form with another example, if it is a list or a map.
    pub(crate) const fn with_example(self, example: &'static str) -> Form {
        match self {
            Form::List { of, .. } => Form::List { of, example },
            Form::Map { names, of, .. } => Form::Map { names, of, example },
            other => other,
        }
    }

    /// An example of this form, as written in a contract.
    pub fn example(&self) -> &'static str {
        match self {
            Form::Scalar(scalar) => scalar.example(),
            Form::List { example, .. } | Form::Map { example, .. } | Form::Pair { example, .. } => example,
            Form::Section(section) => section.example,
            Form::Either { of, .. } => of.first().map_or("", Form::example),
        }
    }

    /// The expected value, for diagnostics.
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
