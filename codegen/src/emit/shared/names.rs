//! Turns names of the contract into Rust identifiers.

use super::GeneratedName;
use proc_macro2::Ident;
use quote::format_ident;

pub(crate) use crate::names::{pascal, snake, with_article};

impl GeneratedName<'_> {
    pub(crate) fn ident(self) -> Ident {
        format_ident!("{}", self.name())
    }
}

/// The name of the count of response bytes: of its field, in metrics, and among servers that share limits.
pub(crate) const RESPONSE_BYTES: &str = "response_bytes";

/// The identifier of a value: snake case, raw if it is a keyword.
pub(crate) fn value(name: &str) -> Ident {
    let name = snake(name);
    // `syn` does not know the keyword that edition 2024 has added.
    match syn::parse_str::<Ident>(&name) {
        Ok(ident) if name != "gen" => ident,
        _ => format_ident!("r#{name}"),
    }
}

/// The function that decodes the names of events that callers of this resource can get.
pub(crate) fn of_event_names(caller: &str) -> Ident {
    format_ident!("decode_for_{}", snake(caller))
}

/// The local variable of a decoded member. It differs from all variables of the decoder itself.
pub(crate) fn local(name: &str) -> Ident {
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

/// The request member with the proof that the caller owns a resource: `owned_loan` for `Loan`. It has a name of its
/// own, so a handler that requires the owner does not compile without the guard.
pub(crate) fn owned(resource: &str) -> Ident {
    format_ident!("owned_{}", snake(resource))
}
