//! Emits who writes, the callers of credentials, and the records that guards look for.

use crate::emit::shared::hidden::{self, all_exceptions};
use crate::emit::shared::keeping::{Keeping, apart, digest_of, stored, tree_of_credential, tree_of_index};
use crate::emit::shared::{Context, GeneratedName, names};
use crate::model::{Caller, Credential, Field, HiddenExcept, Model, Origin, Resource};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// A credential whose caller is a record.
fn called<'m>(context: &Context<'m>) -> impl Iterator<Item = (&'m Credential, &'m Caller)> + use<'m> {
    let credentials = context.model.credentials.iter();
    credentials.filter_map(|credential| Some((credential, credential.caller.as_ref()?)))
}

/// The key of the record that has a credential, from `reads` and `digest`.
fn key_of(context: &Context<'_>, credential: &Credential, is_write: bool) -> TokenStream {
    let Some((resource, field)) = digest_of(context.model, credential) else {
        let tree = tree_of_credential(credential);
        return match is_write {
            true => quote!(tx.read(#tree, digest.bytes())?.and_then(|key| support::Key::read(&key))),
            false => quote!(kept::kept::credentials::find(trees, #tree, &digest)?),
        };
    };
    let of_digest = format!("unique {}", field.name);
    let indexes = context.model.indexes(resource);
    let place = indexes.iter().position(|index| index.to_string() == of_digest);
    let tree = tree_of_index(resource, place.expect("a digest has an index"));
    let row = quote!({
        let mut row = support::KeyBytes::new();
        support::index::write(&digest.to_hex(), false, &mut row);
        row
    });
    match is_write {
        true => quote!(tx.read(#tree, &#row)?.and_then(|key| support::Key::read(&key))),
        false => quote!(trees.value(#tree, &#row)?.and_then(|key| support::Key::read(&key))),
    }
}

/// The field with the id of the caller in the record that has its credential. `None`: it is that record.
fn owner<'m>(model: &'m Model, caller: &Caller) -> Option<&'m str> {
    if caller.limited_by == caller.resource {
        return None;
    }
    let owner = &model.resource(&caller.limited_by).owner;
    owner
        .iter()
        .find(|(of, _)| *of == caller.resource)
        .map(|(_, field)| field.as_str())
}

/// Who writes, and whether one may still write.
pub(super) fn authorize(context: &Context<'_>) -> TokenStream {
    let arms = called(context).map(|(credential, caller)| {
        let variant = names::of_type(&credential.name);
        let key = key_of(context, credential, true);
        let (by, of) = (names::of_type(&caller.limited_by), names::of_type(&caller.resource));
        let suspended = caller.suspended.as_ref().map(|field| {
            let field = names::value(field);
            quote!(if caller.#field { return Ok(Err(kept::Unauthorized::Suspended)); })
        });
        let caller = match owner(context.model, caller) {
            None => quote!(let caller: super::#of = by;),
            Some(field) => {
                let field = names::value(field);
                quote!(let caller: super::#of = tx.existing(by.#field)?;)
            }
        };
        quote! {
            Actor::#variant(digest) => {
                let Some(key) = #key else { return Ok(Err(kept::Unauthorized::Ended)) };
                let Some(by) = tx.get::<super::#by>(key)? else { return Ok(Err(kept::Unauthorized::Ended)) };
                #caller
                #suspended
                Ok(Ok(()))
            }
        }
    });
    quote! {
        fn authorize(
            tx: &Tx<'_>,
            actor: &Actor,
        ) -> Result<Result<(), kept::Unauthorized>, kept::TransactionError> {
            match actor {
                Actor::Service => Ok(Ok(())),
                #(#arms)*
            }
        }
    }
}

/// The callers, and the records of guards.
pub(super) fn emit(context: &Context<'_>, keeping: Keeping<'_>) -> TokenStream {
    let variants = called(context).map(|(credential, _)| {
        let (variant, doc) = (
            names::of_type(&credential.name),
            format!("One with this `{}`.", credential.name),
        );
        quote!(#[doc = #doc] #variant(support::Digest),)
    });
    let authors = called(context).map(|(credential, _)| {
        let (variant, caller) = (
            names::of_type(&credential.name),
            GeneratedName::Caller(&credential.name).ident(),
        );
        quote! {
            impl From<(&super::#caller, &support::PresentedCredential)> for Actor {
                fn from((_, presented): (&super::#caller, &support::PresentedCredential)) -> Self {
                    Self::#variant(support::Digest::from_secret(presented.expose()))
                }
            }
        }
    });
    let is_emitted = |name: &str| !keeping.has_by_hand(name);
    let admitted = called(context)
        .filter(|(credential, caller)| {
            is_emitted(&GeneratedName::Admit(&credential.name).name()) && can_admit(context.model, caller)
        })
        .map(|(credential, caller)| admit(context, credential, caller));
    let found = finders(context, keeping);
    let issued = apart(context.model).map(issue);
    let own = own(context);
    quote! {
        /// Who makes a write.
        #[derive(Clone, Copy, Debug)]
        pub enum Actor {
            /// The service itself.
            Service,
            #(#variants)*
        }

        impl From<()> for Actor {
            fn from((): ()) -> Self {
                Self::Service
            }
        }

        #(#authors)*

        #(#admitted)*
        #found
        #(#issued)*
        #own
    }
}

/// Finds the records of guards.
pub(super) fn finders(context: &Context<'_>, keeping: Keeping<'_>) -> TokenStream {
    let (generics, implementor) = keeping.implementor();
    let found = stored(context.model)
        .filter(|resource| !keeping.has_by_hand(&GeneratedName::Find(&resource.name).name()))
        .filter(|resource| context.model.is_guarded(resource))
        .map(|resource| {
            let find = GeneratedName::Find(&resource.name).ident();
            let method = format_ident!("find_{}", names::snake(&resource.name));
            let (record, id) = (
                names::of_type(&resource.name),
                GeneratedName::Id(&resource.name).ident(),
            );
            quote! {
                impl #generics super::#find for #implementor {
                    async fn #method(&self, id: super::#id) -> Result<Option<std::sync::Arc<super::#record>>, support::Failure> {
                        Ok(self.store().read(move |trees, view| kept::Record::shown(trees, view, id)).await?)
                    }
                }
            }
        });
    let exceptions = all_exceptions(context.model).into_iter();
    let exceptions = exceptions
        .filter(|(resource, except)| !keeping.has_by_hand(&GeneratedName::Has(&except.resource, &resource.name).name()))
        .filter_map(|(resource, except)| sees_hidden(context, keeping, resource, except));
    quote!(#(#found)* #(#exceptions)*)
}

/// Finds out whether a record names a hidden one and the caller, if an index begins with both.
fn sees_hidden(
    context: &Context<'_>,
    keeping: Keeping<'_>,
    resource: &Resource,
    except: &HiddenExcept,
) -> Option<TokenStream> {
    let of = context.model.resource(&except.resource);
    let both = [&except.via, &except.field].map(String::as_str);
    let place = context.model.index_beginning(of, both.into_iter())?;
    let (generics, implementor) = keeping.implementor();
    let (has, method) = (
        GeneratedName::Has(&except.resource, &resource.name).ident(),
        hidden::method(resource, except),
    );
    let [id, caller_id] = [&resource.name, &except.caller].map(|name| GeneratedName::Id(name).ident());
    let [via, field] = [&except.via, &except.field].map(|name| names::value(name));
    let tree = tree_of_index(of, place);
    Some(quote! {
        impl #generics super::#has for #implementor {
            async fn #method(&self, #via: super::#id, #field: super::#caller_id) -> Result<bool, support::Failure> {
                let mut row = support::KeyBytes::new();
                support::index::write(&#via, false, &mut row);
                support::index::write(&#field, false, &mut row);
                Ok(self.store().read(move |trees, _| Ok(!trees.index(#tree, &row, 1)?.is_empty())).await?)
            }
        }
    })
}

/// A service without handlers of its own. The traits of the support library can only be implemented for a type.
fn own(context: &Context<'_>) -> TokenStream {
    let takes_keys = context
        .model
        .operations()
        .any(|(_, operation)| operation.keep_seconds.is_some());
    let answers = takes_keys.then(|| {
        quote! {
            impl support::FindAnswer for Plain {
                async fn find_answer(
                    &self,
                    id: support::AnswerId,
                    now: support::Timestamp,
                ) -> Result<Option<Vec<u8>>, support::Failure> {
                    Ok(self.store.find_answer(id, now).await?)
                }
            }
        }
    });
    let alone = || context.model.credentials.iter().filter(|one| one.caller.is_none());
    let secrets = alone().map(|credential| {
        let (name, doc) = (
            names::value(&credential.name),
            format!("The digest of the `{}`. `None`: nobody has one.", credential.name),
        );
        quote!(#[doc = #doc] pub #name: Option<support::Digest>,)
    });
    let no_secrets = alone().map(|credential| {
        let name = names::value(&credential.name);
        quote!(#name: None,)
    });
    let admitted = alone().map(|credential| {
        let (admit, of) = (
            GeneratedName::Admit(&credential.name).ident(),
            GeneratedName::Caller(&credential.name).ident(),
        );
        let (name, method) = (
            names::value(&credential.name),
            format_ident!("admit_{}", names::snake(&credential.name)),
        );
        quote! {
            impl super::#admit for Plain {
                async fn #method(&self, presented: &str) -> Result<Option<super::#of>, support::Failure> {
                    let is_it = self.#name == Some(support::Digest::from_secret(presented));
                    Ok(is_it.then_some(super::#of {}))
                }
            }
        }
    });
    let mut operations = context.model.operations();
    let takes_files = operations.any(|(_, operation)| operation.file.is_some());
    let files = takes_files.then(|| {
        let field = quote! {
            /// The directory of files, if there is one.
            pub files: Option<support::FileDirectory>,
        };
        let keep = quote! {
            impl support::KeepFiles for Plain {
                fn files(&self) -> Option<&support::FileDirectory> {
                    self.files.as_ref()
                }

                async fn check_quotas(&self, uses: Vec<support::QuotaUse>) -> Result<(), support::Failure> {
                    Ok(self.store.check_quotas(uses, self.clock.now()).await??)
                }
            }
        };
        (
            field,
            quote!(files: support::FileDirectory::open(&path.join("files")).ok().map(|files| files.keeping_free(kept::MIN_FREE_BYTES)),),
            keep,
        )
    });
    let (files_field, open_files, keep_files) = files.unwrap_or_default();
    quote! {
        /// The service that the contract says whole.
        pub struct Plain {
            /// The store.
            pub store: Store,
            /// The time.
            pub clock: support::Clock,
            #files_field
            #(#secrets)*
        }

        impl Plain {
            /// Opens or creates the data directory at `path`. Blocks: some seconds for each million records.
            ///
            /// # Errors
            /// If the directory cannot be used. The error says why, and what to do.
            pub fn open(path: &std::path::Path) -> Result<Self, kept::OpenError> {
                let store = Store::open(path, kept::Durability::Synced)?;
                let clock = support::Clock::system();
                Ok(Self { store, clock, #open_files #(#no_secrets)* })
            }
        }

        impl Keeps for Plain {
            fn store(&self) -> &Store {
                &self.store
            }

            fn now(&self) -> support::Timestamp {
                self.clock.now()
            }
        }

        impl support::Available for Plain {
            fn can_answer(&self) -> bool {
                self.store.can_answer()
            }
        }

        #keep_files
        #answers
        #(#admitted)*
    }
}

/// Whether the caller's record says all that is to be known of it.
fn can_admit(model: &Model, caller: &Caller) -> bool {
    let realm = model.resource(&caller.resource).realm.as_ref();
    realm.is_none_or(|realm| realm.through.is_none())
        && (caller.limited_by == caller.resource || owner(model, caller).is_some())
}

fn admit(context: &Context<'_>, credential: &Credential, caller: &Caller) -> TokenStream {
    let (admit, of) = (
        GeneratedName::Admit(&credential.name).ident(),
        GeneratedName::Caller(&credential.name).ident(),
    );
    let method = format_ident!("admit_{}", names::snake(&credential.name));
    let key = key_of(context, credential, false);
    let (by, record) = (names::of_type(&caller.limited_by), names::of_type(&caller.resource));
    let found = match owner(context.model, caller) {
        None => quote!(let (limited_by, caller): (_, super::#record) = (by.id, by);),
        Some(field) => {
            let field = names::value(field);
            quote!(let (limited_by, caller): (_, super::#record) = (by.id, trees.named(by.#field)?);)
        }
    };
    let plan = caller.plan.as_ref().map(|(field, _)| {
        let field = names::value(field);
        quote!(plan: caller.#field,)
    });
    let suspended = caller.suspended.as_ref().map(|field| {
        let field = names::value(field);
        quote!(suspended: caller.#field,)
    });
    let realm = context.model.resource(&caller.resource).realm.as_ref().map(|realm| {
        let field = names::value(&realm.field);
        quote!(realm: caller.#field.clone(),)
    });
    let is_use = |field: &&Field| matches!(&field.origin, Some(Origin::LastUse { credential: of, .. }) if *of == credential.name);
    let used = context.model.resource(&caller.limited_by).fields.iter().find(is_use);
    let used = used.map(|field| names::value(&field.name));
    let is_new_use = used.as_ref().map_or(quote!(false), |field| {
        let within = names::constant(&format!("{field}_within_seconds"));
        // Also if the clock was set back.
        quote!(by.#field.is_none_or(|used| used.unix().abs_diff(now.unix()) >= super::#by::#within))
    });
    let save = used.as_ref().map(|field| {
        quote! {
            if is_new_use {
                self.store().save_use::<super::#by>(Actor::Service, key, move |by| by.#field = Some(now)).await;
            }
        }
    });
    quote! {
        impl<A: Keeps> super::#admit for A {
            async fn #method(&self, presented: &str) -> Result<Option<super::#of>, support::Failure> {
                let (digest, now) = (support::Digest::from_secret(presented), self.now());
                let found = self.store().read(move |trees, _| {
                    let Some(key) = #key else { return Ok(None) };
                    let Some(by) = trees.get::<super::#by>(key)? else { return Ok(None) };
                    let is_new_use = #is_new_use;
                    #found
                    let caller = super::#of { id: caller.id, limited_by, #plan #suspended #realm };
                    Ok(Some((key, is_new_use, caller)))
                });
                let Some((key, is_new_use, caller)) = found.await? else { return Ok(None) };
                #save
                Ok(Some(caller))
            }
        }
    }
}

/// The function that gives a record a credential whose digest it has no field for.
fn issue(credential: &Credential) -> TokenStream {
    let caller = credential.caller.as_ref().expect("it has a caller");
    let (function, module) = (
        format_ident!("issue_{}", names::snake(&credential.name)),
        names::value(&credential.name),
    );
    let (tree, id) = (
        tree_of_credential(credential),
        GeneratedName::Id(&caller.limited_by).ident(),
    );
    let doc = format!(
        "Gives a record a new `{}`, and returns it. It is not stored itself.",
        credential.name
    );
    let mint = match credential.prefixes().count() {
        1 => quote!(super::#module::mint()),
        _ => quote!(secret),
    };
    let secret = (credential.prefixes().count() > 1).then(|| quote!(secret: String,));
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        /// If the store fails.
        pub async fn #function(store: &Store, of: super::#id, #secret) -> kept::StoreResult<String> {
            let secret = #mint;
            let digest = support::Digest::from_secret(&secret);
            let issued = store.write(Actor::Service, move |tx| {
                kept::kept::credentials::issue(tx, #tree, &digest, &of);
                tx.await_everywhere();
                Ok::<_, kept::Abort<std::convert::Infallible>>(())
            });
            let Ok(()) = issued.await?;
            Ok(secret)
        }
    }
}
