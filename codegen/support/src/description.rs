//! What a command line or a page needs to know of an operation to ask for its values and to show its answer.

/// An operation, as its contract describes it.
#[derive(Clone, Copy, Debug)]
pub struct OperationDescription {
    /// The HTTP method.
    pub method: &'static str,
    /// The whole path, parameters written `:name`.
    pub path: &'static str,
    /// The parameters of the path, in order. Each is an id.
    pub ids: &'static [&'static str],
    /// The parameters of the query, without those that choose a page.
    pub query: &'static [FieldDescription],
    /// The members of the body.
    pub body: &'static [FieldDescription],
    /// The members of a record in the answer, in order; none if it shows no records.
    pub shown: &'static [&'static str],
    /// The parameters of the query with the size of a page and the items before it, if the list has such pages.
    pub pages: Option<(&'static str, &'static str)>,
}

/// A parameter, or a member of a body.
#[derive(Clone, Copy, Debug)]
pub struct FieldDescription {
    /// Its name.
    pub name: &'static str,
    /// Its description; empty if there is none.
    pub doc: &'static str,
    /// How its values are written.
    pub kind: FieldKind,
    /// Whether a request must have it.
    pub required: bool,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// As it is: a text, a date, a time.
    Text,
    /// As a number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// As one of these words.
    Word(&'static [&'static str]),
    /// As JSON: a list or an object.
    Json,
}
