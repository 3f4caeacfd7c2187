//! Emits what an operation does with idempotency keys: how its answer is kept, and how a request begins.

use crate::emit::shared::{OperationContext, answering, literals, names, templates};
use crate::model::{Idempotency, Ids};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

/// The function that makes what is stored of a success.
pub(super) fn keep(subject: &OperationContext<'_>) -> Option<TokenStream> {
    subject.operation.keep_seconds?;
    let operation = subject.operation;
    if let Some((id, made)) = operation.made_id().filter(|_| operation.shows_secret()) {
        let id = names::value(&id.name);
        let kept = match subject.context.model.ids(made) {
            Ids::Numbers => quote!(Secret(success.#id.get())),
            Ids::UuidV4 | Ids::UuidV7 => quote!(SecretWithUuid(success.#id.get().halves())),
        };
        return Some(quote! {
            /// What is stored of a success for an idempotency key: not its secret.
            fn keep(success: &mut Success) -> support::Kept {
                support::Kept::#kept
            }
        });
    }
    let answer = answering::answer(subject, operation.data.as_ref().map(|_| quote!(success)), &[]);
    let kept = match operation.headers.is_empty() {
        true => quote!(support::Kept::Answer(#answer)),
        false => quote!(support::Kept::AnswerWithHeaders(#answer, &HEADERS)),
    };
    Some(quote! {
        /// What is stored of a success for an idempotency key.
        #[allow(unused_variables, reason = "a success need not have data")]
        fn keep(success: &mut Success) -> support::Kept {
            #kept
        }
    })
}

/// Reads the key, with the validation errors of the request.
pub(super) fn read(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let header = &keys(subject)?.header.text;
    let caller = subject
        .caller()
        .filter(|caller| subject.context.model.ids(&caller.resource).is_uuid());
    let of_caller = caller.map(|_| quote!(.map(|key| key.of_caller_with_uuid(caller.id.get().halves()))));
    Some(quote! {
        let idempotency_key = support::IdempotencyKey::from_request(exchange, #header, &mut errors) #of_caller;
    })
}

/// What a repeated request is compared by.
pub(super) fn sent_body(subject: &OperationContext<'_>) -> Option<TokenStream> {
    keys(subject)?;
    let sent = match subject.operation.body {
        None if subject.operation.file.is_some() => quote!(file.fingerprint()),
        Some(_) => quote!(if idempotency_key.is_some() {
            bytes.clone()
        } else {
            support::Bytes::new()
        }),
        None => quote!(support::Bytes::new()),
    };
    Some(quote!(let sent_body = #sent;))
}

/// Whether a request with the key was done before or is in progress.
pub(super) fn is_known(subject: &OperationContext<'_>) -> Option<TokenStream> {
    keys(subject)?;
    let caller = caller(subject);
    Some(quote! {
        limits.keys.is_known(app, idempotency_key.as_ref(), #caller).await.map_err(errors::failure)?
    })
}

/// Whose keys they are: the kind of the caller, and its id if there are several.
fn caller(subject: &OperationContext<'_>) -> TokenStream {
    match subject.caller() {
        Some(caller) => {
            let (kind, number) = (&caller.resource, subject.caller_number());
            quote!((#kind, Some(#number)))
        }
        None => {
            let kind = &subject
                .credential()
                .expect("checked: callers with keys have credentials")
                .name;
            quote!((#kind, None))
        }
    }
}

/// Claims the key, or answers with what is stored for it.
pub(super) fn begin(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let (operation, surface) = (subject.operation, subject.surface);
    let replayed = keys(subject)?.replayed.text.to_lowercase();
    let keep_seconds = literals::count(operation.keep_seconds?.into());
    let title = format!("{}.{}", surface.name, operation.name);
    let caller = caller(subject);
    let ids = subject.path_ids();
    let [reused, in_progress] = [Step::KeyReused, Step::KeyInProgress]
        .map(|step| templates::error_response(subject.entry(step), |_| quote!("")));
    let secret = operation
        .made_id()
        .filter(|_| operation.shows_secret())
        .map(|(_, resource)| {
            let noun = subject.noun(resource);
            let entry = subject.entry(Step::KeySecret);
            let of_made =
                templates::error_response(entry, |name| if name == "noun" { quote!(#noun) } else { quote!(id) });
            let id = templates::parameter(entry, "id", "id");
            quote!(Err(support::KeyError::Secret(#id)) => return Err(#of_made),)
        });
    let others = match secret {
        Some(_) => quote!(),
        None => {
            let internal = templates::error_response(subject.entry(Step::Internal), |_| quote!(""));
            quote!(Err(support::KeyError::Secret(_)) => return Err(#internal),)
        }
    };
    let has_headers = !operation.headers.is_empty();
    let headers = has_headers.then(|| {
        quote! {
            let headers = headers.unwrap_or_else(|| HEADERS.of_answer(&answer, &[#(#ids),*]));
            exchange.reply_declared(headers);
        }
    });
    let (begun, first, again) = match has_headers {
        false => (
            quote!(limits.keys.begin(app, keyed, keep).await),
            quote!(Ok(support::Begun::First(once))),
            quote!(Ok(support::Begun::Replayed(answer))),
        ),
        true => (
            quote!(limits.keys.begin_with_headers(app, keyed, keep).await),
            quote!(Ok((support::Begun::First(once), _))),
            quote!(Ok((support::Begun::Replayed(answer), headers))),
        ),
    };
    Some(quote! {
        let keyed = support::KeyedRequest {
            key: idempotency_key,
            caller: #caller,
            operation: #title,
            ids: &[#(#ids),*],
            query: exchange.query(),
            body: sent_body,
            keep_seconds: #keep_seconds,
        };
        let once = match #begun {
            #first => once,
            #again => {
                exchange.mark_replayed(const { support::HeaderName::from_static(#replayed) });
                #headers
                return Ok(answer);
            }
            Err(support::KeyError::Reused) => return Err(#reused),
            Err(support::KeyError::InProgress) => return Err(#in_progress),
            #secret
            #others
            Err(support::KeyError::Failed(failure)) => return Err(errors::failure(failure)),
        };
    })
}

fn keys<'s>(subject: &OperationContext<'s>) -> Option<&'s Idempotency> {
    subject.operation.keep_seconds?;
    subject.context.model.idempotency.as_ref()
}
