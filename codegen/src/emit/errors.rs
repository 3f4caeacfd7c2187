//! Emits the error table: one function for each error. Its status and its text are written only there.

use crate::emit::shared::{Context, names, said, templates};
use crate::model::ErrorEntry;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let rows = context.model.errors.iter().map(emit_row);
    let internal = call_plain(context, Step::Internal).expect("checked: there is a row for whatever else goes wrong");
    let unwritable = call_plain(context, Step::Write).unwrap_or_else(|| internal.clone());
    quote! {
        /// The error table.
        #[allow(dead_code, reason = "an error may belong to no operation")]
        pub(crate) mod errors {
            use super::support::{Failure, ErrorResponse};

            #(#rows)*

            /// The error response to a storage failure before the handler runs.
            pub(crate) fn failure(failure: Failure) -> ErrorResponse {
                match failure {
                    Failure::Unwritable => #unwritable,
                    Failure::Unauthenticated | Failure::Suspended | Failure::Internal => #internal,
                }
            }
        }
    }
}

fn call_plain(context: &Context<'_>, step: Step) -> Option<TokenStream> {
    let function = names::value(&context.model.error_at(step)?.name);
    Some(quote!(#function()))
}

fn emit_row(row: &ErrorEntry) -> TokenStream {
    let function = names::value(&row.name);
    let (name, status) = (&row.name, proc_macro2::Literal::u16_unsuffixed(row.status));
    let help = row.help.as_deref().map(|help| format!(".{}", said(Some(help))));
    let doc = format!("`{name}`: {}{}", row.status, help.unwrap_or_default());
    let arguments = row.placeholders().into_iter().map(names::value);
    let fill = |placeholder: &str| {
        let ident = names::value(placeholder);
        quote!(#ident)
    };
    let text = templates::text(&row.text, fill);
    let headers = row.headers.iter().map(|(header, template)| {
        let header = header.to_lowercase();
        let value = templates::string(template, fill);
        quote!((#header, #value))
    });
    quote! {
        #[doc = #doc]
        pub(crate) fn #function(#(#arguments: impl std::fmt::Display),*) -> ErrorResponse {
            ErrorResponse { error: #name, status: #status, text: #text, headers: vec![#(#headers),*] }
        }
    }
}
