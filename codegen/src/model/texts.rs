//! Texts in further languages, for people.

use super::{BodyUse, Model, Operation, Span, Surface};

/// The texts of one language.
#[derive(Clone, Debug)]
pub struct Language {
    /// Its tag (BCP 47).
    pub tag: String,
    /// Its texts, in the order of the file within each section.
    pub texts: Vec<LanguageText>,
    /// Position in the file.
    pub at: Span,
}

/// What people read in place of a name and its description.
#[derive(Clone, Debug)]
pub struct LanguageText {
    /// What it is of.
    pub of: TextOf,
    /// The name, or the whole text of a consequence.
    pub name: String,
    /// The description.
    pub doc: Option<String>,
    /// Position in the file.
    pub at: Span,
}

/// What a text is of. Each variant is a section of `texts`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextOf {
    /// A surface.
    Surface(String),
    /// An operation of a surface.
    Operation(String, String),
    /// The consequence of an operation of a surface.
    Consequence(String, String),
    /// A resource.
    Resource(String),
    /// A field, a member or a parameter: `title`, `Author.name`, `public.list_books.size`.
    Member(String),
    /// A value of an enum.
    Value(String, String),
    /// An error.
    Error(String),
    /// A credential.
    Credential(String),
}

impl TextOf {
    /// Its path in the texts of a language.
    pub fn path(&self) -> Vec<&str> {
        match self {
            TextOf::Surface(name) => vec!["surfaces", name],
            TextOf::Operation(surface, name) => vec!["operations", surface, name],
            TextOf::Consequence(surface, name) => vec!["consequences", surface, name],
            TextOf::Resource(name) => vec!["resources", name],
            TextOf::Member(name) => vec!["members", name],
            TextOf::Value(of, name) => vec!["values", of, name],
            TextOf::Error(name) => vec!["errors", name],
            TextOf::Credential(name) => vec!["credentials", name],
        }
    }

    /// The text of an operation.
    pub fn operation(surface: &Surface, operation: &Operation) -> Self {
        TextOf::Operation(surface.name.clone(), operation.name.clone())
    }

    /// The text of the consequence of an operation.
    pub fn consequence(surface: &Surface, operation: &Operation) -> Self {
        TextOf::Consequence(surface.name.clone(), operation.name.clone())
    }
}

/// What declares a member, which can have a text of its own.
#[derive(Clone, Copy, Debug)]
pub enum Owner<'m> {
    /// A resource, an object or an input.
    Declaration(&'m str),
    /// An operation of a surface.
    Operation(&'m str, &'m str),
}

impl Owner<'_> {
    /// The names that a member has in `texts`: the one that counts comes first.
    pub fn names_of(self, member: &str) -> [TextOf; 2] {
        let own = match self {
            Owner::Declaration(name) => format!("{name}.{member}"),
            Owner::Operation(surface, name) => format!("{surface}.{name}.{member}"),
        };
        [TextOf::Member(own), TextOf::Member(member.to_owned())]
    }
}

impl Language {
    /// The text of the first of these that has one.
    pub fn first(&self, of: &[TextOf]) -> Option<&LanguageText> {
        of.iter().find_map(|of| self.texts.iter().find(|text| text.of == *of))
    }
}

impl Model {
    /// What the values of an enum are called in `texts`: those of a subset by themselves, or as those of the whole enum.
    pub fn value_names(&self, of: &str, value: &str) -> Vec<TextOf> {
        let whole = self.enumeration(of).part_of.as_deref();
        let names = [Some(of), whole].into_iter().flatten();
        names
            .map(|name| TextOf::Value(name.to_owned(), value.to_owned()))
            .collect()
    }

    /// What declares the members of the body of an operation that are no fields of its resource.
    pub fn body_owner<'m>(&self, surface: &'m Surface, operation: &'m Operation) -> Owner<'m> {
        match &operation.body {
            Some(BodyUse::Named(name)) => Owner::Declaration(name),
            _ => Owner::Operation(&surface.name, &operation.name),
        }
    }
}
