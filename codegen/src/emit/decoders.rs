//! Emits the decoders of the named types.

use crate::emit::shared::literals::{count, float, option, whole};
use crate::emit::shared::{Context, doc as doc_of, names};
use crate::model::{NamedType, Node, Type, TypeRule};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let types = context.model.types.iter();
    let sent = types.filter(|named| context.is_sent(Node::Type(&named.name)));
    let decoders: Vec<_> = sent.map(|named| decoder(context, named)).collect();
    if decoders.is_empty() {
        return quote!();
    }
    quote! {
        /// The decoders of the contract's named types. Each reports every validation error.
        #[allow(clippy::wildcard_imports, reason = "the items of lists have any type of the contract")]
        pub(crate) mod decode {
            use super::*;
            use support::{ValidationErrors, Value};
            #(#decoders)*
        }
    }
}

fn decoder(context: &Context<'_>, named: &NamedType) -> TokenStream {
    let name = names::value(&named.name);
    let doc = doc_of(&named.name, named.doc.as_deref());
    let of = context.of_rule(&named.rule);
    let body = match &named.rule {
        TypeRule::Text {
            min,
            max,
            chars,
            bidi_controls,
            alike: _,
        } => text(*min, *max, chars.as_deref(), *bidi_controls),
        TypeRule::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => number([*min, *exclusive_min, *max], *decimals),
        TypeRule::Integer { min, max } => {
            let (min, max) = (option(min.map(whole)), option(max.map(whole)));
            quote!(support::decode::integer(value, errors, &support::decode::IntegerRule { min: #min, max: #max }))
        }
        TypeRule::FreeForm { max_bytes } => {
            let max_bytes = count(*max_bytes);
            quote!(support::decode::open(value, errors, #max_bytes))
        }
        TypeRule::List { of, min, max, unique } => list(context, of, (*min, *max), unique.as_deref()),
    };
    quote! {
        #[doc = #doc]
        pub(crate) fn #name(value: Value, errors: &mut ValidationErrors) -> Option<#of> {
            #body
        }
    }
}

fn text(min: u64, max: Option<u64>, chars: Option<&str>, bidi_controls: bool) -> TokenStream {
    let (min, max, chars) = (count(min), option(max.map(count)), option(chars));
    let rule = quote! {
        support::decode::TextRule { min: #min, max: #max, chars: #chars, bidi_controls: #bidi_controls }
    };
    quote!(support::decode::text(value, errors, &#rule))
}

fn number(bounds: [Option<f64>; 3], decimals: Option<u32>) -> TokenStream {
    let [min, exclusive_min, max] = bounds.map(|bound| option(bound.map(float)));
    let decimals = option(decimals.map(|decimals| count(decimals.into())));
    let rule = quote! {
        support::decode::NumberRule { min: #min, exclusive_min: #exclusive_min, max: #max, decimals: #decimals }
    };
    quote!(support::decode::number(value, errors, &#rule))
}

fn list(context: &Context<'_>, of: &Type, (min, max): (u64, Option<u64>), unique: Option<&str>) -> TokenStream {
    let decoder = context.decoder(of);
    let (min, max) = (count(min), option(max.map(count)));
    let rule = quote!(support::decode::ListRule { min: #min, max: #max });
    let unique = unique.map(|member| {
        let field = names::value(member);
        quote!(support::decode::unique(&items, errors, #member, |item| &item.#field);)
    });
    quote! {
        let items = support::decode::list(value, errors, &#rule, #decoder)?;
        #unique
        Some(items)
    }
}
