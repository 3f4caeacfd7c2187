//! Emits ids, enumerations and objects.

use crate::emit::shared::{Context, GeneratedName, doc as doc_of, literals, names, serde, types};
use crate::model::{Enum, Node, Object, Resource, States};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let ids = model.resources.iter().map(id);
    let enums = model.enums.iter().map(|one| enumeration(context, one));
    let objects = model.objects.iter().map(|one| object(context, one));
    quote!(#(#ids)* #(#enums)* #(#objects)*)
}

fn id(resource: &Resource) -> TokenStream {
    let (name, record) = (
        GeneratedName::Id(&resource.name).ident(),
        names::of_type(&resource.name),
    );
    let doc = format!("The id of one {}.", resource.noun);
    let value = resource.ids.is_uuid().then(|| {
        let value = Context::id_value(resource.ids);
        quote!(, #value)
    });
    quote! {
        #[doc = #doc]
        pub type #name = support::Id<#record #value>;
    }
}

fn enumeration(context: &Context<'_>, of: &Enum) -> TokenStream {
    let name = names::of_type(&of.name);
    let words = &of.values;
    let variants: Vec<_> = words.iter().map(|word| names::of_type(word)).collect();
    let docs = words.iter().map(|word| doc_of(word, of.doc(word)));
    let doc = format!(
        "One of {}.",
        words
            .iter()
            .map(|word| doc_of(word, None))
            .collect::<Vec<_>>()
            .join(", ")
    );
    let count = literals::size(words.len());
    let decode = context.is_sent(Node::Enum(&of.name)).then(|| {
        quote! {
            pub(crate) fn decode(value: support::Value, errors: &mut support::ValidationErrors) -> Option<Self> {
                support::decode::choice(value, errors, &Self::WORDS).map(|index| Self::VALUES[index])
            }
        }
    });
    let states = of.states.as_ref().map(|states| states_of(&name, states));
    let widen = of.part_of.as_ref().map(|whole| {
        let whole = names::of_type(whole);
        quote! {
            impl From<#name> for #whole {
                fn from(part: #name) -> Self {
                    match part { #(#name::#variants => #whole::#variants,)* }
                }
            }
        }
    });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #name {
            #(#[doc = #docs] #variants,)*
        }

        impl #name {
            /// All values, in the contract's order.
            pub const VALUES: [Self; #count] = [#(Self::#variants),*];

            const WORDS: [&'static str; #count] = [#(#words),*];

            /// Its name in the contract.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                Self::WORDS[self as usize]
            }

            #decode
        }

        impl support::serde::Serialize for #name {
            fn serialize<S: support::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> support::serde::Deserialize<'de> for #name {
            fn deserialize<D: support::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
            }
        }

        impl support::index::Part for #name {
            fn write(&self, to: &mut support::KeyBytes) {
                to.push(*self as u8);
            }

            fn skip(bytes: &[u8], _: bool) -> Option<usize> {
                support::index::fixed(bytes, 1)
            }
        }

        #widen
        #states
    }
}

fn states_of(name: &proc_macro2::Ident, states: &States) -> TokenStream {
    let initial = names::of_type(&states.initial);
    let (to, verdict) = match &states.transitions {
        None => (quote!(_to), quote!(true)),
        Some(transitions) => {
            let arms = transitions.iter().filter(|(_, to)| !to.is_empty()).map(|(from, to)| {
                let from = names::of_type(from);
                let to = to.iter().map(|word| names::of_type(word));
                quote!(|| matches!((self, to), (Self::#from, #(Self::#to)|*)))
            });
            (quote!(to), quote!(self == to #(#arms)*))
        }
    };
    quote! {
        impl #name {
            /// The initial state.
            pub const INITIAL: Self = Self::#initial;

            /// Whether this state may change to `to`; to itself always.
            #[must_use]
            pub fn may_become(self, #to: Self) -> bool {
                #verdict
            }
        }
    }
}

fn object(context: &Context<'_>, of: &Object) -> TokenStream {
    let name = names::of_type(&of.name);
    let doc = doc_of(&of.name, None);
    let fields: Vec<_> = of.members.iter().map(|member| names::value(&member.name)).collect();
    let words: Vec<_> = of.members.iter().map(|member| &member.name).collect();
    let members = of.members.iter().map(|member| context.stored(member));
    let reading = context.reading(&name, &of.members);
    let is_stored = context.is_stored(Node::Object(&of.name));
    let seed = is_stored.then(|| context.seed(&of.name, &doc, &of.members));
    let known = types::known(of.members.iter());
    let taken = of.members.iter().map(|member| context.take(&member.name, &member.of));
    let local: Vec<_> = words.iter().map(|word| names::local(word)).collect();
    let derive = serde::derive(&quote!(Clone, Debug, PartialEq));
    let decode = context.is_sent(Node::Object(&of.name)).then(|| {
        quote! {
            impl #name {
                pub(crate) fn decode(value: support::Value, errors: &mut support::ValidationErrors) -> Option<Self> {
                    let mut members = support::Members::of_object(value, #known, errors)?;
                    #(let #local = #taken;)*
                    Some(Self { #(#fields: #local?),* })
                }
            }
        }
    });
    quote! {
        #[doc = #doc]
        #derive
        pub struct #name {
            #(#members,)*
        }

        #reading

        #seed

        #decode
    }
}
