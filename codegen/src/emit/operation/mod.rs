//! Emits one operation: its trait, and its module with the request, the answer, the error responses and the steps.

mod conditions;
mod description;
mod error;
mod events;
mod filtering;
mod literals;
mod ordering;
mod recheck;
mod request;
mod rules;
mod steps;
mod success;

use crate::emit::shared::{OperationContext, doc_sentence, filter, nearest};
use proc_macro2::TokenStream;
use quote::quote;

/// The operation's trait and module.
pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let handler = handler(subject);
    let (module, doc) = (subject.module(), format!("`{}`", subject.title()));
    let (method, path) = (subject.operation.method.as_str(), subject.path());
    let description = description::emit(subject);
    let parts = [
        request::emit(subject),
        success::emit(subject),
        error::emit(subject),
        recheck::emit(subject).unwrap_or_default(),
        filtering::emit(subject).unwrap_or_default(),
        conditions::emit(subject).unwrap_or_default(),
        ordering::emit(subject).unwrap_or_default(),
        rules::emit(subject),
        literals::emit(subject),
        events::emit(subject).unwrap_or_default(),
        steps::emit(subject),
        alone(subject),
    ];
    quote! {
        #handler

        #[doc = #doc]
        pub mod #module {
            use super::*;

            /// The HTTP method.
            pub const METHOD: &str = #method;
            /// The whole path, parameters written `:name`.
            pub const PATH: &str = #path;
            #description

            #(#parts)*
        }
    }
}

fn handler(subject: &OperationContext<'_>) -> TokenStream {
    let (module, handler, title) = (subject.module(), subject.handler(), subject.title());
    let (operation, at) = (subject.operation, subject.context.at(subject.operation.at));
    let missing = format!("no handler for {title} ({}, {at})", operation.name);
    let doc = format!("Handles `{title}`.{}", doc_sentence(operation.doc.as_deref()));
    let success = match operation.keep_seconds {
        Some(_) => quote!(support::Done<#module::Success>),
        None => quote!(#module::Success),
    };
    let nearest = nearest::methods(subject);
    let note = format!("implement `{}::{handler}` for `{{Self}}`", subject.surface.name);
    quote! {
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #missing, note = #note)]
        pub trait #handler: Send + Sync + 'static {
            /// Runs after all guards.
            fn #module(
                &self,
                request: #module::Request,
            ) -> impl Future<Output = Result<#success, #module::Error>> + Send;

            #nearest
        }
    }
}

fn alone(subject: &OperationContext<'_>) -> TokenStream {
    let handler = subject.handler();
    let claims = quote!(|method, path| matches!(route(method, path), Routed::To(Operation::#handler)));
    let doc = "This operation alone as a filter; other requests are rejected as not found.";
    filter::around(doc, &subject.bounds(), &claims, &quote!(run))
}
