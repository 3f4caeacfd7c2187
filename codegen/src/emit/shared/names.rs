//! How names of the contract become names of Rust.

use proc_macro2::Ident;
use quote::format_ident;

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

/// The identifier of a value: snake case, raw where it is a keyword.
pub(crate) fn value(name: &str) -> Ident {
    let name = snake(name);
    // `syn` does not know the keyword that the edition 2024 has added.
    match syn::parse_str::<Ident>(&name) {
        Ok(ident) if name != "gen" => ident,
        _ => format_ident!("r#{name}"),
    }
}

/// The local variable that holds a decoded member: none of the decoder's own.
pub(crate) fn given(name: &str) -> Ident {
    format_ident!("given_{}", snake(name))
}

/// The identifier of a type or variant.
pub(crate) fn of_type(name: &str) -> Ident {
    format_ident!("{}", pascal(name))
}

/// The identifier of a constant.
pub(crate) fn constant(name: &str) -> Ident {
    format_ident!("{}", snake(name).to_uppercase())
}

/// The newtype of a resource's ids.
pub(crate) fn id_of(resource: &str) -> Ident {
    format_ident!("{}Id", pascal(resource))
}

/// The marker type of a view.
pub(crate) fn view(resource: &str, view: &str) -> Ident {
    format_ident!("{}{}", pascal(resource), pascal(view))
}

/// The caller that a credential stands for.
pub(crate) fn caller(credential: &str) -> Ident {
    format_ident!("{}Caller", pascal(credential))
}

/// Where a request holds the proof that the caller owns a resource. It has a name of its own, so that no handler that is
/// for the owner alone compiles once the guard is gone: `owned_loan` for `Loan`.
pub(crate) fn owned(resource: &str) -> Ident {
    format_ident!("owned_{}", snake(resource))
}

/// `account` → `an account`.
pub(crate) fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// The trait that finds who a credential stands for.
pub(crate) fn admit(credential: &str) -> Ident {
    format_ident!("Admit{}", pascal(credential))
}

/// The trait that finds a resource for the guards.
pub(crate) fn find(resource: &str) -> Ident {
    format_ident!("Find{}", pascal(resource))
}
