//! Headers that the success of an operation declares.

use super::{Class, Data, Kind, Model, Operation, Span, Type, TypeRule};

/// A header of a success.
#[derive(Clone, Debug)]
pub struct ResponseHeader {
    /// Its name.
    pub name: String,
    /// Its value: these, one after the other. If one of them has no value, there is no header.
    pub parts: Vec<HeaderPart>,
    /// The operation whose path it is, if it is a `Location`.
    pub leads_to: Option<String>,
    /// Position in the file.
    pub at: Span,
}

/// A part of the value of a header.
#[derive(Clone, Debug)]
pub enum HeaderPart {
    /// This text.
    Text(String),
    /// The member of `data`: its name and its type.
    Member(String, Type),
    /// The parameter in the path of the request.
    Parameter(String),
    /// The number of records on all pages.
    Total,
}

impl ResponseHeader {
    /// Whether it shows the number of records on all pages.
    pub fn is_total(&self) -> bool {
        matches!(self.parts.as_slice(), [HeaderPart::Total])
    }

    /// Whether a success may lack it, because one of its values can be null.
    pub fn can_be_absent(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| matches!(part, HeaderPart::Member(_, of) if of.optional))
    }

    /// As the contract writes it: the member, or the operation whose path it is.
    pub fn source(&self) -> &str {
        match (&self.leads_to, self.parts.first()) {
            (Some(operation), _) => operation,
            (None, Some(HeaderPart::Member(name, _) | HeaderPart::Parameter(name) | HeaderPart::Text(name))) => name,
            (None, Some(HeaderPart::Total) | None) => TOTAL,
        }
    }
}

/// What counts the records on all pages, where a contract names it.
pub(crate) const TOTAL: &str = "total";

impl Operation {
    /// The header with the number of records of a list on all pages.
    pub fn total_header(&self) -> Option<&ResponseHeader> {
        self.headers.iter().find(|header| header.is_total())
    }

    /// Whether its success counts the records of a list on all pages: beside the data, or in a header.
    pub fn counts_all(&self) -> bool {
        self.siblings.iter().any(|sibling| sibling == TOTAL) || self.total_header().is_some()
    }
}

impl Model {
    /// The members of the object that the data of a success is, or of each item if it is a list.
    pub fn data_members<'m>(&'m self, data: &'m Data) -> Vec<(&'m str, &'m Type)> {
        match data {
            Data::Members(fields) => fields.iter().map(|field| (field.name.as_str(), &field.of)).collect(),
            Data::Counts(_) | Data::Events => Vec::new(),
            Data::One { resource, view } | Data::Many { resource, view } => {
                let members = self.view(resource, view).members.iter();
                members.map(|one| (one.shown.as_str(), &one.of)).collect()
            }
        }
    }

    /// Whether each value of a type can be the value of a header: visible ASCII characters on one line (RFC 9110 §5.5).
    pub(crate) fn fits_header(&self, of: &Type) -> bool {
        let is_visible = |c: char| c.is_ascii_graphic();
        match &of.kind {
            _ if of.list => false,
            Kind::Id(_) | Kind::Boolean | Kind::Timestamp | Kind::Format(_) => true,
            Kind::Enum(name) => self
                .enumeration(name)
                .values
                .iter()
                .all(|value| value.chars().all(is_visible)),
            // What is shown once stands in the body alone.
            Kind::Named(name) if self.named_type(name).is_secret => false,
            Kind::Named(name) => match &self.named_type(name).rule {
                TypeRule::Number { .. } | TypeRule::Integer { .. } => true,
                TypeRule::Text { chars: Some(chars), .. } => {
                    let class = Class::parse(chars);
                    class
                        .ranges()
                        .iter()
                        .all(|(first, last)| is_visible(*first) && is_visible(*last))
                }
                TypeRule::Text { .. } | TypeRule::List { .. } | TypeRule::FreeForm { .. } => false,
            },
            _ => false,
        }
    }
}
