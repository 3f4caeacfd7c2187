//! Conditions on fields: `status is open or late`, `compartment_id is null`.

use super::{Context, names};
use crate::model::{FieldIs, Kind, Resource, Type};
use proc_macro2::TokenStream;
use quote::quote;

impl Context<'_> {
    /// Whether a field of `record` is as the condition says.
    pub(crate) fn holds(&self, is: &FieldIs, resource: &Resource, record: &TokenStream) -> TokenStream {
        let (name, of) = (names::value(&is.field), &resource.field(&is.field).of);
        let field = quote!(#record.#name);
        match (is.not, is.values.as_slice()) {
            (false, values) => self.is_one_of(of, &field, values),
            (true, [null]) if null == "null" => quote!(#field.is_some()),
            (true, [value]) if !of.optional && of.kind == Kind::Boolean => {
                let other = (value != "true").to_string();
                self.is_one_of(of, &field, &[other])
            }
            (true, values) => {
                let is_one = self.is_one_of(of, &field, values);
                quote!(!#is_one)
            }
        }
    }

    /// Whether a value of this type is one of some values of its enum, `true`, `false` or `null`.
    pub(crate) fn is_one_of(&self, of: &Type, value: &TokenStream, known: &[String]) -> TokenStream {
        match known {
            [null] if null == "null" => return quote!(#value.is_none()),
            [is] if !of.optional && is == "true" => return value.clone(),
            [is] if !of.optional && is == "false" => return quote!(!#value),
            _ => {}
        }
        let patterns = known.iter().map(|known| {
            let pattern = match (&of.kind, known.as_str()) {
                (_, "null") => return quote!(None),
                (Kind::Enum(name), known) => {
                    let (name, known) = (names::of_type(name), names::of_type(known));
                    quote!(#name::#known)
                }
                (_, known) => {
                    let is_true = known == "true";
                    quote!(#is_true)
                }
            };
            if of.optional { quote!(Some(#pattern)) } else { pattern }
        });
        quote!(matches!(#value, #(#patterns)|*))
    }
}
