//! What differs between the answer of the server and that of the model.

use crate::exchange::shortened;
use codegen::Model;
use codegen::model::{ErrorEntry, Operation, Resource, SortKey, Span, Surface};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Display;

/// A difference.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// What differs, without ids and values.
    pub(super) cause: String,
    pub(super) got: String,
    pub(super) wanted: String,
    /// The error that the model answers, if the status differs. Empty for a success.
    pub(super) instead_of: Option<String>,
    /// Where the contract says so, and what stands there.
    pub(super) place: Option<(Span, String)>,
    /// Whether calls alone show it, so that a history with it can be shortened.
    pub(super) is_of_calls: bool,
}

/// Whether nothing differs.
pub(super) type Verdict = Result<(), Box<Found>>;

/// This differs.
pub(super) fn differ(cause: impl Into<String>, got: impl Display, wanted: impl Display) -> Verdict {
    Err(found(cause, got, wanted))
}

/// A difference with this cause.
pub(super) fn found(cause: impl Into<String>, got: impl Display, wanted: impl Display) -> Box<Found> {
    Box::new(Found {
        cause: cause.into(),
        got: shortened(&got.to_string()),
        wanted: shortened(&wanted.to_string()),
        instead_of: None,
        place: None,
        is_of_calls: true,
    })
}

/// An error if both are not equal.
pub(super) fn same<T: PartialEq + Display + ?Sized>(what: &str, wanted: &T, got: &T) -> Verdict {
    if wanted == got {
        Ok(())
    } else {
        differ(what, got, wanted)
    }
}

/// Names the place in the contract, unless a part has done so.
pub(super) trait Placed {
    fn at(self, place: Span, declared: impl FnOnce() -> String) -> Self;
}

impl Placed for Verdict {
    fn at(self, place: Span, declared: impl FnOnce() -> String) -> Self {
        self.map_err(|mut found| {
            found.place.get_or_insert_with(|| (place, declared()));
            found
        })
    }
}

/// What the contract says of an operation's list.
pub(super) fn describe_list(operation: &Operation) -> String {
    let filters: Vec<String> = operation.filters.iter().map(ToString::to_string).collect();
    let order = |(name, keys): (Option<&str>, &[SortKey])| {
        let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        let name = name.map(|name| format!("{name}: ")).unwrap_or_default();
        format!("{name}[{}]", keys.join(", "))
    };
    let sort: Vec<String> = operation.each_order().map(order).collect();
    format!("filters: [{}], sort: {}", filters.join(", "), sort.join(", "))
}

/// What the contract says of a field.
pub(super) fn describe_field(resource: &Resource, field: &str) -> String {
    let mut fields = resource.fields.iter().chain(&resource.joined);
    let origin = fields
        .find(|one| one.name == field)
        .and_then(|field| field.origin.as_ref());
    let origin = origin.map_or_else(String::new, |origin| format!(" = {origin}"));
    format!("{}.{field}{origin}", resource.name)
}

/// Where the contract declares this outcome.
pub(super) fn outcome_place(call: Option<(&Surface, &Operation)>, error: Option<&ErrorEntry>) -> (Span, String) {
    match (error, call) {
        (Some(error), _) => {
            let when = error.when.as_ref().map(|when| format!(" when {when}"));
            (
                error.at,
                format!("errors.{}: {}{}", error.name, error.status, when.unwrap_or_default()),
            )
        }
        (None, Some((surface, operation))) => (operation.at, surface.full_name(operation)),
        (None, None) => (Span::default(), String::new()),
    }
}

/// The names that a text of validation errors can contain.
pub(super) fn names<'m>(model: &'m Model, operation: Option<&'m Operation>) -> HashSet<&'m str> {
    let Some(operation) = operation else {
        return HashSet::new();
    };
    let body = model.body(operation).into_iter().flat_map(|body| &body.members);
    let own = operation
        .path
        .iter()
        .chain(&operation.query)
        .chain(body.map(|member| &member.field));
    let of_objects = model.objects.iter().flat_map(|object| &object.members);
    own.chain(of_objects).map(|field| field.name.as_str()).collect()
}

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The names of the members.
pub(super) fn keys(of: &Value) -> String {
    let mut names: Vec<&str> = of
        .as_object()
        .into_iter()
        .flat_map(serde_json::Map::keys)
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names.join(", ")
}

/// Causes of lists: with other rows before them, one shows as another.
pub(super) const LIST_CAUSES: [&str; 6] = [
    "order of rows",
    "rows are missing",
    "rows that should not be there",
    "other rows",
    "total",
    "number of rows on a page",
];

/// Whether two differences of one operation have one cause, probably.
pub(super) fn is_same_cause(one: &str, other: &str) -> bool {
    one == other || LIST_CAUSES.contains(&one) && LIST_CAUSES.contains(&other)
}
