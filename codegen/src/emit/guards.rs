//! Emits the guards, and the proofs that only guards can create.

mod hidden;
mod realms;

use crate::emit::shared::{Context, GeneratedName, names, templates};
use crate::model::{ErrorEntry, Model, Operation, Resource};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let guarded = guarded(context.model);
    let finders = guarded.iter().map(|resource| finder(context, resource));
    let exceptions = hidden::traits(context);
    let guards = guards(context, &guarded);
    quote!(#(#finders)* #(#exceptions)* #guards)
}

fn guarded(model: &Model) -> Vec<&Resource> {
    let resources = model.resources.iter();
    resources.filter(|one| model.is_guarded(one)).collect()
}

fn finder(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let (record, id) = (
        names::of_type(&resource.name),
        GeneratedName::Id(&resource.name).ident(),
    );
    let find = GeneratedName::Find(&resource.name).ident();
    let method = format_ident!("find_{}", names::snake(&resource.name));
    let noun = names::with_article(&resource.noun);
    let doc = format!("Finds {noun} for the guards.");
    let missing = format!("nothing finds {noun} for the guards ({})", context.at(resource.at));
    let note = format!("implement `{find}` for `{{Self}}`");
    quote! {
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #missing, note = #note)]
        pub trait #find {
            /// The record, or `None` for an unknown id.
            fn #method(
                &self,
                id: #id,
            ) -> impl Future<Output = Result<Option<std::sync::Arc<#record>>, support::Failure>> + Send;
        }
    }
}

fn guards(context: &Context<'_>, guarded: &[&Resource]) -> TokenStream {
    let model = context.model;
    if guarded.is_empty() {
        return quote!();
    }
    let look_ups = guarded.iter().map(|resource| look_up(resource));
    let parents = parents(model);
    let claims = guarded.iter().flat_map(|resource| claims(model, resource));
    let realms = guarded.iter().filter_map(|resource| realms::emit(context, resource));
    let hidden = guarded.iter().flat_map(|resource| hidden::methods(context, resource));
    let found = model.error_at(Step::Exists).map(found);
    quote! {
        /// The guards, and the proofs that only they can create.
        #[allow(clippy::wildcard_imports, reason = "guards look up any resource of the contract")]
        pub mod guards {
            use super::*;
            use std::sync::Arc;

            /// A record that exists.
            #[derive(Clone, Debug)]
            pub struct Found<R>(Arc<R>);

            /// A record that the caller owns: only the guard creates one.
            #[derive(Clone, Debug)]
            pub struct Owned<R>(Arc<R>);

            impl<R> std::ops::Deref for Found<R> {
                type Target = R;
                fn deref(&self) -> &R {
                    &self.0
                }
            }

            impl<R> std::ops::Deref for Owned<R> {
                type Target = R;
                fn deref(&self) -> &R {
                    &self.0
                }
            }

            #found

            #(#look_ups)*
            #(#parents)*
            #(#claims)*
            #(#realms)*
            #(#hidden)*
        }

        pub use guards::{Found, Owned};
    }
}

fn found(entry: &ErrorEntry) -> TokenStream {
    let absent = templates::of_resource(entry, &quote!(noun), &quote!(id));
    let [noun, id] = ["noun", "id"].map(|name| templates::parameter(entry, name, name));
    quote! {
        async fn found<R>(
            looked_up: impl Future<Output = Result<Option<Arc<R>>, support::Failure>>,
            #noun: &'static str,
            #id: &support::SentId,
        ) -> Result<Found<R>, support::ErrorResponse> {
            let record = looked_up.await.map_err(errors::failure)?;
            record.map(Found).ok_or_else(|| #absent)
        }
    }
}

fn look_up(resource: &Resource) -> TokenStream {
    let (record, id, noun) = (
        names::of_type(&resource.name),
        GeneratedName::Id(&resource.name).ident(),
        &resource.noun,
    );
    let find = GeneratedName::Find(&resource.name).ident();
    let method = format_ident!("find_{}", names::snake(&resource.name));
    quote! {
        impl Found<#record> {
            pub(super) fn look_up<A: #find + Sync>(
                app: &A,
                id: #id,
                sent: &support::SentId,
            ) -> impl Future<Output = Result<Self, support::ErrorResponse>> + Send {
                found(app.#method(id), #noun, sent)
            }
        }
    }
}

fn parents(model: &Model) -> Vec<TokenStream> {
    let mut seen = Vec::new();
    let mut out = Vec::new();
    for exists in model
        .surfaces
        .iter()
        .flat_map(|surface| &surface.operations)
        .flat_map(Operation::exists)
    {
        let Some((parent, field)) = &exists.parent else {
            continue;
        };
        if seen.contains(&(&exists.resource, parent)) {
            continue;
        }
        seen.push((&exists.resource, parent));
        let (record, parent_id, field) = (
            names::of_type(&exists.resource),
            GeneratedName::Id(parent).ident(),
            names::value(field),
        );
        let method = format_ident!("of_{}", names::snake(parent));
        let noun = &model.resource(&exists.resource).noun;
        let entry = model
            .error_at(Step::Exists)
            .expect("checked: a step that an operation needs has a row");
        let absent = templates::of_resource(entry, &quote!(#noun), &quote!(sent));
        let sent = templates::parameter(entry, "id", "sent");
        out.push(quote! {
            impl Found<#record> {
                pub(super) fn #method(
                    self,
                    parent: #parent_id,
                    #sent: &support::SentId,
                ) -> Result<Self, support::ErrorResponse> {
                    if self.0.#field == parent { Ok(self) } else { Err(#absent) }
                }
            }
        });
    }
    out
}

fn claims(model: &Model, resource: &Resource) -> Vec<TokenStream> {
    let step = if resource.private { Step::Exists } else { Step::Owner };
    let is_claimed = |caller: &String| {
        let mut operations = model.operations().filter(|(_, one)| one.claims(&resource.name));
        let caller_of = |surface| {
            model
                .credential_of(surface)
                .and_then(|credential| credential.caller.as_ref())
        };
        operations.any(|(surface, _)| caller_of(surface).is_some_and(|one| one.resource == *caller))
    };
    let owners = resource.owner.iter().filter(|(caller, _)| is_claimed(caller));
    let claims = owners.filter_map(|(caller, field)| Some(claim(model.error_at(step)?, resource, caller, field)));
    claims.collect()
}

fn claim(entry: &ErrorEntry, resource: &Resource, caller: &str, field_name: &str) -> TokenStream {
    let (record, noun) = (names::of_type(&resource.name), &resource.noun);
    let (id, field) = (GeneratedName::Id(caller).ident(), names::value(field_name));
    let method = format_ident!("claim_by_{}", names::snake(caller));
    let owner = match resource.field(field_name).of.optional {
        true => quote!(Some(caller)),
        false => quote!(caller),
    };
    let not_owned = templates::of_resource(entry, &quote!(#noun), &quote!(sent));
    let sent = templates::parameter(entry, "id", "sent");
    quote! {
        impl Owned<#record> {
            pub(super) fn #method(
                found: &Found<#record>,
                caller: #id,
                #sent: &support::SentId,
            ) -> Result<Self, support::ErrorResponse> {
                if found.0.#field == #owner { Ok(Self(Arc::clone(&found.0))) } else { Err(#not_owned) }
            }
        }
    }
}
