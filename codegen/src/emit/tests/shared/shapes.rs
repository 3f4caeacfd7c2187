//! Shapes as expressions for the conformance library: types, members, bodies.

use crate::emit::shared::names;
use crate::model::{Body, BodyMember, Field, Kind, Model, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// An expression for the type, a `&'static Type`.
pub(crate) fn reference(of: &Type) -> TokenStream {
    let item = match &of.kind {
        Kind::Named(name) => in_module("types", names::constant(name)),
        Kind::Enum(name) => in_module("enums", names::constant(name)),
        Kind::Object(name) => in_module("objects", names::constant(name)),
        Kind::Input(name) => in_module("inputs", names::constant(name)),
        Kind::View(resource, view) => in_module("views", view_name(resource, view)),
        Kind::Id(resource) => quote!(&Type::Id(#resource)),
        Kind::Stored => quote!(&Type::Stored),
        Kind::Secret => quote!(&Type::Secret),
        Kind::Boolean => quote!(&Type::Boolean),
        Kind::Flag => quote!(&Type::Flag),
        Kind::Date => quote!(&Type::Date),
        Kind::Timestamp => quote!(&Type::Timestamp),
    };
    if of.list {
        quote!(&Type::List { of: #item, min: 0, max: None, unique: None })
    } else {
        item
    }
}

fn in_module(module: &str, name: Ident) -> TokenStream {
    let module = format_ident!("{module}");
    quote!(&#module::#name)
}

/// The static of a view.
pub(crate) fn view_name(resource: &str, view: &str) -> Ident {
    names::constant(&format!("{}_{view}", names::snake(resource)))
}

/// The members of an answer's `data`.
pub(crate) fn data_members(members: &[Field]) -> TokenStream {
    let members = members.iter().map(|member| {
        let (name, of) = (&member.name, reference(&member.of));
        quote!(Member::required(#name, #of))
    });
    quote!(&Type::Object(&[#(#members),*]))
}

/// A body as an object.
pub(crate) fn body(model: &Model, body: &Body) -> TokenStream {
    let members = body.members.iter().map(|member| body_member(model, body, member));
    quote!(Type::Object(&[#(#members),*]))
}

fn body_member(model: &Model, body: &Body, member: &BodyMember) -> TokenStream {
    let (name, of) = (&member.field.name, reference(&member.field.of));
    if let (false, false, Some(_)) = (body.partial, member.required, &member.field.of.default) {
        return object_member(model, &member.field);
    }
    match (body.partial, member.required, member.field.of.optional) {
        (true, _, false) => quote!(Member::partial(#name, #of)),
        (false, true, _) => quote!(Member::required(#name, #of)),
        _ => quote!(Member::optional(#name, #of)),
    }
}

/// A member of an object in a request, or a parameter of a query.
pub(crate) fn object_member(model: &Model, member: &Field) -> TokenStream {
    let (name, of) = (&member.name, reference(&member.of));
    match model.default_of(&member.of) {
        Some(default) => {
            let default = default.compact();
            quote!(Member::optional(#name, #of).or(#default))
        }
        None if member.of.optional => quote!(Member::optional(#name, #of)),
        None => quote!(Member::required(#name, #of)),
    }
}

/// The value of an unset field, as JSON.
pub(crate) fn untouched(model: &Model, field: &Field) -> Option<String> {
    if let Some(default) = model.default_of(&field.of) {
        return Some(default.compact());
    }
    if field.of.optional {
        return Some("null".to_owned());
    }
    match &field.of.kind {
        _ if field.of.list => Some("[]".to_owned()),
        Kind::Enum(name) if field.of.has_states => model
            .enumeration(name)
            .states
            .as_ref()
            .map(|states| format!("\"{}\"", states.initial)),
        _ => None,
    }
}

/// Whether values of one type are values of the other. A body may leave out members that are always stored.
pub(crate) fn is_same(one: &Type, other: &Type) -> bool {
    one.kind == other.kind && one.list == other.list
}
