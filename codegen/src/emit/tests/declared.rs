//! Every named shape of the contract as a static: types, enumerations, objects, inputs, views; and the quotas.

use crate::emit::shared::literals::{count, float, option, whole};
use crate::emit::shared::{Context, names};
use crate::emit::tests::shared::shapes::{body, object_member, reference, view_name};
use crate::model::{Model, TypeRule, View};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let types = model
        .types
        .iter()
        .map(|named| (names::constant(&named.name), rule(&named.rule)));
    let enums = model.enums.iter().map(|one| {
        let words = &one.values;
        (names::constant(&one.name), quote!(Type::Word(&[#(#words),*])))
    });
    let objects = model.objects.iter().map(|one| {
        let members = one.members.iter().map(|member| object_member(model, member));
        (names::constant(&one.name), quote!(Type::Object(&[#(#members),*])))
    });
    let inputs = model
        .inputs
        .iter()
        .map(|one| (names::constant(&one.name), body(context.model, &one.body)));
    let views = model.resources.iter().flat_map(|resource| {
        resource
            .views
            .iter()
            .map(|one| (view_name(&resource.name, &one.name), view(one)))
    });
    let quotas: Vec<_> = model
        .quotas
        .iter()
        .map(|quota| {
            let (constant, name, max, noun) =
                (names::constant(&quota.name), &quota.name, count(quota.max), &quota.noun);
            quote!(pub(crate) static #constant: Quota = Quota { name: #name, max: #max, noun: #noun };)
        })
        .collect();
    let quotas = (!quotas.is_empty()).then(|| {
        quote! {
            /// The quotas.
            pub(crate) mod quotas {
                use super::*;
                #(#quotas)*
            }
        }
    });
    let modules = [
        module("types", types),
        module("enums", enums),
        module("objects", objects),
        module("inputs", inputs),
        module("views", views),
    ];
    let vocabulary = vocabulary(model);
    let modules = modules.into_iter().flatten();
    quote! {
        /// Every name of a field, a member or a parameter.
        #[allow(dead_code, reason = "requests may have no members and no parameters")]
        pub(crate) const VOCABULARY: &[&str] = &[#(#vocabulary),*];

        #(#modules)*

        #quotas
    }
}

fn vocabulary(model: &Model) -> Vec<&str> {
    let fields = model
        .resources
        .iter()
        .flat_map(|one| one.fields.iter().chain(&one.joined));
    let objects = model.objects.iter().flat_map(|one| &one.members);
    let operations = || model.surfaces.iter().flat_map(|surface| &surface.operations);
    let parameters = operations().flat_map(|operation| operation.query.iter().chain(&operation.path));
    let bodies = operations()
        .filter_map(|operation| model.body(operation))
        .chain(model.inputs.iter().map(|one| &one.body));
    let members = bodies.flat_map(|body| &body.members).map(|member| &member.field);
    let all = fields.chain(objects).chain(parameters).chain(members);
    let mut names: Vec<&str> = all.map(|field| field.name.as_str()).chain(["no_such_name"]).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A module of statics; `None` if there are none.
fn module(name: &str, statics: impl Iterator<Item = (Ident, TokenStream)>) -> Option<TokenStream> {
    let ident = format_ident!("{name}");
    let doc = format!("The {name}.");
    let statics = statics.map(|(name, value)| quote!(pub(crate) static #name: Type = #value;));
    let statics: Vec<_> = statics.collect();
    (!statics.is_empty()).then(|| {
        quote! {
            #[doc = #doc]
            #[allow(dead_code, reason = "records may use more than requests and answers")]
            pub(crate) mod #ident {
                use super::*;
                #(#statics)*
            }
        }
    })
}

fn rule(rule: &TypeRule) -> TokenStream {
    match rule {
        TypeRule::Text {
            min,
            max,
            chars,
            bidi_controls,
        } => {
            let (min, max, chars) = (count(*min), option(max.map(count)), option(chars.as_ref()));
            quote!(Type::Text { min: #min, max: #max, chars: #chars, bidi_controls: #bidi_controls })
        }
        TypeRule::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => {
            let [min, exclusive_min, max] = [min, exclusive_min, max].map(|bound| option(bound.map(float)));
            let decimals = option(decimals.map(|decimals| count(decimals.into())));
            quote!(Type::Number { min: #min, exclusive_min: #exclusive_min, max: #max, decimals: #decimals })
        }
        TypeRule::Integer { min, max } => {
            let [min, max] = [min, max].map(|bound| option(bound.map(whole)));
            quote!(Type::Integer { min: #min, max: #max })
        }
        TypeRule::List { of, min, max, unique } => {
            let (of, min, max, unique) = (
                reference(of),
                count(*min),
                option(max.map(count)),
                option(unique.as_ref()),
            );
            quote!(Type::List { of: #of, min: #min, max: #max, unique: #unique })
        }
        TypeRule::FreeForm { max_bytes } => {
            let max_bytes = count(*max_bytes);
            quote!(Type::FreeForm { max_bytes: #max_bytes })
        }
    }
}

fn view(view: &View) -> TokenStream {
    let members = view.members.iter().map(|member| {
        let (name, of) = (&member.shown, reference(&member.of));
        if member.of.optional {
            quote!(Member::nullable(#name, #of))
        } else {
            quote!(Member::required(#name, #of))
        }
    });
    quote!(Type::Object(&[#(#members),*]))
}
