//! Emits the proposals of names: the methods of the handler that find them, and the headers of a search that finds nothing.

use super::comparison::text_form;
use super::{GeneratedName, OperationContext, names};
use crate::model::{KnownNames, Nearest};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The methods of the handler.
pub(crate) fn methods(subject: &OperationContext<'_>) -> TokenStream {
    let of_items = subject
        .operation
        .nearest
        .iter()
        .filter_map(|nearest| match &nearest.names {
            KnownNames::Items { resource, .. } => Some((nearest, subject.noun(resource))),
            KnownNames::Synonyms(_) => None,
        });
    let caller = subject.caller().and(subject.credential()).map(|credential| {
        let caller = GeneratedName::Caller(&credential.name).ident();
        quote!(caller: &#caller,)
    });
    let methods = of_items.map(|(nearest, noun)| {
        let method = method(nearest);
        let doc = format!(
            "The names nearest to `{}`, which no {noun} has; none if one has it. `support::near_names` finds them.",
            nearest.parameter
        );
        quote! {
            #[doc = #doc]
            fn #method(
                &self,
                #caller
                name: String,
            ) -> impl Future<Output = Result<Vec<String>, support::Failure>> + Send;
        }
    });
    quote!(#(#methods)*)
}

fn method(nearest: &Nearest) -> proc_macro2::Ident {
    format_ident!("nearest_{}", names::snake(&nearest.parameter))
}

/// Sets the headers, if the search has found nothing.
pub(crate) fn propose(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let all = &subject.operation.nearest;
    if all.is_empty() {
        return None;
    }
    let is_empty = match subject.has_total() {
        true => quote!(success.total == 0),
        false => quote!(success.is_empty()),
    };
    let caller = subject.caller().map(|_| quote!(&asking,));
    let each = all.iter().map(|nearest| {
        let (parameter, header) = (&nearest.parameter, nearest.header.to_lowercase());
        let known = match &nearest.names {
            KnownNames::Synonyms(groups) => {
                let form = text_form(nearest.alike);
                let groups = groups.iter().map(|group| quote!(&[#(#group),*]));
                quote!(support::near_names::of_groups(&name, #form, &[#(#groups),*]))
            }
            KnownNames::Items { .. } => {
                let method = method(nearest);
                // The list itself is right without a proposal.
                quote!(app.#method(#caller name).await.unwrap_or_default())
            }
        };
        quote! {
            if #is_empty && let Some(name) = exchange.query_text(#parameter) {
                let names = #known;
                exchange.reply_names(const { support::HeaderName::from_static(#header) }, &names);
            }
        }
    });
    Some(quote!(#(#each)*))
}

/// Keeps the caller for the proposals after the request is consumed.
pub(crate) fn keep_caller(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let asks = |nearest: &Nearest| matches!(nearest.names, KnownNames::Items { .. });
    let is_needed = subject.operation.nearest.iter().any(asks) && subject.caller().is_some();
    is_needed.then(|| quote!(let asking = caller.clone();))
}
