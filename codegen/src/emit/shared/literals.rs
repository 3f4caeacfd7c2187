//! Values of the contract as literals of Rust.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

/// A number without its type's name behind it.
pub(crate) fn count(number: u64) -> Literal {
    Literal::u64_unsuffixed(number)
}

/// `Some(value)` or `None`.
pub(crate) fn option<T: ToTokens>(value: Option<T>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}
