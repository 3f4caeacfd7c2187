//! Joined members: a function that shows or compares them takes the records that have their values, and the values that
//! only the handler knows.

use super::{Context, names};
use crate::model::{Field, Origin, Resource};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// Where the value of a joined member is.
pub(crate) enum Place<'m> {
    /// In a field of the record with this name, which may be absent.
    Record {
        argument: Ident,
        resource: &'m str,
        field: &'m str,
        is_optional: bool,
    },
    /// Whether the record itself has a value in this field.
    Own(Ident),
    /// A number that the contract states.
    Constant(u32),
    /// Only the handler knows it.
    Argument,
}

impl<'m> Place<'m> {
    /// The place of a joined field of a resource.
    pub(crate) fn for_joined_field(context: &Context<'m>, resource: &'m Resource, joined: &'m Field) -> Self {
        match &joined.origin {
            Some(Origin::Follow { ids, field }) => Self::followed(context, resource, ids, field),
            Some(Origin::Latest { resource, field, .. }) => Self::Record {
                argument: format_ident!("latest_{}", names::snake(resource)),
                resource,
                field,
                is_optional: joined.of.optional,
            },
            Some(Origin::Rate { max, .. }) => Self::Constant(*max),
            Some(Origin::Has(credential)) => {
                let is_digest = |field: &&Field| field.origin == Some(Origin::Digest(credential.clone()));
                let digest = resource.fields.iter().find(is_digest).filter(|field| field.of.optional);
                digest.map_or(Self::Argument, |digest| Self::Own(names::value(&digest.name)))
            }
            _ => Self::Argument,
        }
    }

    /// The field of the record that some ids lead to.
    pub(crate) fn followed(
        context: &Context<'m>,
        resource: &'m Resource,
        ids: &'m [(String, String)],
        field: &'m str,
    ) -> Self {
        let path = ids.iter().map(|(id, _)| names::snake(id.trim_end_matches("_id")));
        let mut name = path.collect::<Vec<_>>().join("_");
        let is_argument = |other: &Field| other.origin.is_none() && names::snake(&other.name) == name;
        if resource.joined.iter().any(is_argument) {
            name += "_record";
        }
        let mut is_optional = false;
        let mut at = resource;
        for (id, next) in ids {
            is_optional |= at.field(id).of.optional;
            at = context.model.resource(next);
        }
        Self::Record {
            argument: names::value(&name),
            resource: &at.name,
            field,
            is_optional,
        }
    }

    /// The parameter that takes the record, or the value of a field.
    pub(crate) fn parameter(&self, context: &Context<'_>, joined: &Field) -> Option<TokenStream> {
        match self {
            Self::Record { .. } => self.record(),
            Self::Own(_) | Self::Constant(_) => None,
            Self::Argument => {
                let (name, of) = (names::value(&joined.name), context.lent(&joined.of, &quote!()));
                Some(quote!(#name: #of))
            }
        }
    }

    /// The parameter that takes the record.
    pub(crate) fn record(&self) -> Option<TokenStream> {
        let Self::Record {
            argument,
            resource,
            is_optional,
            ..
        } = self
        else {
            return None;
        };
        let record = names::of_type(resource);
        let record = quote!(&#record);
        let record = if *is_optional { quote!(Option<#record>) } else { record };
        Some(quote!(#argument: #record))
    }
}
