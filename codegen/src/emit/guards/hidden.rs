//! Emits the checks that a found record is not hidden from the caller, and the traits that find out who sees it nevertheless.

use crate::emit::shared::hidden::{all_exceptions, exceptions, method, shown_to, viewers};
use crate::emit::shared::{Context, GeneratedName, names, templates};
use crate::model::{HiddenExcept, Resource};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

/// The traits that find out whether a record lets its caller see a hidden one.
pub(super) fn traits(context: &Context<'_>) -> Vec<TokenStream> {
    let all = all_exceptions(context.model).into_iter();
    all.map(|(resource, except)| trait_of(context, resource, except))
        .collect()
}

fn trait_of(context: &Context<'_>, resource: &Resource, except: &HiddenExcept) -> TokenStream {
    let has = GeneratedName::Has(&except.resource, &resource.name).ident();
    let method = method(resource, except);
    let noun = names::with_article(&context.model.resource(&except.resource).noun);
    let doc = format!(
        "Finds out for the guards whether {noun} lets a caller see a hidden {}.",
        resource.noun
    );
    let missing = format!(
        "nothing finds out who sees a hidden {} ({})",
        resource.noun,
        context.at(resource.at)
    );
    let note = format!("implement `{has}` for `{{Self}}`");
    let [id, caller_id] = [&resource.name, &except.caller].map(|name| GeneratedName::Id(name).ident());
    let [via, field] = [&except.via, &except.field].map(|name| names::value(name));
    quote! {
        #[doc = #doc]
        #[diagnostic::on_unimplemented(message = #missing, note = #note)]
        pub trait #has {
            /// Whether there is a record that names both.
            fn #method(
                &self,
                #via: #id,
                #field: #caller_id,
            ) -> impl Future<Output = Result<bool, support::Failure>> + Send;
        }
    }
}

/// The methods of found records, one for each kind of caller. None if no guard needs them.
pub(super) fn methods(context: &Context<'_>, resource: &Resource) -> Vec<TokenStream> {
    let Some(entry) = context.model.error_at(Step::Exists) else {
        return Vec::new();
    };
    let mut seen = Vec::new();
    let mut out = Vec::new();
    for (surface, hidden) in viewers(context.model, resource) {
        let shown = shown_to(context.model, surface);
        if seen.contains(&shown) {
            continue;
        }
        let noun = &resource.noun;
        let absent = templates::of_resource(entry, &quote!(#noun), &quote!(sent));
        let sent = templates::parameter(entry, "id", "sent");
        let is_hidden = context.holds(&hidden.when, resource, &quote!(self.0));
        let owner = context.model.owner_field(surface, resource).map(|field| {
            let field = names::value(field);
            quote!(|| self.0.#field == caller)
        });
        let all: Vec<&HiddenExcept> = exceptions(context.model, surface, hidden).collect();
        let excepted = all.iter().map(|except| {
            let method = method(resource, except);
            quote!(|| app.#method(self.0.id, caller).await.map_err(errors::failure)?)
        });
        let traits = all
            .iter()
            .map(|except| GeneratedName::Has(&except.resource, &resource.name).ident());
        let needs_caller = owner.is_some() || !all.is_empty();
        let caller = context
            .model
            .credential_of(surface)
            .and_then(|credential| credential.caller.as_ref());
        let caller = caller.filter(|_| needs_caller).map(|caller| {
            let id = GeneratedName::Id(&caller.resource).ident();
            quote!(caller: #id,)
        });
        let record = names::of_type(&resource.name);
        let (app, generics, asynchronous) = match all.is_empty() {
            true => (None, None, None),
            false => (
                Some(quote!(app: &A,)),
                Some(quote!(<A: #(#traits +)* Sync>)),
                Some(quote!(async)),
            ),
        };
        out.push(quote! {
            impl Found<#record> {
                pub(super) #asynchronous fn #shown #generics(
                    self,
                    #app
                    #caller
                    #sent: &support::SentId,
                ) -> Result<Self, support::ErrorResponse> {
                    let is_shown = !#is_hidden #owner #(#excepted)*;
                    if is_shown { Ok(self) } else { Err(#absent) }
                }
            }
        });
        seen.push(shown);
    }
    out
}
