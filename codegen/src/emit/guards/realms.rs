//! Emits the check that a record is of the caller's realm. To callers of another realm it does not exist.

use crate::emit::shared::{Context, GeneratedName, names, templates};
use crate::model::Resource;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The method of found records. `None` if no guard needs it.
pub(super) fn emit(context: &Context<'_>, resource: &Resource) -> Option<TokenStream> {
    let realm = context.model.realm_of_guards(resource)?;
    let entry = context.model.error_at(Step::Exists)?;
    let (record, of, field) = (
        names::of_type(&resource.name),
        context.owned(&realm.of),
        names::value(&realm.field),
    );
    let noun = &resource.noun;
    let absent = templates::of_resource(entry, &quote!(#noun), &quote!(sent));
    let sent = templates::parameter(entry, "id", "sent");
    let method = match &realm.through {
        None => quote! {
            pub(super) fn in_realm(
                self,
                realm: #of,
                #sent: &support::SentId,
            ) -> Result<Self, support::ErrorResponse> {
                if self.0.#field == realm { Ok(self) } else { Err(#absent) }
            }
        },
        Some((id, other)) => {
            let (find, id) = (GeneratedName::Find(other).ident(), names::value(id));
            let look_up = format_ident!("find_{}", names::snake(other));
            quote! {
                pub(super) async fn in_realm<A: #find + Sync>(
                    self,
                    app: &A,
                    realm: #of,
                    #sent: &support::SentId,
                ) -> Result<Self, support::ErrorResponse> {
                    let other = app.#look_up(self.0.#id).await.map_err(errors::failure)?;
                    let is_seen = other.is_some_and(|other| other.#field == realm);
                    if is_seen { Ok(self) } else { Err(#absent) }
                }
            }
        }
    };
    Some(quote!(impl Found<#record> { #method }))
}
