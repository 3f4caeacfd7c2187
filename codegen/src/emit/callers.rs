//! Emits the credentials and their callers.

mod secrets;

use crate::emit::shared::authentication::{self, Entering};
use crate::emit::shared::{Context, GeneratedName, doc_sentence, literals, names, templates};
use crate::model::{Credential, Operation};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::BTreeSet;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let credentials = context
        .model
        .credentials
        .iter()
        .map(|credential| emit_credential(context, credential));
    quote!(#(#credentials)*)
}

fn emit_credential(context: &Context<'_>, credential: &Credential) -> TokenStream {
    let module = names::value(&credential.name);
    let caller = GeneratedName::Caller(&credential.name).ident();
    let admit = GeneratedName::Admit(&credential.name).ident();
    let method = format_ident!("admit_{}", names::snake(&credential.name));
    let (header, prefixes) = (&credential.header, credential.prefixes());
    let minted = secrets::emit(context, credential);
    let header_name = header.to_lowercase();
    let random = literals::count(credential.random);
    let doc_sentence = doc_sentence(credential.doc.as_deref());
    let module_doc = format!("The credential `{}`.{doc_sentence}", credential.name);
    let caller_doc = format!("A caller with the credential `{}`.", credential.name);
    let admit_doc = format!("Finds the caller of a credential `{}`.", credential.name);
    let missing = format!("nothing finds the caller of `{header}` ({})", context.at(credential.at));
    let note = format!("implement `{admit}` for `{{Self}}`");
    // A credential without a caller is set by who runs the service, in any form.
    let form = match &credential.caller {
        Some(_) => quote!(Some((&[#(#prefixes),*], #random))),
        None => quote!(None),
    };
    let members = caller_members(context, credential);
    let realm = secrets::enum_of_realms(context, credential).map(|of| quote!(use super::#of;));
    let entries = entries(context, credential);
    let again = again(context, credential);
    quote! {
        #[doc = #module_doc]
        pub mod #module {
            use super::{Limits, errors, support};
            #realm

            /// The request header that carries it.
            pub const HEADER: &str = #header;

            static HEADER_NAME: support::HeaderName = support::HeaderName::from_static(#header_name);

            #minted

            #(#entries)*

            #again

            /// The caller of a request with these headers.
            ///
            /// # Errors
            /// The error response to its credential. A wrong one counts as a failure of `address`.
            pub async fn find<A: super::#admit>(
                app: &A,
                limits: &Limits,
                headers: &support::HeaderMap,
                address: Option<std::net::IpAddr>,
            ) -> Result<super::#caller, support::ErrorResponse> {
                look_up(app, headers).await?.ok_or_else(|| {
                    let problem = support::credential_problem(headers, &HEADER_NAME, #form);
                    limits.reject_credential(address, HEADER, problem)
                })
            }

            /// The caller that the credential belongs to now.
            async fn look_up<A: super::#admit>(
                app: &A,
                headers: &support::HeaderMap,
            ) -> Result<Option<super::#caller>, support::ErrorResponse> {
                match support::single_header(headers, &HEADER_NAME) {
                    Some(presented) => app.#method(presented).await.map_err(errors::failure),
                    None => Ok(None),
                }
            }
        }

        #[doc = #caller_doc]
        #[derive(Clone, Debug)]
        pub struct #caller { #members }

        #[doc = #admit_doc]
        #[diagnostic::on_unimplemented(message = #missing, note = #note)]
        pub trait #admit {
            /// The caller, or `None` for an unknown or revoked credential.
            fn #method(
                &self,
                presented: &str,
            ) -> impl Future<Output = Result<Option<#caller>, support::Failure>> + Send;
        }
    }
}

/// The function that authenticates a request a second time. It counts against no limit.
fn again(context: &Context<'_>, credential: &Credential) -> TokenStream {
    let is_needed = authentication::precedes(context.model, Step::Credential, Step::BodySize)
        && operations(context, credential).any(|operation| operation.takes_body() || operation.waits_at_once.is_some());
    let Some(entry) = context.model.error_at(Step::Credential).filter(|_| is_needed) else {
        return quote!();
    };
    let error_response = templates::credential_ended(entry, &quote!(HEADER));
    let entering = Entering {
        context,
        credential: Some(credential),
        limit: None,
    };
    let suspended = authentication::precedes(context.model, Step::Suspended, Step::BodySize)
        .then(|| entering.step(Step::Suspended));
    let (admit, caller) = (
        GeneratedName::Admit(&credential.name).ident(),
        GeneratedName::Caller(&credential.name).ident(),
    );
    quote! {
        /// The caller after the body was read, or the error response that a new request would get. Counts against no limit.
        #[allow(clippy::manual_async_fn, reason = "declares `Send` for all operations")]
        pub(super) fn authenticate_again<A: super::#admit + Sync>(
            app: &A,
            exchange: &support::Exchange,
        ) -> impl Future<Output = Result<super::#caller, support::ErrorResponse>> + Send {
            let headers = &exchange.headers;
            async move {
                let caller = look_up(app, headers).await?.ok_or_else(|| #error_response)?;
                #suspended
                Ok(caller)
            }
        }
    }
}

/// The functions that authenticate requests: one for each limit that counts operations with this credential.
fn entries(context: &Context<'_>, credential: &Credential) -> Vec<TokenStream> {
    let limits: BTreeSet<_> = operations(context, credential)
        .map(|operation| operation.limit.as_deref())
        .collect();
    let entering = |limit| Entering {
        context,
        credential: Some(credential),
        limit,
    };
    let entries = limits.into_iter().map(|limit| entry(&entering(limit), credential));
    entries.collect()
}

/// The operations that take this credential.
fn operations<'m>(context: &Context<'m>, credential: &Credential) -> impl Iterator<Item = &'m Operation> {
    let surfaces = context.model.surfaces.iter();
    let surfaces = surfaces.filter(|surface| surface.credential.as_ref() == Some(&credential.name));
    surfaces.flat_map(|surface| &surface.operations)
}

fn entry(entering: &Entering<'_>, credential: &Credential) -> TokenStream {
    let (function, admit) = (entering.function(), GeneratedName::Admit(&credential.name).ident());
    let caller = GeneratedName::Caller(&credential.name).ident();
    let steps = authentication::steps_of_entering(entering.context.model);
    let steps = steps.into_iter().map(|step| entering.step(step));
    quote! {
        /// Authenticates a request: its caller, or the error response.
        #[allow(clippy::manual_async_fn, reason = "declares `Send` for all operations")]
        pub(super) fn #function<A: super::#admit + Sync>(
            app: &A,
            limits: &Limits,
            exchange: &mut support::Exchange,
        ) -> impl Future<Output = Result<super::#caller, support::ErrorResponse>> + Send {
            async move {
                #(#steps)*
                Ok(caller)
            }
        }
    }
}

fn caller_members(context: &Context<'_>, credential: &Credential) -> TokenStream {
    let Some(caller) = &credential.caller else {
        return quote!();
    };
    let (id, limited_by) = (
        GeneratedName::Id(&caller.resource).ident(),
        GeneratedName::Id(&caller.limited_by).ident(),
    );
    let plan = caller.plan.as_ref().map(|(_, plan)| {
        let plan = names::of_type(plan);
        quote! {
            /// Its plan.
            pub plan: #plan,
        }
    });
    let suspended = caller.suspended.as_ref().map(|_| {
        quote! {
            /// Whether it is suspended.
            pub suspended: bool,
        }
    });
    let realm = context.model.resource(&caller.resource).realm.as_ref().map(|realm| {
        let realm = context.owned(&realm.of);
        quote! {
            /// Its realm.
            pub realm: #realm,
        }
    });
    quote! {
        /// The caller's id.
        pub id: #id,
        /// The id that rate limits count by.
        pub limited_by: #limited_by,
        #plan
        #suspended
        #realm
    }
}
