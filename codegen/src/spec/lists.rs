//! The content of a list: the entries of `filters`, and `pages`.

use super::{Span, Word};
use crate::matching::Matching;

/// A condition on the rows of a list.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What the field is compared with.
    pub by: FilterBy,
    /// A field of the listed resource. `skills[].name` picks a member of each item.
    pub field: Word,
    /// Position in the file.
    pub at: Span,
}

/// What a [`Filter`] compares its field with.
#[derive(Clone, Debug)]
pub enum FilterBy {
    /// `tag = tags`, `least <= price`: a parameter of the path or the query.
    Parameter(Word, Matching),
    /// `$caller = owner_id`: the caller.
    Caller(Word),
    /// `status is open`: a fixed value of the field.
    Value(Word),
}

/// `pages`: the names of the parameters that page a list.
#[derive(Clone, Debug)]
pub struct Pages {
    /// The query parameter with the maximum number of rows on a page.
    pub size: Word,
    /// The query parameter with the number of rows before the page.
    pub offset: Option<Word>,
    /// The query parameter with the number of the page, from 1.
    pub number: Option<Word>,
    /// The sibling of `data` with the number of rows on all pages.
    pub total: Option<Word>,
    /// Position in the file.
    pub at: Span,
}
