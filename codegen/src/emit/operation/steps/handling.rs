//! Emits the call of the handler, and the response for its result.

use crate::emit::shared::operation_context::PRESENTED;
use crate::emit::shared::{OperationContext, error_constructors, feed, literals, names, nearest, templates};
use crate::model::Data;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

pub(super) fn handle(subject: &OperationContext<'_>) -> TokenStream {
    let (operation, module) = (subject.operation, subject.module());
    let members = subject.members().into_iter().map(|member| member.name);
    let status = Literal::u16_unsuffixed(operation.status);
    let (keep, siblings) = siblings(subject);
    let presented = subject.ending_credential().map(|(credential, _)| {
        let (header, presented) = (&credential.header, format_ident!("{PRESENTED}"));
        quote!(let #presented = support::PresentedCredential::of(&exchange.headers, #header);)
    });
    let data = match (&operation.data, subject.has_total()) {
        (None, _) => quote!(None),
        (Some(Data::Events), _) => quote!(Some(&mut success.rows())),
        (Some(_), true) => quote!(Some(&mut success.rows)),
        (Some(_), false) => quote!(Some(&mut success)),
    };
    let success = match operation.data {
        Some(_) => quote!(mut success),
        None => quote!(()),
    };
    let (success, unwrap) = match operation.keep_seconds {
        Some(_) => (quote!(done), Some(quote!(let #success = done.into_inner();))),
        None => (success, None),
    };
    let message = literals::option(operation.message.as_ref());
    let arms = error_constructors::of(subject).into_iter().map(|error_response| {
        let (variant, call) = (error_response.variant, error_response.call);
        let fields = error_response.states.map(|_| quote!({ from, to }));
        quote!(Error::#variant #fields => #call)
    });
    let feed = operation.feed.as_ref().map(|feed| feed::emit(subject, feed));
    let feed::Feeding { waits, again, unknown } = feed.unwrap_or_default();
    let (asking, nearest) = (nearest::keep_caller(subject), nearest::propose(subject));
    let no_store = subject.context.model.forbids_caches(operation).then(|| {
        let name = quote!(const { support::HeaderName::from_static("cache-control") });
        templates::constant_header(&name, "no-store")
    });
    quote! {
        #keep
        #waits
        #presented
        #asking
        match app.#module(Request { #(#members,)* }).await {
            Ok(#success) => {
                #unwrap
                #again
                #nearest
                #no_store
                Ok(envelope::success(#status, #data, #message, &[#(#siblings),*]))
            }
            Err(error) => Err(match error { #(#arms,)* #unknown }),
        }
    }
}

/// The variables that keep the parameters shown beside `data` after the request is consumed, and those siblings with
/// their values.
fn siblings(subject: &OperationContext<'_>) -> (Option<TokenStream>, Vec<TokenStream>) {
    let siblings = &subject.operation.siblings;
    if subject.operation.feed.is_some() {
        return (None, feed::siblings());
    }
    let echoed: Vec<&String> = siblings.iter().filter(|sibling| *sibling != "total").collect();
    let values = echoed.iter().map(|sibling| names::value(sibling));
    let keep = (!echoed.is_empty()).then(|| quote!(let echoed = [#(query.#values),*];));
    let members = siblings.iter().map(|sibling| {
        let index = echoed.iter().position(|one| *one == sibling);
        let value = match index {
            Some(index) => quote!(support::feed::Sibling::Number(echoed[#index])),
            None => quote!(support::feed::Sibling::Number(success.total)),
        };
        quote!((#sibling, #value))
    });
    (keep, members.collect())
}
