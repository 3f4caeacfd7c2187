//! What the names of a contract become in Rust. Emitters write these names, and checks look for two that would be one.

/// `create_book` or `shelfId` → `CreateBook`, `ShelfId`.
pub(crate) fn pascal(name: &str) -> String {
    let mut out = String::new();
    let mut upper = true;
    for letter in name.chars() {
        if letter.is_alphanumeric() {
            if upper {
                out.extend(letter.to_uppercase());
            } else {
                out.push(letter);
            }
            upper = false;
        } else {
            upper = true;
        }
    }
    out
}

/// `minPages` or `LoanCard` → `min_pages`, `loan_card`.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            if !out.is_empty() && !out.ends_with('_') {
                out.push('_');
            }
            out.extend(letter.to_lowercase());
        } else if letter.is_alphanumeric() {
            out.push(letter);
        } else if !out.ends_with('_') {
            out.push('_');
        }
    }
    out
}

/// `account` → `an account`.
pub(crate) fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// What is made of names of a contract, besides a type of each name.
#[derive(Clone, Copy)]
pub(crate) enum GeneratedName<'n> {
    /// The newtype of a resource's ids.
    Id(&'n str),
    /// What it takes to make a record or an object.
    Seed(&'n str),
    /// What it takes to make a record of an input, besides the input.
    Rest(&'n str),
    /// The trait that finds a resource for the guards.
    Find(&'n str),
    /// The marker type of a resource's view.
    View(&'n str, &'n str),
    /// The members of a resource's view.
    Row(&'n str, &'n str),
    /// The caller that a credential stands for.
    Caller(&'n str),
    /// The trait that finds who a credential stands for.
    Admit(&'n str),
    /// The variant of a row of errors that is about a resource.
    ErrorResponse(&'n str, &'n str),
}

impl GeneratedName<'_> {
    pub(crate) fn name(self) -> String {
        match self {
            Self::Id(resource) => pascal(resource) + "Id",
            Self::Seed(owner) => pascal(owner) + "Seed",
            Self::Rest(input) => pascal(input) + "Rest",
            Self::Find(resource) => "Find".to_owned() + &pascal(resource),
            Self::View(resource, view) => pascal(resource) + &pascal(view),
            Self::Row(resource, view) => Self::View(resource, view).name() + "Row",
            Self::Caller(credential) => pascal(credential) + "Caller",
            Self::Admit(credential) => "Admit".to_owned() + &pascal(credential),
            Self::ErrorResponse(row, resource) => pascal(row) + &pascal(resource),
        }
    }
}
