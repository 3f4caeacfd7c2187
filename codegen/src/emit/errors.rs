//! Emits the error table: one function for each error. Its status and its text are written only there.

use crate::emit::shared::{Context, doc_sentence, names, templates};
use crate::model::ErrorEntry;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let entries = context.model.errors.iter().map(|entry| emit_error(context, entry));
    let internal = call_plain(context, Step::Internal).expect("checked: there is a row for whatever else goes wrong");
    let steps = [
        (Step::Available, quote!(Failure::Unavailable)),
        (Step::Write, quote!(Failure::Unwritable)),
        (Step::Outcome, quote!(Failure::OutcomeUnknown)),
    ];
    let (mut of_entries, mut others) = (Vec::new(), Vec::new());
    for (step, failure) in steps {
        match call_plain(context, step) {
            Some(entry) => of_entries.push(quote!(#failure => #entry,)),
            None => others.push(quote!(#failure |)),
        }
    }
    let available = context.model.error_at(Step::Available);
    let available = available.map(|_| {
        quote!(
            pub use support::Available;
        )
    });
    let mut operations = context.model.operations();
    let files = operations.any(|(_, operation)| operation.file.is_some());
    let files = files.then(|| {
        quote!(
            pub use support::KeepFiles;
        )
    });
    quote! {
        #available
        #files

        /// The error table.
        #[allow(dead_code, reason = "an error may belong to no operation")]
        pub(crate) mod errors {
            use super::support::{Failure, ErrorResponse};

            #(#entries)*

            /// The error response to a storage failure before the handler runs.
            pub(crate) fn failure(failure: Failure) -> ErrorResponse {
                match failure {
                    #(#of_entries)*
                    #(#others)* Failure::Unauthenticated | Failure::Suspended | Failure::OverQuota(_) | Failure::Internal => #internal,
                }
            }
        }
    }
}

fn call_plain(context: &Context<'_>, step: Step) -> Option<TokenStream> {
    let function = names::value(&context.model.error_at(step)?.name);
    Some(quote!(#function()))
}

fn emit_error(context: &Context<'_>, entry: &ErrorEntry) -> TokenStream {
    let function = names::value(&entry.name);
    let (name, status) = (&entry.name, proc_macro2::Literal::u16_unsuffixed(entry.status));
    let help = entry
        .help
        .as_deref()
        .map(|help| format!(".{}", doc_sentence(Some(help))));
    let doc = format!("`{name}`: {}{}", entry.status, help.unwrap_or_default());
    let arguments = entry.placeholders().into_iter().map(names::value);
    let fill = |placeholder: &str| {
        let ident = names::value(placeholder);
        quote!(#ident)
    };
    let text = templates::text(&entry.text, fill);
    let headers = context.model.headers_of_error(entry);
    let headers = headers.iter().map(|(header, template)| {
        let header = header.to_lowercase();
        let value = templates::string(template, fill);
        quote!((#header, #value))
    });
    quote! {
        #[doc = #doc]
        pub(crate) fn #function(#(#arguments: impl std::fmt::Display),*) -> ErrorResponse {
            ErrorResponse::new(#name, #status, #text, vec![#(#headers),*])
        }
    }
}
