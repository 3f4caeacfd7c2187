//! Emits how the records are read that a view or a filter of another record needs.

use super::joined::Place;
use super::keeping::{tree_of, tree_of_index};
use super::{Context, names};
use crate::model::{Field, Kind, Origin, Quota, Resource, Source, View, find};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// What records are read with.
#[derive(Clone, Copy)]
pub(crate) enum Reader {
    /// `trees`
    Trees,
    /// `tx`, a transaction.
    Tx,
}

impl Reader {
    /// Reads a record that another one names.
    fn named(self, key: &TokenStream) -> TokenStream {
        match self {
            Self::Trees => quote!(trees.shown(view, #key)?),
            Self::Tx => quote!(std::sync::Arc::new(tx.existing(#key)?)),
        }
    }
}

/// What is read, and what is passed: each once, in the order of the parameters.
pub(crate) struct Loading {
    reader: Reader,
    names: Vec<Ident>,
    pub(crate) statements: Vec<TokenStream>,
    pub(crate) arguments: Vec<TokenStream>,
}

impl Loading {
    pub(crate) fn new(reader: Reader) -> Self {
        Self {
            reader,
            names: Vec::new(),
            statements: Vec::new(),
            arguments: Vec::new(),
        }
    }

    /// For a view of `record`. `None` if it shows what only a handler knows.
    pub(crate) fn of_view(context: &Context<'_>, reader: Reader, resource: &Resource, view: &View) -> Option<Self> {
        let is_streamed = context.model.is_streamed(&resource.name, &view.name);
        let mut loading = Self::new(reader);
        for member in &view.members {
            let Source::Joined(name) = &member.source else {
                continue;
            };
            let joined = find(&resource.joined, |field| field.name == *name);
            match &member.of.kind {
                Kind::View(of, row) if member.is_list_of_rows() => {
                    loading.all(context, joined, (of, row), is_streamed)?;
                }
                _ => loading.joined(context, resource, joined)?,
            }
        }
        Some(loading)
    }

    /// Reads all records of a resource that name `record`, as rows of a view.
    fn all(&mut self, context: &Context<'_>, joined: &Field, (of, row): (&str, &str), is_streamed: bool) -> Option<()> {
        let Some(Origin::All { via, .. }) = &joined.origin else {
            return None;
        };
        let of = context.model.resource(of);
        let row = find(&of.views, |view| view.name == row);
        let shown = Self::of_view(context, self.reader, of, row)?;
        let (loads, arguments, method) = (&shown.statements, &shown.arguments, names::value(&row.name));
        let place = context.model.index_by_id(of, via, None);
        let (name, record) = (names::value(&joined.name), names::of_type(&of.name));
        let row = quote!(record.#method(#(#arguments),*));
        let row = if loads.is_empty() {
            row
        } else {
            quote!({ #(#loads)* #row })
        };
        self.statements.push(match self.reader {
            Reader::Trees => {
                let tree = place.map_or(quote!(None), |place| {
                    let tree = tree_of_index(of, place);
                    quote!(Some(#tree))
                });
                quote! {
                    let prefix = support::Key::bytes(&record.id);
                    let all = kept::Listing::new((#tree, false), &prefix, (0, i64::MAX), false);
                    let (#name, _) = all.read(trees, |record: &super::#record| Ok(#row))?;
                }
            }
            Reader::Tx => {
                let prefix = quote!(&support::Key::bytes(&record.id));
                let read = match place {
                    Some(place) => {
                        let tree = tree_of_index(of, place);
                        quote!(tx.listed::<super::#record>(#tree, #prefix, usize::MAX)?.into_iter().map(|key| tx.existing(key)))
                    }
                    None => {
                        let tree = tree_of(of);
                        quote!(tx.index(#tree, #prefix, usize::MAX)?.into_iter().map(|key| tx.existing_at(&key)))
                    }
                };
                quote! {
                    let mut #name = Vec::new();
                    for record in #read {
                        let record: super::#record = record?;
                        #name.push(#row);
                    }
                }
            }
        });
        self.arguments.push(match is_streamed {
            true => quote!(#name.into_iter().collect()),
            false => quote!(&#name),
        });
        Some(())
    }

    /// Reads what a joined field of `record` needs.
    pub(crate) fn joined(&mut self, context: &Context<'_>, resource: &Resource, joined: &Field) -> Option<()> {
        match Place::for_joined_field(context, resource, joined) {
            Place::Own(_) | Place::Constant(_) => Some(()),
            Place::Argument => {
                let left = left(context, resource, joined)?;
                self.arguments.push(left);
                Some(())
            }
            place @ Place::Record { .. } => match &joined.origin {
                Some(Origin::Follow { ids, .. }) => self.followed(context, resource, ids, &place),
                Some(Origin::Latest { resource: of, via, .. }) => self.latest(context, resource, (of, via), &place),
                _ => None,
            },
        }
    }

    /// Reads the latest record of a resource that names `record`, if it has the id of that.
    fn latest(
        &mut self,
        context: &Context<'_>,
        resource: &Resource,
        (of, via): (&String, &String),
        place: &Place<'_>,
    ) -> Option<()> {
        let is_id = |known: &Origin| matches!(known, Origin::Latest { resource, via: by, field } if resource == of && by == via && field == "id");
        let mut fields = resource.fields.iter();
        let id = fields.find(|field| field.origin.as_ref().is_some_and(is_id))?;
        if !matches!(place, Place::Record { is_optional, .. } if *is_optional == id.of.optional) {
            return None;
        }
        let (path, of) = ([(id.name.clone(), of.clone())], context.model.resource(of));
        let key = |id: &TokenStream| match context.model.stored_in(of) {
            Some(_) => quote!((record.id, #id)),
            None => id.clone(),
        };
        self.led_to(context, resource, &path, place, key)
    }

    /// Reads the record that these ids of `record` lead to.
    pub(crate) fn followed(
        &mut self,
        context: &Context<'_>,
        resource: &Resource,
        ids: &[(String, String)],
        place: &Place<'_>,
    ) -> Option<()> {
        self.led_to(context, resource, ids, place, TokenStream::clone)
    }

    /// The same. `key_of`: the key of a record, of its id.
    fn led_to(
        &mut self,
        context: &Context<'_>,
        resource: &Resource,
        ids: &[(String, String)],
        place: &Place<'_>,
        key_of: impl Fn(&TokenStream) -> TokenStream,
    ) -> Option<()> {
        let Place::Record {
            argument, is_optional, ..
        } = place
        else {
            return None;
        };
        if self.names.contains(argument) {
            return Some(());
        }
        let (mut at, mut from) = (resource, None);
        for (field, next) in ids {
            let (is_null, field) = (at.field(field).of.optional, names::value(field));
            at = context.model.resource(next);
            let record = names::of_type(&at.name);
            let holder = from.clone().unwrap_or(quote!(record));
            let of = quote!(std::sync::Arc<super::#record>);
            let id = match (from.is_some() && *is_optional, is_null) {
                (true, true) => quote!(#holder.as_ref().and_then(|record| record.#field)),
                (true, false) => quote!(#holder.as_ref().map(|record| record.#field)),
                (false, false) if *is_optional => quote!(Some(#holder.#field)),
                (false, _) => quote!(#holder.#field),
            };
            self.statements.push(match is_optional {
                true => {
                    let read = self.reader.named(&key_of(&quote!(id)));
                    quote!(let #argument: Option<#of> = match #id { Some(id) => Some(#read), None => None };)
                }
                false => {
                    let read = self.reader.named(&key_of(&id));
                    quote!(let #argument: #of = #read;)
                }
            });
            from = Some(quote!(#argument));
        }
        self.arguments.push(match is_optional {
            true => quote!(#argument.as_deref()),
            false => quote!(&#argument),
        });
        self.names.push(argument.clone());
        Some(())
    }
}

/// How many more records a quota permits, if `record` counts them.
fn left(context: &Context<'_>, resource: &Resource, joined: &Field) -> Option<TokenStream> {
    let Some(Origin::Left { resource: of, .. }) = &joined.origin else {
        return None;
    };
    let is_of = |quota: &&Quota| {
        quota.records() == Some(of)
            && quota.per == resource.name
            && quota.window_seconds.is_none()
            && quota.only.is_none()
    };
    let quota = context.model.quotas.iter().find(is_of)?;
    let count = names::value(&context.model.count_of(quota)?.name);
    let max = names::constant(&quota.name);
    Some(quote!((super::quotas::#max - record.#count).max(0)))
}
