//! What is tried with the limits: once for each surface and limit in full, and for each operation that it counts at all.

use crate::emit::shared::names;
use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::model::{Counts, Model, Operation, Per, Surface};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn of_operation(subject: &Subject<'_>, cells: &mut Cells) {
    match &subject.operation.limit {
        Some(limit) => cells.add(&format!("is_counted_by_limit_{limit}"), quote!(.is_counted())),
        None => cells.add("is_not_limited", quote!(.is_not_limited())),
    }
}

/// The limits of a surface, each tried with one of its operations.
pub(super) fn of_surface(model: &Model, surface: &Surface) -> TokenStream {
    let counted: Vec<(&str, &Operation)> = model
        .limits
        .iter()
        .filter_map(|limit| {
            let mut counted = surface
                .operations
                .iter()
                .filter(|operation| operation.limit.as_ref() == Some(&limit.name));
            let first = counted
                .clone()
                .find(|operation| operation.path.is_empty())
                .or_else(|| counted.next())?;
            Some((limit.name.as_str(), first))
        })
        .collect();
    if counted.is_empty() {
        return quote!();
    }
    let credential = surface.credential.as_ref().map(|name| model.credential(name));
    let has_callers = credential.is_some_and(|credential| credential.caller.is_some());
    let mut cells = Cells::default();
    for (limit, operation) in &counted {
        let attempt = attempt(operation);
        cells.add_whole(&format!("{limit}_is_exact"), quote!(#attempt.is_limited_exactly();));
        cells.add_whole(
            &format!("{limit}_counts_only_what_reaches_it"),
            quote!(#attempt.is_not_counted_when_refused_before();),
        );
        if is_by_address(model, limit) {
            cells.add_whole(
                &format!("{limit}_is_for_each_address"),
                quote!(#attempt.is_counted_for_each_address();),
            );
        } else if has_callers {
            cells.add_whole(
                &format!("{limit}_is_for_each_caller"),
                quote!(#attempt.is_counted_for_each_caller();),
            );
        }
        for (other, apart) in counted.iter().filter(|(other, _)| other != limit) {
            let apart = names::value(&apart.name);
            let name = format!("{limit}_is_apart_from_{other}");
            cells.add_whole(
                &name,
                quote!(#attempt.is_counted_apart_from(&super::#apart::OPERATION);),
            );
        }
    }
    quote! {
        /// The limits of the surface.
        mod limits {
            #[allow(unused_imports)]
            use super::super::*;

            #cells
        }
    }
}

fn is_by_address(model: &Model, limit: &str) -> bool {
    matches!(model.limit(limit).counts, Counts::Methods { per: Per::Address, .. })
}

fn attempt(operation: &Operation) -> TokenStream {
    let module = names::value(&operation.name);
    quote!(Attempt::new(world(), &CONTRACT, &super::#module::OPERATION))
}

/// The limits over all surfaces.
pub(super) fn shared(model: &Model) -> TokenStream {
    if !model
        .limits
        .iter()
        .any(|limit| limit.counts == Counts::FailedCredentials)
    {
        return quote!();
    }
    let guarded = model.surfaces.iter().filter(|surface| surface.credential.is_some());
    let operations = guarded.filter_map(|surface| {
        let operation = names::value(&surface.operations.first()?.name);
        let surface = names::value(&surface.name);
        Some(quote!(&super::#surface::#operation::OPERATION))
    });
    quote! {
        /// The limit on failed credentials.
        mod failed_credentials {
            use super::*;

            #[test]
            fn are_limited_exactly() {
                let operations: &[&'static Operation] = &[#(#operations),*];
                LimitTrial::of_failed_credentials(world(), &CONTRACT, operations).is_limited_exactly();
            }
        }
    }
}
