//! Emits the store of a contract: its trees and records, its callers, and the handlers of the operations that the contract says
//! whole. A handler that is written by hand takes the place of the emitted one.

mod callers;
mod handlers;

use crate::emit::shared::keeping::{
    Keeping, apart, in_order, rust_path, stored, tree_of, tree_of_credential, tree_of_index,
};
use crate::emit::shared::{Context, literals, names};
use crate::model::{Field, Ids, Model, Origin, Resource};
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// The module `stored`.
pub(super) fn emit(context: &Context<'_>, keeping: Keeping<'_>) -> TokenStream {
    let path = rust_path(keeping.store);
    let trees = Trees::of(context);
    let (schema, service) = (trees.emit(context), service(context));
    let records = stored(context.model).map(|resource| record(context, resource, &quote!(Stored), false));
    let (callers, handlers) = (callers::emit(context, keeping), handlers::emit(context, keeping));
    quote! {
        /// The records of the contract on disk, and the handlers that follow from the contract.
        #[allow(unused_variables, unused_mut, clippy::all, clippy::pedantic, reason = "not every contract has all parts")]
        #[allow(clippy::wildcard_imports, reason = "it uses any type of the contract")]
        pub mod stored {
            use super::*;
            use #path as kept;

            #schema
            #service
            #(#records)*
            #callers
            #handlers
        }
    }
}

/// The module `stored` for a service with a store of its own: handlers, and records that it does not write by hand.
pub(super) fn in_host(context: &Context<'_>, keeping: Keeping<'_>, support: &str) -> TokenStream {
    let host = keeping.host.expect("the caller names a host");
    let model = context.model;
    let [store, support, contract, service, next] =
        [keeping.store, support, host.contract, host.service, host.next_tree].map(rust_path);
    let (handlers, found) = (handlers::emit(context, keeping), callers::finders(context, keeping));
    let mut used = BTreeSet::new();
    identifiers(quote!(#handlers #found), &mut used);
    let by_hand = stored(model).filter(|resource| keeping.has_record(resource));
    let known = by_hand.flat_map(|resource| trees_of_host(context, resource, &service));
    let known = known.filter(|(tree, _)| used.contains(&tree.to_string()));
    let known = known.map(|(tree, place)| quote!(const #tree: kept::Tree = #place;));
    let new: Vec<&Resource> = stored(model).filter(|resource| !keeping.has_record(resource)).collect();
    let trees: Vec<_> = new.iter().flat_map(|resource| trees_of(context, resource)).collect();
    let (constants, disk): (Vec<_>, Vec<_>) = trees.into_iter().unzip();
    let places = (0..constants.len()).map(Literal::usize_unsuffixed);
    let records = new.iter().map(|resource| record(context, resource, &service, true));
    let (kinds, seen): (Vec<_>, Vec<_>) = in_order(model)
        .into_iter()
        .map(|resource| {
            let record = names::of_type(&resource.name);
            (
                quote!(kept::kind::Kind::records::<super::#record>()),
                quote!(see.see::<super::#record>()?;),
            )
        })
        .unzip();
    let count = literals::size(kinds.len());
    quote! {
        #[allow(unused_imports, clippy::wildcard_imports, reason = "it uses any type of the contract")]
        use #contract::*;
        use #support as support;

        /// The handlers that follow from the contract, and the records that are not written by hand.
        #[allow(unused_variables, unused_mut, clippy::all, clippy::pedantic, reason = "not every contract has all parts")]
        #[allow(unused_imports, clippy::wildcard_imports, reason = "it uses any type of the contract")]
        pub(crate) mod stored {
            use super::*;
            use #store as kept;

            pub(crate) type Tx<'g> = kept::Tx<'g, #service>;

            #(#known)*
            #(const #constants: kept::Tree = kept::Tree::at(#next + #places, #disk);)*

            /// The trees of records that are not written by hand.
            pub(crate) const TREES: &[kept::Tree] = &[#(#constants),*];

            /// The kinds of records.
            pub(crate) const KINDS: [kept::kind::Kind<#service>; #count] = [#(#kinds),*];

            /// Shows each kind of records.
            pub(crate) fn each<E>(see: &mut impl kept::verify::SeeRecords<#service, E>) -> Result<(), E> {
                #(#seen)*
                Ok(())
            }

            #(#records)*
            #found
            #handlers
        }
    }
}

/// All identifiers of some code.
fn identifiers(code: TokenStream, found: &mut BTreeSet<String>) {
    for token in code {
        match token {
            TokenTree::Ident(ident) => drop(found.insert(ident.to_string())),
            TokenTree::Group(group) => identifiers(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The trees of a record that is written by hand, as its implementation of `Record` says.
fn trees_of_host(context: &Context<'_>, resource: &Resource, service: &TokenStream) -> Vec<(Ident, TokenStream)> {
    let record = names::of_type(&resource.name);
    let of = quote!(<super::#record as kept::Record<#service>>);
    let indexes = (0..context.model.indexes(resource).len()).map(|place| {
        let at = Literal::usize_unsuffixed(place);
        (
            tree_of_index(resource, place),
            quote!(kept::Index::tree_of(#of::KEPT, #at)),
        )
    });
    std::iter::once((tree_of(resource), quote!(#of::TREE)))
        .chain(indexes)
        .collect()
}

/// The trees of a record, with their names on disk.
fn trees_of(context: &Context<'_>, resource: &Resource) -> Vec<(Ident, String)> {
    let indexes = context.model.indexes(resource);
    let indexes = indexes
        .iter()
        .enumerate()
        .map(|(place, index)| (tree_of_index(resource, place), format!("{} by {index}", resource.name)));
    std::iter::once((tree_of(resource), resource.name.clone()))
        .chain(indexes)
        .collect()
}

/// The trees: their constants, and their names on disk.
struct Trees(Vec<(Ident, String)>);

impl Trees {
    fn of(context: &Context<'_>) -> Self {
        let mut trees: Vec<_> = stored(context.model)
            .flat_map(|resource| trees_of(context, resource))
            .collect();
        let model = context.model;
        for credential in apart(model) {
            trees.push((
                tree_of_credential(credential),
                format!("credentials {}", credential.name),
            ));
        }
        for name in ["answers", "answer_expiry", "quota_usage", "feeds", "events"] {
            trees.push((format_ident!("{}", name.to_uppercase()), name.to_owned()));
        }
        Self(trees)
    }

    fn emit(&self, context: &Context<'_>) -> TokenStream {
        let (constants, disk): (Vec<_>, Vec<_>) = self.0.iter().cloned().unzip();
        let places = (0..self.0.len()).map(Literal::usize_unsuffixed);
        let (program, file) = (&context.model.name, context.file);
        let kinds = stored(context.model).map(|resource| {
            let record = names::of_type(&resource.name);
            quote!(kept::kind::Kind::records::<super::#record>())
        });
        let credentials = apart(context.model).map(|credential| {
            let tree = tree_of_credential(credential);
            quote!(kept::kept::credentials::kind(#tree))
        });
        let kinds: Vec<_> = kinds.chain(credentials).collect();
        let count = literals::size(kinds.len() + 4);
        quote! {
            #(const #constants: kept::Tree = kept::Tree::at(kept::Tree::FIRST + #places, #disk);)*

            /// What the store contains.
            pub static SCHEMA: kept::Schema = kept::Schema {
                program: kept::Program {
                    name: #program,
                    data_option: "the path given to `open`",
                    database_option: "the path given to `open`",
                    contract: #file,
                },
                layout: 1,
                trees: &[kept::Tree::META, #(#constants),*],
            };

            static KINDS: [kept::kind::Kind<Stored>; #count] = [
                kept::kept::usage::kind(),
                kept::kept::feeds::kind(),
                kept::kept::feeds::events_kind(),
                kept::kept::answers::kind(),
                #(#kinds,)*
            ];
        }
    }
}

fn service(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let (recipient, keep, max) = match &model.events {
        Some(_) => (
            quote!(super::events::Recipient),
            quote!(super::events::KEEP_SECONDS),
            quote!(super::events::MAX_KEPT),
        ),
        None => (quote!(support::feed::Nobody), quote!(0), quote!(0)),
    };
    // All owners of quotas have ids of one form.
    let owner = model.quotas.first().map_or(Ids::Numbers, |quota| model.ids(&quota.per));
    let (quota_owner, column) = (Context::id_value(owner), Context::column(owner, "owner_id"));
    let records = in_order(model).into_iter().map(|resource| {
        let record = names::of_type(&resource.name);
        quote!(verification.records::<super::#record>(|_, _, _| ())?;)
    });
    let credentials = apart(model).map(|credential| {
        let tree = tree_of_credential(credential);
        quote! {
            verification.values(#tree, |found, key, _| {
                if key.len() != 32 {
                    found.malformed_key(#tree, &key);
                }
            })?;
        }
    });
    let authorize = callers::authorize(context);
    quote! {
        /// A store of the contract.
        pub type Store = kept::Store<Stored>;
        /// One write's view of it.
        pub type Tx<'g> = kept::Tx<'g, Stored>;
        /// What readers see of it.
        pub type Trees = kept::Trees<Stored>;

        /// What the store has in memory: those who wait for events.
        #[derive(Default)]
        pub struct Stored {
            waiters: kept::kept::waiters::Waiters<#recipient>,
        }

        impl kept::Service for Stored {
            type View = ();
            type Change = Option<#recipient>;
            type Actor = Actor;
            type Recipient = #recipient;
            type QuotaOwner = #quota_owner;
            const TREES: kept::CommonTrees = kept::CommonTrees {
                answers: ANSWERS,
                answer_expiry: ANSWER_EXPIRY,
                quota_usage: QUOTA_USAGE,
                feeds: FEEDS,
                events: EVENTS,
            };
            const RETENTION: kept::Retention = kept::Retention { keep: #keep, max: #max };
            const QUOTA_OWNER: &'static [support::key::Column] = &[#column];

            fn woken(of: #recipient) -> Option<#recipient> {
                Some(of)
            }
        }

        impl kept::Hooks for Stored {
            fn new(_: &dyn kept::Engine, (): &()) -> kept::StoreResult<Self> {
                Ok(Self::default())
            }

            fn schema() -> &'static kept::Schema {
                &SCHEMA
            }

            fn kinds() -> &'static [kept::kind::Kind<Self>] {
                &KINDS
            }

            fn load(reader: &mut kept::Reader<'_>) -> Result<Result<(), kept::Findings>, kept::EngineError> {
                let mut learn = drop;
                let mut verification = kept::verify::Verification::<Self>::begin(reader, &mut learn)?;
                #(#records)*
                #(#credentials)*
                verification.quota_usage()?;
                verification.feeds()?;
                verification.answers()?;
                let findings = verification.end()?;
                Ok(if findings.is_empty() { Ok(()) } else { Err(findings) })
            }

            #authorize

            fn waiters(&self) -> &kept::kept::waiters::Waiters<#recipient> {
                &self.waiters
            }

            fn before(&self, _: &Trees, _: &kept::Batch) -> kept::StoreResult<()> {
                Ok(())
            }

            fn show(
                &self,
                _: &std::sync::RwLock<()>,
                _: &Trees,
                changes: Vec<Option<#recipient>>,
            ) -> kept::StoreResult<()> {
                self.waiters.wake(changes.into_iter().flatten());
                Ok(())
            }
        }

        /// A service that has a store of the contract. The handlers that follow from the contract are implemented for it.
        #[diagnostic::on_unimplemented(
            message = "`{Self}` has no store, which the emitted handlers need",
            note = "implement `stored::Keeps` for it, or serve `stored::Plain`"
        )]
        pub trait Keeps: Send + Sync + 'static {
            /// The store.
            fn store(&self) -> &Store;
            /// The present time.
            fn now(&self) -> support::Timestamp;
        }
    }
}

/// `is_new`: servers of the service run that do not know it.
fn record(context: &Context<'_>, resource: &Resource, service: &TokenStream, is_new: bool) -> TokenStream {
    let (record, tree, noun) = (names::of_type(&resource.name), tree_of(resource), &resource.noun);
    let indexes = context.model.indexes(resource);
    let kept = indexes.iter().enumerate().map(|(place, index)| {
        let (tree, fields) = (tree_of_index(resource, place), index.to_string());
        quote!(kept::Index::new::<Self>(#tree, #fields))
    });
    let digest = resource
        .fields
        .iter()
        .find(|field| matches!(field.origin, Some(Origin::Digest(_))));
    let is_of_credential = digest.is_some_and(|field| !field.of.optional);
    let forgotten = digest.filter(|field| field.of.optional).map(|field| {
        let name = names::value(&field.name);
        quote!(self.#name = None;)
    });
    let counts = resource
        .fields
        .iter()
        .filter(|field| counts_credentials(context.model, field));
    let counts = counts.map(|field| {
        let name = names::value(&field.name);
        quote!(self.#name = 0;)
    });
    let ends = context
        .model
        .operations()
        .any(|(_, operation)| operation.ends(&resource.name));
    let deleted = ends.then(|| {
        quote!(
            const DELETED: Option<kept::Deleted<Self::Key, <#service as kept::Service>::Change>> = Some(|_| None);
        )
    });
    let is_new = is_new.then(|| {
        quote!(
            const IS_NEW: bool = true;
        )
    });
    quote! {
        impl kept::Record<#service> for super::#record {
            const TREE: kept::Tree = #tree;
            const NOUN: &'static str = #noun;
            const KEPT: &'static [kept::Index] = &[#(#kept),*];
            const IS_OF_CREDENTIAL: bool = #is_of_credential;
            #deleted
            #is_new

            fn end_credentials(&mut self) {
                #forgotten
                #(#counts)*
            }
        }
    }
}

/// Whether the field counts records that end with their credential.
fn counts_credentials(model: &Model, field: &Field) -> bool {
    let Some(Origin::Count { resource, .. }) = &field.origin else {
        return false;
    };
    let fields = stored(model).find(|one| one.name == *resource).map(|one| &one.fields);
    fields
        .into_iter()
        .flatten()
        .any(|field| matches!(field.origin, Some(Origin::Digest(_))) && !field.of.optional)
}
