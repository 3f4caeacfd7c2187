//! Content of a list: filters and pages.

use super::{Alike, Field, Pages, Source, Span, Type, Word};
use crate::matching::Matching;
use std::fmt;

/// A condition on the rows of a list. Each row satisfies all conditions of the operation.
///
/// Of a list field, or of members that are picked from it, one item must match. A null field matches nothing. How texts
/// are compared is up to the service.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What the field is compared with.
    pub by: FilterBy,
    /// The field of the listed resource, or of the record that `through` leads to.
    pub field: Source,
    /// The field with the id of another record, and its resource. Only for a fixed value.
    pub through: Option<(String, String)>,
    /// The type of the field. A picked member is a list.
    pub of: Type,
    /// The other fields of a search, with their types.
    pub others: Vec<(Source, Type)>,
    /// The resource and the field whose synonyms count for a part of a text.
    pub synonyms: Option<(String, String)>,
    /// Position in the file.
    pub at: Span,
}

/// The values of a field of the records that a list has, each with the number of these records: the most frequent first,
/// then by code points. Values that filters take as equal are one.
#[derive(Clone, Debug)]
pub struct ValueCounts {
    /// The operation of the same surface whose list is counted.
    pub list: Word,
    /// The resource of its records.
    pub resource: String,
    /// The field, as rows show it: never null.
    pub value: Field,
    /// Maximum number of values.
    pub max: u32,
    /// Position in the file.
    pub at: Span,
}

impl ValueCounts {
    /// The member of a row with the number of records.
    pub const COUNT: &str = "count";
}

/// What a [`Filter`] compares its field with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterBy {
    /// A query parameter. Without a value it restricts nothing.
    Query(String, Matching),
    /// A path parameter, which the field equals.
    Path(String),
    /// The caller: the field is its id.
    Caller,
    /// A fixed value of the field's enum, `true` or `false`, which the field has in all rows.
    Value(String),
}

/// A query parameter with names: if a search finds nothing and the name is not known, the nearest known ones are proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The parameter.
    pub parameter: String,
    /// The header of the answer with the names, percent-encoded and separated by commas.
    pub header: String,
    /// Which names are known.
    pub names: KnownNames,
    /// How they are compared.
    pub alike: Alike,
}

/// Names that are known of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownNames {
    /// Texts that mean the same, in groups.
    Synonyms(Vec<Vec<String>>),
    /// A field of the records that are the distinct items of a list.
    Items {
        /// The resource of these records.
        resource: String,
        /// Its field.
        field: String,
    },
}

impl Filter {
    /// Its fields with their types: one, or those of a search.
    pub fn fields(&self) -> impl Iterator<Item = (&Source, &Type)> {
        let others = self.others.iter().map(|(field, of)| (field, of));
        std::iter::once((&self.field, &self.of)).chain(others)
    }
}

/// As in a contract: `least <= price`, `author = authors[].name`, `$caller = owner_id`, `status is open`.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = match &self.through {
            Some((id, _)) => format!("{id}.{}", self.field),
            None => self.field.to_string(),
        };
        match &self.by {
            FilterBy::Query(name, matching) => {
                write!(f, "{name} {} {field}", matching.as_str())?;
                self.others.iter().try_for_each(|(other, _)| write!(f, " | {other}"))?;
                match &self.synonyms {
                    Some((resource, field)) => write!(f, " with {resource}.{field}"),
                    None => Ok(()),
                }
            }
            FilterBy::Path(name) => write!(f, "{name} = {field}"),
            FilterBy::Caller => write!(f, "$caller = {field}"),
            FilterBy::Value(value) => write!(f, "{field} is {value}"),
        }
    }
}

impl Pages {
    /// Whether there is only the first page.
    pub fn is_one(&self) -> bool {
        self.offset.is_none() && self.number.is_none()
    }

    /// Its keys, and the name that each of them holds.
    pub fn named(&self) -> [(&'static str, Option<&str>); 4] {
        let Pages {
            size,
            offset,
            number,
            total,
            at: _,
        } = self;
        [
            ("size", Some(size)),
            ("offset", offset.as_ref().map(|name| name.as_str())),
            ("number", number.as_ref().map(|name| name.as_str())),
            ("total", total.as_ref().map(|name| name.as_str())),
        ]
    }
}
