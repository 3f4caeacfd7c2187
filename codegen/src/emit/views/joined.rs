//! What a view shows of other records: the method that shows it takes these records, and the members that only the
//! handler knows.

use crate::emit::shared::operation_context::each_once;
use crate::emit::shared::{Context, GeneratedName, names};
use crate::model::{Field, Kind, Origin, Resource, Source, Type, View, find};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// Where the value of a joined member is.
enum Place<'m> {
    /// In a field of the record with this name, which may be absent.
    Record {
        argument: Ident,
        resource: &'m str,
        field: &'m str,
        is_optional: bool,
    },
    /// In the record itself.
    Own(TokenStream),
    /// Only the handler knows it.
    Argument,
}

fn place<'m>(context: &Context<'m>, resource: &'m Resource, joined: &'m Field) -> Place<'m> {
    match &joined.origin {
        Some(Origin::Follow { ids, field }) => {
            let (_, last) = ids.last().expect("a path has an id");
            let path = ids.iter().map(|(id, _)| names::snake(id.trim_end_matches("_id")));
            let mut name = path.collect::<Vec<_>>().join("_");
            let is_argument = |other: &Field| other.origin.is_none() && names::snake(&other.name) == name;
            if resource.joined.iter().any(is_argument) {
                name += "_record";
            }
            let mut at = resource;
            let is_optional = ids.iter().any(|(id, next)| {
                let id = &at.field(id).of;
                at = context.model.resource(next);
                id.optional
            });
            Place::Record {
                argument: names::value(&name),
                resource: last,
                field,
                is_optional,
            }
        }
        Some(Origin::Latest { resource, field, .. }) => Place::Record {
            argument: format_ident!("latest_{}", names::snake(resource)),
            resource,
            field,
            is_optional: joined.of.optional,
        },
        Some(Origin::Has(credential)) => {
            let is_digest = |field: &&Field| field.origin == Some(Origin::Digest(credential.clone()));
            let digest = resource.fields.iter().find(is_digest).filter(|field| field.of.optional);
            digest.map_or(Place::Argument, |digest| {
                let digest = names::value(&digest.name);
                Place::Own(quote!(self.#digest.is_some()))
            })
        }
        _ => Place::Argument,
    }
}

fn joined<'m>(resource: &'m Resource, view: &'m View) -> impl Iterator<Item = &'m Field> {
    view.members.iter().filter_map(|member| match &member.source {
        Source::Joined(name) => Some(find(&resource.joined, |field| field.name == *name)),
        _ => None,
    })
}

/// Whether the method that shows a view has parameters.
pub(super) fn has_arguments(context: &Context<'_>, resource: &Resource, view: &View) -> bool {
    joined(resource, view).any(|field| !matches!(place(context, resource, field), Place::Own(_)))
}

/// The parameters of the method that shows a view: each record once.
pub(super) fn arguments(context: &Context<'_>, resource: &Resource, view: &View) -> TokenStream {
    let parameters = joined(resource, view).filter_map(|field| match place(context, resource, field) {
        Place::Record {
            argument,
            resource,
            is_optional,
            ..
        } => {
            let record = names::of_type(resource);
            let record = quote!(&#record);
            let record = if is_optional { quote!(Option<#record>) } else { record };
            Some(quote!(#argument: #record))
        }
        Place::Own(_) => None,
        Place::Argument => Some(loose(context, resource, view, field)),
    });
    let parameters = each_once(parameters);
    quote!(#(#parameters),*)
}

fn loose(context: &Context<'_>, resource: &Resource, view: &View, field: &Field) -> TokenStream {
    let ident = names::value(&field.name);
    match &field.of.kind {
        Kind::View(of, row) if field.of.list && context.model.is_streamed(&resource.name, &view.name) => {
            let row = GeneratedName::View(of, row).ident();
            quote!(mut #ident: support::Rows<#row>)
        }
        _ => {
            let of = context.lent(&field.of, &quote!());
            quote!(#ident: #of)
        }
    }
}

/// The value of a joined member of the type `of`.
pub(super) fn value(context: &Context<'_>, resource: &Resource, name: &str, of: &Type) -> TokenStream {
    match place(context, resource, find(&resource.joined, |field| field.name == name)) {
        Place::Record {
            argument,
            resource,
            field,
            is_optional,
        } => {
            let source = &context.model.resource(resource).field(field).of;
            let field = names::value(field);
            let lent = context.lend(source, &quote!(#argument.#field));
            match (is_optional, source.optional) {
                (false, false) if of.optional => quote!(Some(#lent)),
                (false, _) => lent,
                (true, true) => quote!(#argument.and_then(|#argument| #lent)),
                (true, false) => quote!(#argument.map(|#argument| #lent)),
            }
        }
        Place::Own(value) => value,
        Place::Argument => {
            let name = names::value(name);
            quote!(#name)
        }
    }
}
