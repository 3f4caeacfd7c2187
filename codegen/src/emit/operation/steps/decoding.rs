//! Emits the decoding of path, query and body. All validation errors are reported together.

use crate::emit::shared::{
    GeneratedName, OperationContext, body_bounds, error_constructors, literals, names, quota_use, templates,
};
use crate::model::{Body, IdSource, Ids, Quota, QuotaOf};
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

/// Takes a place for the file that is the body. Without an error of the step `busy`, the request waits for it later.
pub(super) fn begin(subject: &OperationContext<'_>) -> Option<TokenStream> {
    subject.operation.file.as_ref()?;
    Some(quote!(let mut upload = bodies::begin(app).await?;))
}

/// Receives the file that is the body, once all else of the request is valid, and there is room for it. `again` authenticates
/// again.
fn receive(subject: &OperationContext<'_>, keys: &KeySteps, again: &TokenStream) -> Option<TokenStream> {
    let file = subject.operation.file.as_ref()?;
    let max_bytes = literals::count(subject.operation.max_bytes);
    let max_seconds = literals::count(file.max_seconds);
    let bounds = body_bounds(
        file.min_rate.as_ref(),
        &quote!(max_seconds: #max_seconds),
        &quote!(max_bytes: #max_bytes),
    );
    let error_response = templates::invalid_input(subject.context.model);
    let is_counted = subject.quotas().any(|quota| quota.of == QuotaOf::BodyBytes);
    let size = is_counted.then(|| quote!(let body_bytes = usize::try_from(file.bytes).unwrap_or(usize::MAX);));
    let begin = subject
        .context
        .model
        .error_at(Step::Busy)
        .is_none()
        .then(|| begin(subject));
    let (key, count, refused) = (&keys.read, count(subject, keys.is_known.as_ref()), refused(subject));
    Some(quote! {
        #key
        if !errors.is_empty() {
            return Err(#error_response);
        }
        #begin
        #count
        let (bounds, refused) = (#bounds, #refused);
        let file = bodies::receive(exchange, (bounds, media_type), app, upload.as_mut(), refused).await?;
        #again
        #size
    })
}

/// States towards which quotas the bytes of a file count. Those of a repeated request do not: nothing is made for it.
fn count(subject: &OperationContext<'_>, is_known: Option<&TokenStream>) -> Option<TokenStream> {
    // The ids of other owners are not known yet.
    let of_caller = |quota: &&Quota| subject.caller().is_some_and(|caller| caller.resource == quota.per);
    let quotas = subject.quotas().filter(|quota| quota.records().is_none());
    let uses = quotas
        .filter(of_caller)
        .map(|quota| quota_use(subject, quota, &quote!(Of(0))));
    let uses: Vec<_> = uses.collect();
    let (pattern, value) = match is_known {
        None => (quote!(Some(upload)), quote!(&mut upload)),
        Some(is_known) => (quote!((false, Some(upload))), quote!((#is_known, &mut upload))),
    };
    let count = quote! {
        if let #pattern = #value {
            upload.count_towards(vec![#(#uses),*]);
        }
    };
    (!uses.is_empty()).then_some(count)
}

/// A function that gives the error of a file for which there is no room.
fn refused(subject: &OperationContext<'_>) -> TokenStream {
    let over = subject.quotas().map(|quota| {
        let (name, call) = (&quota.name, error_constructors::quota(subject, quota).call);
        quote!(support::Failure::OverQuota(support::Quota { name: #name, .. }) => #call,)
    });
    let over: Vec<_> = over.collect();
    match over.is_empty() {
        true => quote!(errors::failure),
        false => quote!(|failure| match failure {
            #(#over)*
            other => errors::failure(other),
        }),
    }
}

fn may_be_absent(subject: &OperationContext<'_>) -> bool {
    let body = subject.context.model.body(subject.operation);
    body.is_some_and(Body::may_be_absent)
}

/// What the steps of a request do with its idempotency key, if the operation takes one.
pub(super) struct KeySteps {
    /// Reads it.
    pub(super) read: Option<TokenStream>,
    /// Whether a request with it was done before or is in progress.
    pub(super) is_known: Option<TokenStream>,
    /// What a repeated request is compared by.
    pub(super) sent_body: Option<TokenStream>,
}

/// `again` authenticates again after a file was received.
pub(super) fn decode(subject: &OperationContext<'_>, keys: &KeySteps, again: &TokenStream) -> TokenStream {
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
        if !exists.is_optional {
            return quote! {
                let #id = #part.#field;
                let #sent = errors.sent_id(#name, #id.get());
            };
        }
        // In a partial body, absent and null are two values.
        let body = subject.context.model.body(operation);
        let member = body.and_then(|body| body.members.iter().find(|member| member.field.name == *name));
        let is_nullable = member.is_some_and(|member| member.field.of.optional);
        let flatten = body
            .is_some_and(|body| body.partial && is_nullable)
            .then(|| quote!(.flatten()));
        let of = GeneratedName::Id(&exists.resource).ident();
        let get = match subject.context.model.ids(&exists.resource) {
            Ids::Numbers => quote!(map_or(0, #of::get)),
            Ids::UuidV4 | Ids::UuidV7 => quote!(map(#of::get).unwrap_or_default()),
        };
        quote! {
            let #id = #part.#field #flatten;
            let #sent = errors.sent_id(#name, #id.#get);
        }
    });
    let receive = receive(subject, keys, again);
    let key = keys.read.as_ref().filter(|_| receive.is_none());
    let sent_body = &keys.sent_body;
    let decoded = &names[..decoders.len()];
    let error_response = templates::invalid_input(subject.context.model);
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
        #sent_body
        #body
        #sound
        #(#ids)*
    }
}
