//! Emits how several processes share limits.

use crate::emit::shared::{Context, literals, names};
use proc_macro2::TokenStream;
use quote::quote;

/// The parts of limits that several processes share.
#[derive(Default)]
pub(super) struct Sharing {
    pub(super) setting: TokenStream,
    pub(super) default: TokenStream,
    pub(super) methods: TokenStream,
}

/// `None` if nothing is limited.
pub(super) fn emit(context: &Context<'_>) -> Option<Sharing> {
    let limits = &context.model.limits;
    let mut fields: Vec<_> = limits.iter().map(|limit| names::value(&limit.name)).collect();
    let names = limits.iter().map(|limit| (&limit.name, limit.owner_name()));
    let mut names: Vec<_> = names.map(|(name, owners)| quote!((#name, #owners))).collect();
    if context.model.response_bytes.is_some() {
        let name = names::RESPONSE_BYTES;
        fields.push(names::value(name));
        names.push(quote!(#name));
    }
    fields.first()?;
    let limits = literals::size(fields.len());
    Some(Sharing {
        setting: quote! {
            /// Whether other processes serve the same callers: what limits count by address, or for all credentials of an
            /// owner, is then exchanged with them, by [`Limits::counted`] and [`Limits::exchanged`].
            pub is_shared: bool,
        },
        default: quote!(is_shared: false,),
        methods: quote! {
            /// What shared limits have counted since the last exchange that ended: to be published.
            #[must_use]
            pub fn counted(&self) -> Vec<support::SharedCount> {
                let counts: [Vec<support::SharedCount>; #limits] = [#(self.#fields.counted(#names),)*];
                counts.concat()
            }

            /// Takes in the end of an exchange: `sent` was published, and `elsewhere` is what all other processes have counted of
            /// the same keys in the same windows.
            pub fn exchanged(&self, sent: &[support::SharedCount], elsewhere: &[support::SharedCount]) {
                #(self.#fields.exchanged(#names, sent, elsewhere);)*
            }
        },
    })
}
