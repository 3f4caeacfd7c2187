//! What a list shows: the entries of `filters`, and `pages`.

use super::{Span, Word};
use crate::matching::Matching;

/// A condition on the rows that a list shows.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What the field is compared with.
    pub by: FilterBy,
    /// A field of the listed resource; `skills[].name` picks a member of each.
    pub field: Word,
    /// Position in the file.
    pub at: Span,
}

/// What a [`Filter`] compares its field with.
#[derive(Clone, Debug)]
pub enum FilterBy {
    /// `tag = tags`, `least <= price`: a parameter of the path or the query.
    Parameter(Word, Matching),
    /// `$caller = owner_id`: who calls.
    Caller(Word),
    /// `status is open`: a value of the field's own.
    Value(Word),
}

/// `pages`: the names of what pages a list.
#[derive(Clone, Debug)]
pub struct Pages {
    /// The query parameter that says how many rows a page has.
    pub size: Word,
    /// The query parameter that says how many rows stand before the page.
    pub offset: Option<Word>,
    /// The query parameter that says which page it is, from 1.
    pub number: Option<Word>,
    /// What stands beside `data` and counts all rows.
    pub total: Option<Word>,
    /// Position in the file.
    pub at: Span,
}
