//! Generates a body: its struct, its decoder, and how it creates or changes its record.

use super::{Context, field_doc, names, types};
use crate::model::{Body, BodyMember, Field, IdSource, Kind, Model, Operation, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The body as a struct of this name that decodes itself and collects every validation error.
pub(crate) fn body_struct(context: &Context<'_>, name: &Ident, rest: &Ident, doc: &str, body: &Body) -> TokenStream {
    let fields: Vec<_> = body
        .members
        .iter()
        .map(|member| names::value(&member.field.name))
        .collect();
    let local: Vec<_> = body
        .members
        .iter()
        .map(|member| names::local(&member.field.name))
        .collect();
    let docs = body.members.iter().map(|member| field_doc(&member.field));
    let owned = body.members.iter().map(|member| member_type(context, body, member));
    let known = types::known(body.members.iter().map(|member| &member.field));
    let taken = body.members.iter().map(|member| take(context, body, member));
    let any = body.partial.then(|| quote!(members.require_any(#known, errors);));
    let record = body.resource.as_ref().map(|_| {
        if body.partial {
            apply(context, name, body)
        } else {
            into_record(context, name, rest, body)
        }
    });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name { #(#[doc = #docs] pub #fields: #owned,)* }

        impl #name {
            /// Decodes a body, and reports all that is wrong with it.
            #[allow(clippy::missing_panics_doc, reason = "defaults are finite")]
            pub fn decode(value: support::Value, errors: &mut support::ValidationErrors) -> Option<Self> {
                let mut members = support::Members::of_object(value, #known, errors)?;
                #any
                #(let #local = #taken;)*
                Some(Self { #(#fields: #local?),* })
            }
        }

        #record
    }
}

/// The type of a member. A member of a record's body keeps the default of its resource; a required member has none.
fn effective(body: &Body, member: &BodyMember) -> Type {
    let of = member.field.of.clone();
    if body.partial {
        Type { default: None, ..of }
    } else if member.required {
        Type {
            default: None,
            optional: false,
            ..of
        }
    } else {
        of
    }
}

fn member_type(context: &Context<'_>, body: &Body, member: &BodyMember) -> TokenStream {
    let of = context.owned(&effective(body, member));
    if body.partial { quote!(Option<#of>) } else { of }
}

fn take(context: &Context<'_>, body: &Body, member: &BodyMember) -> TokenStream {
    let (name, of) = (&member.field.name, effective(body, member));
    let decoder = context.decoder(&of);
    if member.never_null {
        let default = context.default(&of);
        let or_default = default.map(|default| quote!(.map(|value| value.unwrap_or(#default))));
        return quote!(members.patch(#name, errors, #decoder) #or_default);
    }
    if !body.partial {
        return context.take(name, &of);
    }
    if of.optional {
        quote!(members.patch_nullable(#name, errors, #decoder))
    } else {
        quote!(members.patch(#name, errors, #decoder))
    }
}

fn apply(context: &Context<'_>, name: &Ident, body: &Body) -> TokenStream {
    let resource = context
        .model
        .resource(body.resource.as_deref().expect("called for a record's body"));
    let record = names::of_type(&resource.name);
    let fields: Vec<_> = body
        .members
        .iter()
        .filter(|member| member.of_record)
        .map(|member| names::value(&member.field.name))
        .collect();
    let doc = format!("Sets the fields of the {} that the request has.", resource.noun);
    quote! {
        impl #name {
            #[doc = #doc]
            pub fn apply(self, record: &mut #record) {
                #(if let Some(value) = self.#fields { record.#fields = value; })*
            }
        }
    }
}

fn into_record(context: &Context<'_>, name: &Ident, rest: &Ident, body: &Body) -> TokenStream {
    let resource = context
        .model
        .resource(body.resource.as_deref().expect("called for a record's body"));
    let record = names::of_type(&resource.name);
    let method = format_ident!("into_{}", names::snake(&resource.name));
    let value = |field: &Field| record_value(context, body, field);
    let open: Vec<_> = resource.fields.iter().filter(|field| value(field).is_none()).collect();
    let open_fields: Vec<_> = open.iter().map(|field| names::value(&field.name)).collect();
    let open_docs = open.iter().map(|field| field_doc(field));
    let open_types = open.iter().map(|field| context.owned(&field.of));
    let copy = open
        .iter()
        .all(|field| context.is_copy(&field.of))
        .then(|| quote!(Copy,));
    let values = resource.fields.iter().map(|field| {
        let ident = names::value(&field.name);
        match value(field) {
            Some(value) => quote!(#ident: #value),
            None => quote!(#ident: rest.#ident),
        }
    });
    let doc = format!(
        "Creates the {}. Other fields have their defaults, states their initial value.",
        resource.noun
    );
    let noun = names::with_article(&resource.noun);
    let rest_doc = format!("The fields of {noun} that [`{name}`] does not have.");
    quote! {
        #[doc = #rest_doc]
        #[derive(Clone, #copy Debug)]
        pub struct #rest { #(#[doc = #open_docs] pub #open_fields: #open_types,)* }

        impl #name {
            #[doc = #doc]
            #[allow(clippy::missing_panics_doc, reason = "defaults are finite")]
            #[must_use]
            pub fn #method(self, rest: #rest) -> #record {
                #record { #(#values,)* }
            }
        }
    }
}

/// The value of a field of the new record; `None` if the field is part of the rest.
fn record_value(context: &Context<'_>, body: &Body, field: &Field) -> Option<TokenStream> {
    let ident = names::value(&field.name);
    let mut members = body.members.iter().filter(|member| member.field.name == field.name);
    if let Some(member) = members.find(|member| member.of_record || is_proven_id(context.model, body, member, field)) {
        return Some(if field.of.optional && member.required {
            quote!(Some(self.#ident))
        } else {
            quote!(self.#ident)
        });
    }
    context.when_new(&field.of)
}

/// Whether the member is the field's id of another resource, and a guard has found that resource in every operation
/// with this body.
fn is_proven_id(model: &Model, body: &Body, member: &BodyMember, field: &Field) -> bool {
    let is_found = |operation: &Operation| {
        let mut ids = operation.exists().map(|exists| &exists.id);
        ids.any(|id| *id == IdSource::Body(member.field.name.clone()))
    };
    let takes_it = |operation: &Operation| model.body(operation).is_some_and(|taken| std::ptr::eq(taken, body));
    let operations = model.operations().map(|(_, operation)| operation);
    let mut takers = operations.filter(|operation| takes_it(operation)).peekable();
    matches!(field.of.kind, Kind::Id(_))
        && member.field.of.kind == field.of.kind
        && (member.required || field.of.optional)
        && takers.peek().is_some()
        && takers.all(is_found)
}
