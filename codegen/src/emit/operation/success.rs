//! Emits the success type of an operation.

use crate::emit::shared::comparison::text_form;
use crate::emit::shared::{GeneratedName, OperationContext, field_doc, names, serde};
use crate::model::{Data, Field, ValueCounts};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let of = match &subject.operation.data {
        None if subject.operation.content_of.is_some() => quote!(support::StoredFile),
        None => quote!(()),
        Some(Data::One { resource, view }) => {
            let marker = GeneratedName::View(resource, view).ident();
            if subject.context.model.is_streamed(resource, view) {
                quote!(support::Streamed<#marker>)
            } else {
                quote!(support::Encoded<#marker>)
            }
        }
        Some(Data::Many { resource, view }) => {
            let view = GeneratedName::View(resource, view).ident();
            if subject.has_total() {
                quote!(support::Page<#view>)
            } else {
                quote!(support::Rows<#view>)
            }
        }
        Some(Data::Events) => quote!(support::feed::FeedPage),
        Some(Data::Members(members)) => return object(subject, members),
        Some(Data::Counts(counts)) => return counted(subject, counts),
    };
    quote! {
        /// The data of a success.
        pub type Success = #of;
    }
}

/// A list of values with their numbers.
fn counted(subject: &OperationContext<'_>, counts: &ValueCounts) -> TokenStream {
    let (field, of) = (
        names::value(&counts.value.name),
        subject.context.owned(&counts.value.of),
    );
    let (renamed, doc) = (serde::renamed(&counts.value.name), field_doc(&counts.value));
    let (derive, max) = (serde::derive(&quote!(Clone, Debug)), counts.max);
    let form = text_form(subject.context.model.alike(&counts.value.of.kind));
    quote! {
        /// A value, and the number of records with it.
        #derive
        pub struct Counted {
            #[doc = #doc]
            #renamed
            pub #field: #of,
            /// How many records of the list have it.
            pub count: u64,
        }

        /// The data of a success, of at most [`MAX`] values.
        #derive
        pub struct Success(pub Vec<Counted>);

        /// Maximum number of values.
        pub const MAX: usize = #max as usize;

        impl Success {
            /// Of values with the number of their records, in any order. A value may come several times.
            #[must_use]
            pub fn from_counts(counts: impl IntoIterator<Item = (#of, u64)>) -> Self {
                let all = support::counts::most_frequent(counts, MAX, |value| value.as_str(), #form);
                Self(all.into_iter().map(|(#field, count)| Counted { #field, count }).collect())
            }
        }

        impl support::WriteJson for Success {
            fn write_json(&mut self, out: &mut support::Chunks) {
                support::write_json(self, out);
            }
        }
    }
}

fn object(subject: &OperationContext<'_>, members: &[Field]) -> TokenStream {
    let context = subject.context;
    let fields = members.iter().map(|field| names::value(&field.name));
    let renamed = members.iter().map(|field| serde::renamed(&field.name));
    let derive = serde::derive(&quote!(Clone, Debug));
    let docs = members.iter().map(field_doc);
    let of = members.iter().map(|field| context.owned(&field.of));
    quote! {
        /// The data of a success.
        #derive
        pub struct Success { #(#[doc = #docs] #renamed pub #fields: #of,)* }

        impl support::WriteJson for Success {
            fn write_json(&mut self, out: &mut support::Chunks) {
                support::write_json(self, out);
            }
        }
    }
}
