//! How a contract is stored: which traits are implemented by hand, and the names of its trees.

use super::names;
use crate::model::{Credential, Field, Kind, Model, Origin, Resource};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// How a contract is stored.
#[derive(Clone, Copy, Debug)]
pub struct Keeping<'k> {
    /// The Rust path of the crate with the store, as the generated code names it: `codegen_store`.
    pub store: &'k str,
    /// The traits that are implemented by hand: `agent::CreateBooking`, `FindBooking`, `AdmitKey`, `Record for Booking`.
    pub by_hand: &'k BTreeSet<String>,
    /// The service that has a store of its own. `None`: the store is emitted, too.
    pub host: Option<Host<'k>>,
}

/// A service whose store is written by hand, with Rust paths of its crate.
#[derive(Clone, Copy, Debug)]
pub struct Host<'k> {
    /// The crate with the generated code of the contract: `contract`.
    pub contract: &'k str,
    /// What the store is a store of: it implements `Service` and `Hooks`.
    pub service: &'k str,
    /// Who writes: `From<()>` is the service itself, `From<(&ApiKeyCaller, &PresentedCredential)>` a caller.
    pub actor: &'k str,
    /// The type that implements the handlers. It has the methods `store` and `now`.
    pub app: &'k str,
    /// The first place of a tree that the service leaves to emitted records, a `u8`.
    pub next_tree: &'k str,
}

impl Keeping<'_> {
    /// What implements the handlers, with its generics.
    pub(crate) fn implementor(self) -> (TokenStream, TokenStream) {
        match self.host {
            Some(host) => (quote!(), rust_path(host.app)),
            None => (quote!(<A: super::stored::Keeps>), quote!(A)),
        }
    }

    /// Whether a resource is stored as a record that is written by hand.
    pub(crate) fn has_record(self, resource: &Resource) -> bool {
        self.by_hand
            .contains(&format!("Record for {}", names::of_type(&resource.name)))
    }

    /// Whether a trait of the whole contract is implemented by hand.
    pub(crate) fn has_by_hand(self, name: &str) -> bool {
        let last = |path: &String| path.rsplit("::").next() == Some(name);
        self.by_hand.iter().any(last)
    }
}

/// A path as tokens.
pub(crate) fn rust_path(path: &str) -> TokenStream {
    let path: syn::Path = syn::parse_str(path).expect("it is a Rust path");
    quote!(#path)
}

/// The resources that are stored.
pub(crate) fn stored(model: &Model) -> impl Iterator<Item = &Resource> {
    model.resources.iter().filter(|one| one.stored_id().is_some())
}

/// The stored resources, each after those that its records name, as far as that can be.
pub(crate) fn in_order(model: &Model) -> Vec<&Resource> {
    let (mut left, mut ordered): (Vec<_>, Vec<&Resource>) = (stored(model).collect(), Vec::new());
    while !left.is_empty() {
        let names = |one: &Resource, other: &Resource| {
            let id = Kind::Id(other.name.clone());
            one.name != other.name
                && one
                    .fields
                    .iter()
                    .any(|field| field.of.kind == id && field.origin.is_none())
        };
        let is_ready = |one: &&Resource| !left.iter().any(|other| names(one, other));
        let next = left.iter().position(is_ready).unwrap_or(0);
        ordered.push(left.remove(next));
    }
    ordered
}

/// The credentials whose records have no field for a digest.
pub(crate) fn apart(model: &Model) -> impl Iterator<Item = &Credential> {
    let credentials = model.credentials.iter().filter(|one| one.caller.is_some());
    credentials.filter(|credential| digest_of(model, credential).is_none())
}

/// The resource and the field with the digest of a credential.
pub(crate) fn digest_of<'m>(model: &'m Model, credential: &Credential) -> Option<(&'m Resource, &'m Field)> {
    let is_it = |field: &&Field| field.origin == Some(Origin::Digest(credential.name.clone()));
    stored(model).find_map(|resource| Some((resource, resource.fields.iter().find(is_it)?)))
}

/// `TREE_BOOKING`
pub(crate) fn tree_of(resource: &Resource) -> Ident {
    format_ident!("TREE_{}", names::constant(&resource.name))
}

/// `TREE_BOOKING_BY_0`
pub(crate) fn tree_of_index(resource: &Resource, place: usize) -> Ident {
    format_ident!("{}_BY_{place}", tree_of(resource))
}

/// `TREE_KEY_CREDENTIALS`
pub(crate) fn tree_of_credential(credential: &Credential) -> Ident {
    format_ident!("TREE_{}_CREDENTIALS", names::constant(&credential.name))
}
