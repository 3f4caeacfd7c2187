//! Emits the call of the handler, and the response for its result.

use crate::emit::shared::operation_context::{PRESENTED, USES};
use crate::emit::shared::{
    OperationContext, answering, error_constructors, feed, names, nearest, quota_use, templates,
};
use crate::model::{Data, Effect, QuotaOf};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn handle(subject: &OperationContext<'_>) -> TokenStream {
    let (operation, module) = (subject.operation, subject.module());
    let members = subject.members().into_iter().map(|member| member.name);
    let (keep, siblings) = siblings(subject);
    let presented = subject.ending_credential().map(|(credential, _)| {
        let (header, presented) = (&credential.header, format_ident!("{PRESENTED}"));
        quote!(let #presented = support::PresentedCredential::from_headers(&exchange.headers, #header);)
    });
    let data = match (&operation.data, subject.has_total()) {
        (None, _) => None,
        (Some(Data::Events), _) => Some(quote!(&mut success.rows())),
        (Some(_), true) => Some(quote!(&mut success.rows)),
        (Some(_), false) => Some(quote!(&mut success)),
    };
    let success = match operation.data {
        Some(_) => quote!(mut success),
        None if operation.content_of.is_some() => quote!(success),
        None => quote!(()),
    };
    let (success, unwrap) = match operation.keep_seconds {
        Some(_) => (quote!(done), Some(quote!(let #success = done.into_inner();))),
        None => (success, None),
    };
    let arms = error_constructors::for_operation(subject)
        .into_iter()
        .map(|error_response| {
            let (variant, call) = (error_response.variant, error_response.call);
            let fields = error_response.states.map(|_| quote!({ from, to }));
            quote!(Error::#variant #fields => #call)
        });
    let feed = operation.feed.as_ref().map(|feed| feed::emit(subject, feed));
    let feed::Feeding {
        waits,
        call,
        again,
        unknown,
    } = feed.unwrap_or_default();
    let request = quote!(Request { #(#members,)* });
    let (waited, done) = match call {
        Some(call) => (Some(quote!(let request = #request; let done = #call;)), quote!(done)),
        None => (None, quote!(app.#module(#request).await)),
    };
    let answer = answering::answer(subject, data, &siblings);
    let answer = answering::answer_with_headers(subject, answer);
    let path_ids = answering::path_ids(subject);
    let (asking, nearest) = (nearest::keep_caller(subject), nearest::propose(subject));
    // With a credential the header is set once that is accepted.
    let is_first = subject.credential().is_none() && subject.context.model.forbids_caches(subject.surface, operation);
    let no_store = is_first.then(templates::no_store);
    let uses = uses(subject);
    quote! {
        #keep
        #path_ids
        #waits
        #presented
        #uses
        #asking
        #waited
        match #done {
            Ok(#success) => {
                #unwrap
                #again
                #nearest
                #no_store
                #answer
            }
            Err(error) => Err(match error { #(#arms,)* #unknown }),
        }
    }
}

/// What the request counts towards quotas.
fn uses(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let uses = subject.quotas().map(|quota| {
        let amount = match &quota.of {
            QuotaOf::BodyBytes => quote!(Of(i64::try_from(body_bytes).unwrap_or(i64::MAX))),
            QuotaOf::FileBytes => quote!(Of(i64::try_from(file.bytes).unwrap_or(i64::MAX))),
            QuotaOf::Records(of) if subject.context.model.resource(of).distinct.is_some() => quote!(NewItems),
            QuotaOf::Records(of) => made(subject, of),
        };
        quota_use(subject, quota, &amount)
    });
    let member = format_ident!("{USES}");
    (!subject.operation.quotas.is_empty()).then(|| quote!(let #member = vec![#(#uses),*];))
}

/// How many records of a resource the request makes.
fn made(subject: &OperationContext<'_>, of: &str) -> TokenStream {
    let each = subject
        .operation
        .decisive_effects()
        .iter()
        .find_map(|effect| match effect {
            Effect::Make { resource, each, .. } if resource == of => each.as_ref(),
            _ => None,
        });
    match each.map(|member| names::value(member)) {
        Some(member) => quote!(Of(i64::try_from(body.#member.len()).unwrap_or(i64::MAX))),
        None => quote!(Of(1)),
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
            Some(index) => quote!(support::encoded::Sibling::Number(echoed[#index])),
            None => quote!(support::encoded::Sibling::Number(success.total)),
        };
        quote!((#sibling, #value))
    });
    (keep, members.collect())
}
