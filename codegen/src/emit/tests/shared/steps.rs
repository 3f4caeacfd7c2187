//! The steps of a request by their names in the conformance library.

use crate::model::ErrorEntry;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The conformance library's name of the step at which an error rejects.
pub(crate) fn step(row: &ErrorEntry) -> TokenStream {
    let (ident, name) = (format_ident!("{}", format!("{:?}", row.step)), &row.name);
    if row.step == Step::Rule {
        quote!(Step::#ident(#name))
    } else {
        quote!(Step::#ident)
    }
}
