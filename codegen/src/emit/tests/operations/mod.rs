//! Emits an operation as the static that its tests use.

mod list;

use crate::emit::shared::literals::{count, option, size};
use crate::emit::shared::{Context, names};
use crate::emit::tests::shared::shapes::{self, data_members, object_member, reference, view_name};
use crate::emit::tests::shared::states::{Move, Moves, moved_member};
use crate::emit::tests::shared::traces;
use crate::model::{Data, Exists, IdSource, Model, Operation, Pages, Segment, Source, Surface};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>, surface: &Surface, operation: &Operation) -> TokenStream {
    let model = context.model;
    let (name, place) = (
        format!("{}::{}", surface.name, operation.name),
        context.at(operation.at),
    );
    let (method, path) = (&operation.method, format!("{}{}", surface.base, operation.route));
    let allow = allow(surface, operation);
    let admission = admission(model, surface, operation);
    let request = request(model, operation);
    let guards = guards(model, operation);
    let answer = answer(context, operation);
    let list = option(list::emit(context, surface, operation));
    let traces = traces::of(model, surface, operation);
    let traces = traces.iter().map(|trace| trace.emit(model, operation));
    quote! {
        pub(crate) static OPERATION: Operation = Operation {
            name: #name,
            at: #place,
            method: #method,
            path: #path,
            allow: &[#(#allow),*],
            #admission
            #request
            #guards
            #answer
            list: #list,
            traces: &[#(#traces),*],
        };
    }
}

/// The members of the static about credentials and limits.
fn admission(model: &Model, surface: &Surface, operation: &Operation) -> TokenStream {
    let credential = option(surface.credential.as_ref().map(|name| {
        let index = model.credentials.iter().position(|credential| credential.name == *name);
        let index = size(index.expect("resolved names name something"));
        quote!(&CONTRACT.credentials[#index])
    }));
    let limit = option(operation.limit.as_ref().map(|name| {
        let index = model.limits.iter().position(|limit| limit.name == *name);
        let index = size(index.expect("resolved names name something"));
        quote!(&CONTRACT.limits[#index])
    }));
    let plan = option(operation.plan.as_ref());
    quote! {
        credential: #credential,
        limit: #limit,
        plan: #plan,
    }
}

/// The members about the request.
fn request(model: &Model, operation: &Operation) -> TokenStream {
    let parameters = operation.path.iter().map(|field| {
        let (name, of) = (&field.name, reference(&field.of));
        quote!(Parameter { name: #name, of: #of })
    });
    let query = operation.query.iter().map(|field| object_member(model, field));
    let constraints = operation.constraints.iter();
    let constraints = constraints.map(|(lower, upper)| quote!((#lower, #upper)));
    let body = option(operation.body.as_ref().map(|used| body(model, operation, used)));
    let partial = model.body(operation).is_some_and(|body| body.partial);
    let max_bytes = count(operation.max_bytes);
    quote! {
        parameters: &[#(#parameters),*],
        query: &[#(#query),*],
        constraints: &[#(#constraints),*],
        body: #body,
        partial: #partial,
        max_bytes: #max_bytes,
    }
}

/// The members about guards.
fn guards(model: &Model, operation: &Operation) -> TokenStream {
    let exists = operation.exists.iter().map(|exists| exists_of(model, exists));
    let owned = &operation.owned;
    let quota = option(operation.quota.as_ref().map(|name| {
        let name = names::constant(name);
        quote!(&quotas::#name)
    }));
    let transitions = option(transitions(model, operation));
    quote! {
        exists: &[#(#exists),*],
        owned: &[#(#owned),*],
        quota: #quota,
        transitions: #transitions,
    }
}

/// The members about the success.
fn answer(context: &Context<'_>, operation: &Operation) -> TokenStream {
    let status = count(operation.status.into());
    let data = option(operation.data.as_ref().map(data_of));
    let message = option(operation.message.as_ref());
    let siblings = &operation.siblings;
    let sort = sort(context.model, operation);
    let pages = option(operation.pages.as_ref().map(|one| pages(context, one)));
    quote! {
        status: #status,
        data: #data,
        message: #message,
        siblings: &[#(#siblings),*],
        sort: &[#(#sort),*],
        pages: #pages,
    }
}

fn body(model: &Model, operation: &Operation, used: &crate::model::BodyUse) -> TokenStream {
    if let crate::model::BodyUse::Named(name) = used {
        let name = names::constant(name);
        return quote!(&inputs::#name);
    }
    let body = shapes::body(
        model,
        model.body(operation).expect("called for an operation with a body"),
    );
    quote!(&#body)
}

/// The methods of all operations with the same path, whatever the names of its parameters.
pub(super) fn allow<'s>(surface: &'s Surface, operation: &Operation) -> Vec<&'s str> {
    let shape = |operation: &Operation| {
        let literal = |segment: &Segment| match segment {
            Segment::Literal(text) => Some(text.clone()),
            Segment::Parameter(_) => None,
        };
        operation.segments.iter().map(literal).collect::<Vec<_>>()
    };
    let here = shape(operation);
    surface
        .operations
        .iter()
        .filter(|other| shape(other) == here)
        .map(|other| other.method.as_str())
        .collect()
}

fn exists_of(model: &Model, exists: &Exists) -> TokenStream {
    let resource = model.resource(&exists.resource);
    let (name, noun, private) = (&resource.name, &resource.noun, resource.private);
    let (in_path, id) = match &exists.id {
        IdSource::Path(id) => (true, id),
        IdSource::Body(id) => (false, id),
    };
    let within = option(exists.parent.as_ref().map(|(parent, _)| parent));
    quote! {
        Exists { resource: #name, noun: #noun, in_path: #in_path, id: #id, within: #within, private: #private }
    }
}

fn transitions(model: &Model, operation: &Operation) -> Option<TokenStream> {
    let (resource, _) = operation.transitions.as_ref()?;
    let (member, _) = moved_member(model, operation)?;
    let noun = &model.resource(resource).noun;
    let rejected = Moves::of(model, operation).and_then(|moves| moves.rejected());
    let rejected = option(rejected.map(|Move { way, to, .. }| quote!(Move { by_way_of: &[#(#way),*], to: #to })));
    Some(quote!(Transitions { resource: #resource, noun: #noun, member: #member, rejected: #rejected }))
}

fn data_of(data: &Data) -> TokenStream {
    let view = |resource: &str, view: &str| {
        let name = view_name(resource, view);
        quote!(&views::#name)
    };
    match data {
        Data::One { resource, view: name } => view(resource, name),
        Data::Many { resource, view: name } => {
            let of = view(resource, name);
            quote!(&Type::List { of: #of, min: 0, max: None, unique: None })
        }
        Data::Members(members) => data_members(members),
    }
}

fn pages(context: &Context<'_>, pages: &Pages) -> TokenStream {
    let (size, at) = (&pages.size, context.at(pages.at));
    let [offset, number, total] = [&pages.offset, &pages.number, &pages.total].map(|one| option(one.as_ref()));
    quote!(Pages { size: #size, offset: #offset, number: #number, total: #total, at: #at })
}

/// The order of a list by the members that it shows: all sort keys up to the first one that it does not show.
fn sort(model: &Model, operation: &Operation) -> Vec<TokenStream> {
    let Some(Data::Many { resource, view }) = &operation.data else {
        return Vec::new();
    };
    let view = model
        .resource(resource)
        .views
        .iter()
        .find(|one| one.name == *view)
        .expect("resolved names name something");
    let shown = |field: &str| {
        view.members
            .iter()
            .find(|member| matches!(&member.source, Source::Stored(stored) if stored == field))
    };
    let keys = operation
        .sort
        .iter()
        .map_while(|(field, reversed)| Some((&shown(field)?.shown, reversed)));
    keys.map(|(name, reversed)| quote!((#name, #reversed))).collect()
}
