//! The Rust type of each type of the contract, and the function that decodes it.

use super::{Context, GeneratedName, literals, names};
use crate::formats::Format;
use crate::model::{Field, Ids, Kind, Type, TypeRule};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

impl Context<'_> {
    /// The Rust type of a single value of this kind.
    fn single(&self, kind: &Kind) -> TokenStream {
        match kind {
            Kind::Named(name) => self.of_rule(&self.model.named_type(name).rule),
            Kind::Stored | Kind::Secret => quote!(String),
            Kind::Boolean | Kind::Flag => quote!(bool),
            Kind::Format(Format { rust: Some(name), .. }) => {
                let name = format_ident!("{name}");
                quote!(support::#name)
            }
            Kind::Format(_) => quote!(String),
            Kind::Timestamp => quote!(support::Timestamp),
            Kind::Cursor => quote!(support::feed::After),
            Kind::EventNames(_) => quote!(Vec<events::Name>),
            Kind::Id(resource) => {
                let id = GeneratedName::Id(resource).ident();
                quote!(#id)
            }
            Kind::Enum(name) | Kind::Object(name) | Kind::Input(name) => {
                let name = names::of_type(name);
                quote!(#name)
            }
            Kind::View(resource, view) => {
                let view = GeneratedName::View(resource, view).ident();
                quote!(support::Encoded<#view>)
            }
        }
    }

    /// The Rust type for a rule.
    pub(crate) fn of_rule(&self, rule: &TypeRule) -> TokenStream {
        match rule {
            TypeRule::Text { .. } => quote!(String),
            TypeRule::Number { .. } => quote!(support::Number),
            TypeRule::Integer { .. } => quote!(i64),
            TypeRule::FreeForm { .. } => quote!(support::OpenObject),
            TypeRule::List { of, .. } => {
                let item = self.single(&of.kind);
                quote!(Vec<#item>)
            }
        }
    }

    /// The Rust type of a value that is present: a list if the type is one, never an `Option`.
    pub(crate) fn present(&self, of: &Type) -> TokenStream {
        let single = self.single(&of.kind);
        if of.list { quote!(Vec<#single>) } else { single }
    }

    /// The Rust type of a stored field or a decoded member: an `Option` if it may be null.
    pub(crate) fn owned(&self, of: &Type) -> TokenStream {
        let present = self.present(of);
        if of.optional { quote!(Option<#present>) } else { present }
    }

    /// What an id of this form consists of.
    pub(crate) fn id_value(ids: Ids) -> TokenStream {
        match ids.version().map(Literal::u8_unsuffixed) {
            Some(version) => quote!(support::Uuid<#version>),
            None => quote!(i64),
        }
    }

    /// The column of a key with an id of this form.
    pub(crate) fn column(ids: Ids, name: &str) -> TokenStream {
        match ids.is_uuid() {
            true => quote!(support::key::Column::Uuid(#name)),
            false => quote!(support::key::Column::Number(#name)),
        }
    }

    /// The number of an id of this resource by which what a caller does is counted.
    pub(crate) fn number_of(&self, resource: &str, id: &TokenStream) -> TokenStream {
        match self.model.ids(resource) {
            Ids::Numbers => quote!(#id.get()),
            Ids::UuidV4 | Ids::UuidV7 => quote!(#id.get().word()),
        }
    }

    /// Whether a value is passed and stored as a copy.
    pub(crate) fn is_copy(&self, of: &Type) -> bool {
        if of.list {
            return false;
        }
        match &of.kind {
            Kind::Named(name) => {
                matches!(
                    self.model.named_type(name).rule,
                    TypeRule::Number { .. } | TypeRule::Integer { .. }
                )
            }
            Kind::Boolean | Kind::Flag | Kind::Timestamp | Kind::Id(_) | Kind::Enum(_) => true,
            Kind::Format(format) => format.rust.is_some(),
            Kind::Cursor => true,
            Kind::Stored | Kind::Secret | Kind::EventNames(_) | Kind::Object(_) | Kind::Input(_) | Kind::View(..) => {
                false
            }
        }
    }

    /// The Rust type of a value borrowed for `'a`: copies by value, texts as `&str`, lists as slices.
    pub(crate) fn lent(&self, of: &Type, lifetime: &TokenStream) -> TokenStream {
        let lent = if self.is_copy(of) {
            self.present(of)
        } else if let Some(item) = self.item(of) {
            quote!(&#lifetime [#item])
        } else if self.is_text(&of.kind) {
            quote!(&#lifetime str)
        } else {
            let present = self.present(of);
            quote!(&#lifetime #present)
        };
        if of.optional { quote!(Option<#lent>) } else { lent }
    }

    /// The expression that borrows a stored value as the type that [`Self::lent`] returns.
    pub(crate) fn lend(&self, of: &Type, stored: &TokenStream) -> TokenStream {
        let (is_list, is_text) = (self.item(of).is_some(), self.is_text(&of.kind));
        match of.optional {
            _ if self.is_copy(of) => stored.clone(),
            true if is_list || is_text => quote!(#stored.as_deref()),
            true => quote!(#stored.as_ref()),
            false if is_list => quote!(#stored.as_slice()),
            false if is_text => quote!(#stored.as_str()),
            false => quote!(&#stored),
        }
    }

    /// The Rust type of a list's items.
    fn item(&self, of: &Type) -> Option<TokenStream> {
        if of.list {
            return Some(self.single(&of.kind));
        }
        let Kind::Named(name) = &of.kind else { return None };
        match &self.model.named_type(name).rule {
            TypeRule::List { of, .. } => Some(self.single(&of.kind)),
            _ => None,
        }
    }

    /// Whether it is a whole number.
    pub(crate) fn is_whole(&self, of: &Type) -> bool {
        let Kind::Named(name) = &of.kind else { return false };
        matches!(self.model.named_type(name).rule, TypeRule::Integer { .. })
    }

    fn is_text(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Named(name) => matches!(self.model.named_type(name).rule, TypeRule::Text { .. }),
            Kind::Stored | Kind::Secret | Kind::Format(Format { rust: None, .. }) => true,
            _ => false,
        }
    }

    /// The function that decodes a present value of this type.
    pub(crate) fn decoder(&self, of: &Type) -> TokenStream {
        let single = match &of.kind {
            Kind::Named(name) => {
                let name = names::value(name);
                quote!(decode::#name)
            }
            Kind::Boolean => quote!(support::decode::boolean),
            Kind::Flag => quote!(support::decode::flag),
            Kind::Format(format) => {
                let name = format_ident!("{}", format.name);
                quote!(support::decode::#name)
            }
            Kind::Cursor => quote!(support::feed::After::decode),
            Kind::EventNames(caller) => {
                let decode = names::of_event_names(caller);
                quote!(events::Name::#decode)
            }
            kind => {
                let single = self.single(kind);
                quote!(#single::decode)
            }
        };
        if of.list {
            quote!(|value, errors| support::decode::list(value, errors, &support::decode::ListRule { min: 0, max: None }, #single))
        } else {
            single
        }
    }

    /// The value of an absent field, if it has one.
    pub(crate) fn default(&self, of: &Type) -> Option<TokenStream> {
        let text = of.default.as_deref()?;
        Some(self.literal(of, text))
    }

    /// A fixed value that is not a list, with its type as a constant.
    pub(crate) fn constant(&self, of: &Type, text: &str) -> (TokenStream, TokenStream) {
        match self.is_text(&of.kind) {
            true => (quote!(&str), quote!(#text)),
            false => (self.single(&of.kind), self.literal(of, text)),
        }
    }

    fn literal(&self, of: &Type, text: &str) -> TokenStream {
        if of.list {
            return quote!(Vec::new());
        }
        match &of.kind {
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::Text { .. } => quote!(#text.to_owned()),
                TypeRule::Number { .. } => {
                    let value: f64 = text.parse().expect("checked: the default is a number");
                    let value = literals::float(value);
                    quote!(support::Number::new(#value).expect("a finite literal"))
                }
                TypeRule::Integer { .. } => {
                    let value: i64 = text.parse().expect("checked: the default is a whole number");
                    literals::whole(value)
                }
                TypeRule::List { .. } => quote!(Vec::new()),
                TypeRule::FreeForm { .. } => quote!(support::OpenObject::default()),
            },
            Kind::Enum(name) => {
                let (name, value) = (names::of_type(name), names::of_type(text));
                quote!(#name::#value)
            }
            Kind::Boolean | Kind::Flag => {
                let value = text == "true";
                quote!(#value)
            }
            _ => quote!(#text.to_owned()),
        }
    }

    /// The code that takes a member out of `members`: required, optional or with a default, as its type states.
    pub(crate) fn take(&self, name: &str, of: &Type) -> TokenStream {
        let decoder = self.decoder(of);
        match self.default(of) {
            Some(default) => quote!(members.or_default(#name, errors, #decoder, #default)),
            None if of.optional => quote!(members.optional(#name, errors, #decoder)),
            None => quote!(members.required(#name, errors, #decoder)),
        }
    }

    /// The value of an unset field in a new record: its default, null, or the initial state; `None` if the field is
    /// required.
    pub(crate) fn when_new(&self, of: &Type) -> Option<TokenStream> {
        if let Some(default) = self.default(of) {
            return Some(default);
        }
        if of.optional {
            return Some(quote!(None));
        }
        match &of.kind {
            Kind::Enum(name) if of.has_states => {
                let name = names::of_type(name);
                Some(quote!(#name::INITIAL))
            }
            _ => None,
        }
    }

    /// The value of this field in a record that was stored before the field existed; `None` if no value fits.
    pub(crate) fn when_absent(&self, of: &Type) -> Option<TokenStream> {
        if let Some(default) = self.default(of) {
            return Some(default);
        }
        if of.optional {
            return Some(quote!(None));
        }
        let empty_list = of.list
            || matches!(&of.kind, Kind::Named(name) if matches!(self.model.named_type(name).rule, TypeRule::List { .. }));
        if empty_list {
            return Some(quote!(Vec::new()));
        }
        matches!(of.kind, Kind::Boolean).then(|| quote!(false))
    }
}

/// The names of some fields, for the decoders' "did you mean".
pub(crate) fn known<'f>(fields: impl Iterator<Item = &'f Field>) -> TokenStream {
    let names: Vec<&str> = fields.map(|field| field.name.as_str()).collect();
    quote!(&[#(#names),*])
}
