//! Emits the functions that make a new credential and abbreviate one. Prefixes can differ by the caller's realm.

use crate::emit::shared::{Context, literals};
use crate::model::{Credential, Kind};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>, credential: &Credential) -> TokenStream {
    let (prefix, random) = (&credential.prefix, literals::count(credential.random));
    let caller = credential.caller.as_ref();
    let realm = caller.and_then(|caller| context.model.resource(&caller.resource).realm.as_ref());
    let realm = realm.filter(|_| credential.prefixes().count() > 1);
    let (parameter, prefix) = match realm {
        None => (quote!(), quote!(#prefix)),
        Some(realm) => {
            let of = context.owned(&realm.of);
            let chosen = others(credential).rfold(quote!(#prefix), |rest, (value, other)| {
                let is_it = context.is_one_of(&realm.of, &quote!(realm), std::slice::from_ref(value));
                quote!(if #is_it { #other } else { #rest })
            });
            (quote!(realm: #of), quote!(#chosen))
        }
    };
    let abbreviate = abbreviate(credential);
    quote! {
        /// Makes a new one.
        #[must_use]
        pub fn mint(#parameter) -> String {
            support::mint(#prefix, #random)
        }

        #abbreviate
    }
}

/// The enum whose values distinguish credentials, if it is one.
pub(super) fn enum_of_realms(context: &Context<'_>, credential: &Credential) -> Option<TokenStream> {
    let caller = credential.caller.as_ref().filter(|_| !credential.realms.is_empty())?;
    let realm = context.model.resource(&caller.resource).realm.as_ref()?;
    matches!(realm.of.kind, Kind::Enum(_)).then(|| context.owned(&realm.of))
}

fn abbreviate(credential: &Credential) -> Option<TokenStream> {
    let shown = credential.shown?;
    let random = shown.saturating_sub(credential.prefix.len() as u64);
    let characters = literals::count(shown);
    let characters = others(credential).rfold(quote!(#characters), |rest, (_, prefix)| {
        let characters = literals::count(random + prefix.len() as u64);
        quote!(if secret.starts_with(#prefix) { #characters } else { #rest })
    });
    Some(quote! {
        /// The part of it that lists show.
        #[must_use]
        pub fn abbreviate(secret: &str) -> String {
            let characters = #characters;
            support::abbreviate(secret, characters)
        }
    })
}

/// The prefixes that differ: realm and prefix.
fn others(credential: &Credential) -> impl DoubleEndedIterator<Item = (&String, &String)> {
    let realms = credential.realms.iter();
    realms.filter_map(|realm| Some((&realm.value, realm.prefix.as_ref()?)))
}
