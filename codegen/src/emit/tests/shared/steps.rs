//! The steps of a request by the names that the kit has for them.

use crate::model::ErrorEntry;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The kit's name of the step at which a row rejects.
pub(crate) fn step(row: &ErrorEntry) -> TokenStream {
    let (ident, name) = (format_ident!("{}", format!("{:?}", row.step)), &row.name);
    if row.step == Step::Rule {
        quote!(Step::#ident(#name))
    } else {
        quote!(Step::#ident)
    }
}
