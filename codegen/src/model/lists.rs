//! What a list shows: which rows, and which part of them.

use super::{Source, Span, Type};
use crate::matching::Matching;
use std::fmt;

/// A condition on the rows that a list shows. All conditions of an operation hold for each row.
///
/// Of a list, or of the members that are picked, one must match; a field that is null matches nothing. How texts are
/// alike is the service's own matter.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What the field is compared with.
    pub by: FilterBy,
    /// The field of the listed resource.
    pub field: Source,
    /// The type of the field; a pick is a list.
    pub of: Type,
    /// Where it stands.
    pub at: Span,
}

/// What a [`Filter`] compares its field with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterBy {
    /// A parameter of the query. One that has no value restricts nothing.
    Query(String, Matching),
    /// A parameter of the path, which the field is.
    Path(String),
    /// Who calls: the field is its id.
    Caller,
    /// A value of the field's enum, `true` or `false`, which the field is in all rows, whatever is asked for.
    Value(String),
}

/// As it stands in a contract: `least <= price`, `author = authors[].name`, `$caller = owner_id`, `status is open`.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = &self.field;
        match &self.by {
            FilterBy::Query(name, matching) => write!(f, "{name} {} {field}", matching.as_str()),
            FilterBy::Path(name) => write!(f, "{name} = {field}"),
            FilterBy::Caller => write!(f, "$caller = {field}"),
            FilterBy::Value(value) => write!(f, "{field} is {value}"),
        }
    }
}

/// How a list is cut into pages. With neither `offset` nor `number` there is the first page only.
#[derive(Clone, Debug)]
pub struct Pages {
    /// The query parameter that says how many rows a page has at most.
    pub size: String,
    /// The query parameter that says how many rows stand before the page, from 0.
    pub offset: Option<String>,
    /// The query parameter that says which page it is, from 1; never beside `offset`.
    pub number: Option<String>,
    /// What stands beside `data` and counts all rows, on whatever page.
    pub total: Option<String>,
    /// Where it stands.
    pub at: Span,
}

impl Pages {
    /// Its keys, and what each of them names.
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
            ("offset", offset.as_deref()),
            ("number", number.as_deref()),
            ("total", total.as_deref()),
        ]
    }
}
