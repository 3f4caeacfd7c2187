//! Emits what a command line or a page needs to know of an operation.

use crate::emit::shared::OperationContext;
use crate::model::{Data, Field, Kind, Model, TypeRule, ValueCounts, find};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let (model, operation) = (subject.context.model, subject.operation);
    let ids = operation.path.iter().map(|field| field.name.as_str());
    let pages = operation.pages.as_ref();
    let asked = operation.query.iter().filter(|field| !operation.pages_by(&field.name));
    let query = asked.map(|field| described(model, field, !field.of.optional && field.of.default.is_none()));
    let members = model.body(operation).into_iter().flat_map(|body| &body.members);
    let body = members.map(|member| described(model, &member.field, member.required));
    let shown: Vec<&str> = match &operation.data {
        Some(Data::One { resource, view } | Data::Many { resource, view }) => {
            let view = find(&model.resource(resource).views, |one| one.name == *view);
            view.members.iter().map(|member| member.shown.as_str()).collect()
        }
        Some(Data::Members(members)) => members.iter().map(|member| member.name.as_str()).collect(),
        Some(Data::Counts(counts)) => vec![&counts.value.name, ValueCounts::COUNT],
        Some(Data::Events) | None => Vec::new(),
    };
    let pages = pages.and_then(|pages| Some((pages.size.as_str(), pages.offset.as_ref()?.as_str())));
    let pages = pages.map_or(quote!(None), |(size, offset)| quote!(Some((#size, #offset))));
    quote! {
        /// What a command line or a page asks for and shows.
        pub const DESCRIPTION: support::description::OperationDescription = support::description::OperationDescription {
            method: METHOD,
            path: PATH,
            ids: &[#(#ids),*],
            query: &[#(#query),*],
            body: &[#(#body),*],
            shown: &[#(#shown),*],
            pages: #pages,
        };
    }
}

fn described(model: &Model, field: &Field, required: bool) -> TokenStream {
    let (name, doc, kind) = (
        &field.name,
        field.doc.as_deref().unwrap_or_default(),
        kind(model, field),
    );
    quote! {
        support::description::FieldDescription {
            name: #name,
            doc: #doc,
            kind: support::description::FieldKind::#kind,
            required: #required
        }
    }
}

fn kind(model: &Model, field: &Field) -> TokenStream {
    if field.of.list {
        return quote!(Json);
    }
    match &field.of.kind {
        Kind::Boolean | Kind::Flag => quote!(Boolean),
        Kind::Id(resource) if model.ids(resource).is_uuid() => quote!(Text),
        Kind::Id(_) => quote!(Number),
        Kind::Enum(name) => {
            let words = &model.enumeration(name).values;
            quote!(Word(&[#(#words),*]))
        }
        Kind::Object(_) | Kind::Input(_) | Kind::View(..) => quote!(Json),
        Kind::Named(name) => match &model.named_type(name).rule {
            TypeRule::Text { .. } => quote!(Text),
            TypeRule::Number { .. } | TypeRule::Integer { .. } => quote!(Number),
            TypeRule::List { .. } | TypeRule::FreeForm { .. } => quote!(Json),
        },
        Kind::Stored | Kind::Secret | Kind::Format(_) | Kind::Timestamp | Kind::Cursor | Kind::EventNames(_) => {
            quote!(Text)
        }
    }
}
