//! Emits the request of an operation. Path, query and body are structs that decode themselves and collect every
//! validation error; beside them are the proofs of the guards.

use crate::emit::shared::operation_context::EmittedMember;
use crate::emit::shared::{Context, OperationContext, body, field_doc, literals, names, types};
use crate::model::{BodyUse, Operation, Segment};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let (context, operation) = (subject.context, subject.operation);
    let path = (!operation.path.is_empty()).then(|| path(subject));
    let query = (!operation.query.is_empty()).then(|| query(context, operation));
    let body = operation.body.as_ref().map(|body| match body {
        BodyUse::Named(name) => {
            let (input, doc) = (names::of_type(name), "The members of the body.");
            quote!(#[doc = #doc] pub type Body = #input;)
        }
        BodyUse::Inline(body) => {
            let (name, rest) = (format_ident!("Body"), format_ident!("Rest"));
            body::body_struct(context, &name, &rest, "The members of the body.", body)
        }
    });
    let members = subject.members().into_iter();
    let members = members.map(|EmittedMember { name, of, doc }| quote!(#[doc = #doc] pub #name: #of));
    quote! {
        /// The request, decoded and past all guards.
        #[derive(Clone, Debug)]
        pub struct Request { #(#members,)* }

        #path
        #query
        #body
    }
}

fn path(subject: &OperationContext<'_>) -> TokenStream {
    let (context, operation) = (subject.context, subject.operation);
    let base_segments = subject.surface.base.split('/').skip(1).count();
    let fields: Vec<_> = operation.path.iter().map(|field| names::value(&field.name)).collect();
    let local: Vec<_> = operation.path.iter().map(|field| names::local(&field.name)).collect();
    let words = operation.path.iter().map(|field| &field.name);
    let docs = operation.path.iter().map(field_doc);
    let owned = operation.path.iter().map(|field| context.owned(&field.of));
    let decoders = operation.path.iter().map(|field| context.decoder(&field.of));
    let places = operation.path.iter().map(|field| {
        let here = Segment::Parameter(field.name.clone());
        let index = operation.segments.iter().position(|segment| *segment == here);
        literals::size(base_segments + index.expect("checked: the parameter is in the path"))
    });
    quote! {
        /// The parameters of the path.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Path { #(#[doc = #docs] pub #fields: #owned,)* }

        impl Path {
            pub(super) fn decode(exchange: &support::Exchange, errors: &mut support::ValidationErrors) -> Option<Self> {
                #(let #local = exchange.parameter(#words, #places, errors, #decoders);)*
                Some(Self { #(#fields: #local?),* })
            }
        }
    }
}

fn query(context: &Context<'_>, operation: &Operation) -> TokenStream {
    let fields: Vec<_> = operation.query.iter().map(|field| names::value(&field.name)).collect();
    let local: Vec<_> = operation.query.iter().map(|field| names::local(&field.name)).collect();
    let docs = operation.query.iter().map(field_doc);
    let owned = operation.query.iter().map(|field| context.owned(&field.of));
    let known = types::known(operation.query.iter());
    let taken = operation.query.iter().map(|field| context.take(&field.name, &field.of));
    let constraints = operation.constraints.iter().map(|(lower, upper)| {
        let [low, high] = [lower, upper].map(|name| number_of(context, operation, name));
        let (lower, upper) = (lower.as_str(), upper.as_str());
        quote!(support::decode::at_most(errors, (#lower, #low), (#upper, #high));)
    });
    quote! {
        /// The parameters of the query.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Query { #(#[doc = #docs] pub #fields: #owned,)* }

        impl Query {
            pub(super) fn decode(query: Option<&str>, errors: &mut support::ValidationErrors) -> Option<Self> {
                let mut members = support::Members::of_query(query, #known, errors);
                #(let #local = #taken;)*
                #(#constraints)*
                Some(Self { #(#fields: #local?),* })
            }
        }
    }
}

/// The number in a decoded parameter, as `Option<f64>`.
fn number_of(context: &Context<'_>, operation: &Operation, name: &str) -> TokenStream {
    let field = operation
        .query
        .iter()
        .find(|field| field.name == name)
        .expect("checked: the parameter is known");
    let ident = names::local(name);
    let get = if context.is_whole(&field.of) {
        quote!(|number| number as f64)
    } else {
        quote!(support::Number::get)
    };
    if field.of.optional {
        quote!(#ident.flatten().map(#get))
    } else {
        quote!(#ident.map(#get))
    }
}
