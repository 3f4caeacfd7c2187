//! Emits the handlers of the operations that the contract says whole.

mod reads;
mod writes;

use crate::emit::shared::keeping::Keeping;
use crate::emit::shared::operation_context::subjects;
use crate::emit::shared::{Context, OperationContext, names, plain};
use crate::model::Data;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>, keeping: Keeping<'_>) -> TokenStream {
    let all = context
        .model
        .surfaces
        .iter()
        .flat_map(|surface| subjects(context, surface));
    let emitted = all.filter(|subject| {
        let is_by_hand = |subject: &OperationContext<'_>| {
            let names = [plain::name(subject), subject.handler().to_string()];
            names.iter().any(|name| keeping.by_hand.contains(name))
        };
        // A dry run decides as the handler of the tried operation does.
        let is_tried_by_hand = subject.tried().is_some_and(|tried| is_by_hand(&tried));
        plain::why_not(subject).is_ok() && !is_by_hand(subject) && !is_tried_by_hand
    });
    let emitted = emitted.map(|subject| handler(&subject, keeping));
    quote!(#(#emitted)*)
}

fn handler(subject: &OperationContext<'_>, keeping: Keeping<'_>) -> TokenStream {
    let (generics, implementor) = keeping.implementor();
    let surface = names::value(&subject.surface.name);
    let (module, handler) = (subject.module(), subject.handler());
    let success = match subject.operation.keep_seconds {
        Some(_) => quote!(support::Done<operation::Success>),
        None => quote!(operation::Success),
    };
    let body = match (&subject.operation.data, subject.is_read()) {
        (Some(Data::Events), _) => reads::feed(subject),
        (Some(Data::Many { resource, view }), _) => reads::list(subject, resource, view),
        (Some(Data::Counts(of)), _) => reads::counts(subject, of),
        (_, true) => reads::one(subject, keeping),
        (_, false) => writes::write(subject, keeping),
    };
    quote! {
        const _: () = {
            // Names of the contract come before those of this module.
            #[allow(unused_imports, reason = "the bodies use any type of the contract")]
            use super::*;
            use super::#surface::#module as operation;

            impl #generics super::#surface::#handler for #implementor {
                async fn #module(&self, request: operation::Request) -> Result<#success, operation::Error> {
                    #body
                }
            }
        };
    }
}
