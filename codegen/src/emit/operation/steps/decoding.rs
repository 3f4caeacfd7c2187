//! Emits the decoding of path, query and body. All validation errors are reported together.

use crate::emit::shared::{OperationContext, literals, names, templates};
use crate::model::{Body, IdSource, QuotaOf};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn media_type(subject: &OperationContext<'_>) -> TokenStream {
    if !subject.operation.takes_body() {
        return quote!();
    }
    let types = subject.context.model.media_types(subject.operation);
    let error_response = templates::error_response(subject.entry(Step::MediaType), |_| quote!(#types));
    if let Some(file) = &subject.operation.file {
        let types = &file.types;
        return quote! {
            let Some(media_type) = exchange.file_type(&[#(#types),*]) else {
                return Err(#error_response);
            };
        };
    }
    let is_sent = may_be_absent(subject).then(|| quote!(exchange.declares_body() &&));
    quote! {
        if #is_sent !exchange.has_json_body() {
            return Err(#error_response);
        }
    }
}

pub(super) fn read_body(subject: &OperationContext<'_>) -> TokenStream {
    let max_bytes = literals::count(subject.operation.max_bytes);
    if subject.operation.file.is_some() {
        return quote!(bodies::check_length(exchange, #max_bytes)?;);
    }
    if subject.operation.body.is_none() {
        return quote!();
    }
    let mut quotas = subject.quotas();
    let size = quotas
        .any(|quota| quota.of == QuotaOf::BodyBytes)
        .then(|| quote!(let body_bytes = bytes.len();));
    let or_empty = may_be_absent(subject).then(|| quote!(let bytes = support::or_empty_object(bytes);));
    quote! {
        let bytes = bodies::read(exchange, #max_bytes).await?;
        #size
        #or_empty
    }
}

/// Receives the file that is the body, once all else of the request is valid. `again` authenticates again.
fn receive(subject: &OperationContext<'_>, again: &TokenStream) -> Option<TokenStream> {
    let file = subject.operation.file.as_ref()?;
    let max_bytes = literals::count(subject.operation.max_bytes);
    let max_seconds = literals::count(file.max_seconds);
    let error_response = templates::error_response(subject.entry(Step::Decode), |_| quote!(errors.into_text()));
    let mut quotas = subject.quotas();
    let size = quotas
        .any(|quota| quota.of == QuotaOf::BodyBytes)
        .then(|| quote!(let body_bytes = usize::try_from(file.bytes).unwrap_or(usize::MAX);));
    Some(quote! {
        if !errors.is_empty() {
            return Err(#error_response);
        }
        let file = bodies::receive(exchange, (#max_bytes, #max_seconds), media_type, app).await?;
        #again
        #size
    })
}

fn may_be_absent(subject: &OperationContext<'_>) -> bool {
    let body = subject.context.model.body(subject.operation);
    body.is_some_and(Body::may_be_absent)
}

/// `key` reads the idempotency key, if the operation takes one. `again` authenticates again after a file was received.
pub(super) fn decode(subject: &OperationContext<'_>, key: Option<TokenStream>, again: &TokenStream) -> TokenStream {
    let operation = subject.operation;
    let mut names = Vec::new();
    let mut decoders = Vec::new();
    if !operation.path.is_empty() {
        names.push(format_ident!("path"));
        decoders.push(quote!(Path::decode(exchange, &mut errors)));
    }
    if !operation.query.is_empty() {
        names.push(format_ident!("query"));
        decoders.push(quote!(Query::decode(exchange.query(), &mut errors)));
    }
    let no_query = operation
        .query
        .is_empty()
        .then(|| quote!(exchange.no_query(&mut errors);));
    let body = operation.body.as_ref().map(|_| {
        names.push(format_ident!("body"));
        quote!(let (body, errors, _turn) = support::decode_json(bytes, errors, Body::decode).await;)
    });
    let ids = operation.exists().map(|exists| {
        let (id, sent) = (subject.id(&exists.resource), subject.sent_id(&exists.resource));
        let (part, name) = match &exists.id {
            IdSource::Path(name) => (format_ident!("path"), name),
            IdSource::Body(name) => (format_ident!("body"), name),
        };
        let field = names::value(name);
        quote! {
            let #id = #part.#field;
            let #sent = errors.sent_id(#name, #id.get());
        }
    });
    let receive = receive(subject, again);
    let decoded = &names[..decoders.len()];
    let error_response = templates::error_response(subject.entry(Step::Decode), |_| quote!(errors.into_text()));
    let sound = if names.is_empty() {
        quote! {
            if !errors.is_empty() {
                return Err(#error_response);
            }
        }
    } else {
        quote! {
            let (#(Some(#names),)* true) = (#(#names,)* errors.is_empty()) else {
                return Err(#error_response);
            };
        }
    };
    quote! {
        let mut errors = exchange.validation_errors();
        #(let #decoded = #decoders;)*
        #no_query
        #receive
        #key
        #body
        #sound
        #(#ids)*
    }
}
