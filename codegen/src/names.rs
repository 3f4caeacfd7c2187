//! Converts names of a contract to names in Rust. Emitters write these names, and checks look for collisions.

use heck::{ToSnakeCase, ToUpperCamelCase};

/// `create_book` or `shelfId` → `CreateBook`, `ShelfId`.
pub(crate) fn pascal(name: &str) -> String {
    name.to_upper_camel_case()
}

/// `minPages` or `LoanCard` → `min_pages`, `loan_card`.
pub fn snake(name: &str) -> String {
    name.to_snake_case()
}

/// The `operationId` of an operation in OpenAPI: surface `public`, operation `list_books` → `public_list_books`.
pub(crate) fn operation_id(surface: &str, operation: &str) -> String {
    format!("{surface}_{operation}")
}

/// The `operationId` of the webhook of an event in OpenAPI: `loan.created` → `event_loan_created`.
pub(crate) fn event_id(kind: &str) -> String {
    operation_id("event", &kind.replace('.', "_"))
}

/// `account` → `an account`.
pub(crate) fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// `copy` → `copies`: the plural of a noun, as English forms it for most nouns. Of several words, that of the last one.
pub(crate) fn plural(noun: &str) -> String {
    let before_y = noun
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    if let Some(stem) = before_y.filter(|stem| !stem.is_empty()) {
        return format!("{stem}ies");
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    format!("{noun}{}", if hisses { "es" } else { "s" })
}

/// Kinds of names that are generated from names of a contract, in addition to a type for each name.
#[derive(Clone, Copy)]
pub(crate) enum GeneratedName<'n> {
    /// The newtype of a resource's ids.
    Id(&'n str),
    /// The data from which a record or an object is created.
    Seed(&'n str),
    /// The data that a record needs in addition to an input.
    Rest(&'n str),
    /// The trait that finds a resource for the guards.
    Find(&'n str),
    /// The trait that finds out whether a record lets a caller see a hidden record of another resource.
    Has(&'n str, &'n str),
    /// The marker type of a view.
    View(&'n str, &'n str),
    /// The members of a view.
    Row(&'n str, &'n str),
    /// The caller that a credential identifies.
    Caller(&'n str),
    /// The trait that finds the caller of a credential.
    Admit(&'n str),
    /// The variant of an error about a resource.
    ErrorResponse(&'n str, &'n str),
}

impl GeneratedName<'_> {
    pub(crate) fn name(self) -> String {
        match self {
            Self::Id(resource) => pascal(resource) + "Id",
            Self::Seed(owner) => pascal(owner) + "Seed",
            Self::Rest(input) => pascal(input) + "Rest",
            Self::Find(resource) => "Find".to_owned() + &pascal(resource),
            Self::Has(resource, of) => format!("Has{}Of{}", pascal(resource), pascal(of)),
            Self::View(resource, view) => pascal(resource) + &pascal(view),
            Self::Row(resource, view) => Self::View(resource, view).name() + "Row",
            Self::Caller(credential) => pascal(credential) + "Caller",
            Self::Admit(credential) => "Admit".to_owned() + &pascal(credential),
            Self::ErrorResponse(row, resource) => pascal(row) + &pascal(resource),
        }
    }
}
