//! Emits what a feed of events needs beside other operations: a place among the requests that wait, and a second check
//! of the credential.

use super::{OperationContext, names, templates};
use crate::model::Feed;
use proc_macro2::TokenStream;
use quote::quote;

/// The parts of a feed's last step. Those of other operations are empty.
#[derive(Default)]
pub(crate) struct Feeding {
    /// Before the handler: counts the request as one that waits.
    pub(crate) waits: TokenStream,
    /// The call of the handler, if it waits.
    pub(crate) call: Option<TokenStream>,
    /// After the handler: authenticates again.
    pub(crate) again: TokenStream,
    /// The arm of an unknown cursor.
    pub(crate) unknown: TokenStream,
}

pub(crate) fn emit(subject: &OperationContext<'_>, feed: &Feed) -> Feeding {
    let after = &feed.after;
    let invalid = templates::invalid_input(subject.context.model);
    let unknown = quote! {
        Error::UnknownCursor => {
            let mut errors = exchange.validation_errors();
            errors.report_member(#after, &support::feed::unknown_cursor());
            #invalid
        }
    };
    let Some(wait) = feed.wait.as_ref().map(|wait| names::value(wait)) else {
        return Feeding {
            unknown,
            ..Feeding::default()
        };
    };
    let credential = subject.credential().expect("checked: a feed has callers");
    let module = names::value(&credential.name);
    let (handler, kind, number) = (subject.module(), subject.caller_kind(), subject.caller_number());
    Feeding {
        waits: quote! {
            let is_waiting = query.#wait > 0;
            let waiting = if is_waiting {
                Some(limits.begin_to_wait((#kind, #number))?)
            } else {
                None
            };
        },
        call: Some(quote! {
            if let Some(waiting) = &waiting {
                let query = Query { #wait: 0, ..request.query.clone() };
                let at_once = Request { query, ..request.clone() };
                let answer = |request| app.#handler(request);
                waiting.answer(exchange.departed(), (request, at_once), answer).await
            } else {
                app.#handler(request).await
            }
        }),
        again: quote! {
            drop(waiting);
            if is_waiting {
                super::super::#module::authenticate_again(app, exchange).await?;
            }
        },
        unknown,
    }
}

/// The members beside the events, with their values.
pub(crate) fn siblings() -> Vec<TokenStream> {
    vec![
        quote!(("cursor", support::encoded::Sibling::Text(success.cursor))),
        quote!(("has_more", support::encoded::Sibling::Flag(success.has_more))),
        quote!(("truncated", support::encoded::Sibling::Flag(success.truncated))),
    ]
}
