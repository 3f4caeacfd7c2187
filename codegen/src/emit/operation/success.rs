//! Emits the success type of an operation.

use crate::emit::shared::{GeneratedName, OperationContext, field_doc, names, serde};
use crate::model::{Data, Field};
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
    };
    quote! {
        /// The data of a success.
        pub type Success = #of;
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
