//! Emits the views of resources: an encoder for each view.

use crate::emit::shared::joined::Place;
use crate::emit::shared::operation_context::each_once;
use crate::emit::shared::{Context, GeneratedName, many_bools, names, serde};
use crate::model::{Field, Kind, Resource, Source, Type, View, ViewMember, find};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let resources = context.model.resources.iter();
    let views = resources.flat_map(|resource| resource.views.iter().map(|view| one(context, resource, view)));
    quote!(#(#views)*)
}

fn one(context: &Context<'_>, resource: &Resource, view: &View) -> TokenStream {
    if context.model.is_streamed(&resource.name, &view.name) {
        return streamed(context, resource, view);
    }
    let marker = GeneratedName::View(&resource.name, &view.name).ident();
    let row = GeneratedName::Row(&resource.name, &view.name).ident();
    let record = names::of_type(&resource.name);
    let method = names::value(&view.name);
    let (doc, method_doc) = docs(context, resource, view);
    let row_doc = format!("The members of [`{marker}`].");
    let lifetime = quote!('a);
    let members = view.members.iter().map(|member| {
        let (ident, word) = (names::value(&member.shown), &member.shown);
        let of = shown_type(context, member, &lifetime);
        let renamed = serde::renamed(word);
        let omitted = member.omitted.then(serde::omitted);
        quote!(#renamed #omitted #ident: #of)
    });
    let values = view.members.iter().map(|member| {
        let (ident, value) = (names::value(&member.shown), shown_value(context, resource, member));
        if ident == value.to_string() {
            quote!(#ident)
        } else {
            quote!(#ident: #value)
        }
    });
    let derive = serde::derive(&quote!(Debug));
    let arguments = arguments(context, resource, view);
    let borrows = view.members.iter().any(|member| !context.is_copy(&member.of));
    let phantom = (!borrows).then(|| quote!(#[serde(skip)] borrowed: std::marker::PhantomData<&'a ()>,));
    let phantom_value = (!borrows).then(|| quote!(borrowed: std::marker::PhantomData,));
    let many_bools = many_bools(view.members.iter().map(|member| &member.of));
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug)]
        pub enum #marker {}

        #[doc = #row_doc]
        #derive
        #many_bools
        pub struct #row<'a> { #(#members,)* #phantom }

        impl support::View for #marker {
            type Row<'a> = #row<'a>;
        }

        impl #record {
            #[doc = #method_doc]
            #[must_use]
            pub fn #method(&self, #arguments) -> support::Encoded<#marker> {
                support::Encoded::encode(&#row { #(#values,)* #phantom_value })
            }
        }
    }
}

/// A view that is sent while its items are read. It is never in memory as a whole, so its members are written one by
/// one.
fn streamed(context: &Context<'_>, resource: &Resource, view: &View) -> TokenStream {
    let marker = GeneratedName::View(&resource.name, &view.name).ident();
    let (record, method) = (names::of_type(&resource.name), names::value(&view.name));
    let (doc, method_doc) = docs(context, resource, view);
    let arguments = arguments(context, resource, view);
    let members = view.members.iter().map(|member| {
        let (word, value) = (&member.shown, shown_value(context, resource, member));
        match &member.source {
            _ if member.omitted => quote!({
                let value = #value;
                if value.is_some() {
                    object.value(#word, &value);
                }
            }),
            _ if member.is_list_of_rows() => quote!(object.json(#word, &mut #value);),
            Source::Each(..) => {
                let of = shown_type(context, member, &quote!('_));
                quote!({
                    let list: #of = #value;
                    object.value(#word, &list);
                })
            }
            Source::Stored(name) => {
                let name = names::value(name);
                quote!(object.value(#word, &self.#name);)
            }
            Source::Joined(_) => quote!(object.value(#word, &#value);),
        }
    });
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug)]
        pub enum #marker {}

        impl #record {
            #[doc = #method_doc]
            #[must_use]
            pub fn #method(&self, #arguments) -> support::Streamed<#marker> {
                let mut object = support::ObjectWriter::new();
                #(#members)*
                support::Streamed::from_object(object)
            }
        }
    }
}

/// The docs of a view, and of the method that shows it.
fn docs(context: &Context<'_>, resource: &Resource, view: &View) -> (String, String) {
    let marker = GeneratedName::View(&resource.name, &view.name).ident();
    let noun = names::with_article(&resource.noun);
    let doc = format!("The `{}` view of {noun}.", view.name);
    let arguments = match !arguments(context, resource, view).is_empty() {
        true => ", with what is not stored in it",
        false => "",
    };
    (doc, format!("Shows it as [`{marker}`]{arguments}."))
}

fn shown_type(context: &Context<'_>, member: &ViewMember, lifetime: &TokenStream) -> TokenStream {
    match &member.source {
        Source::Joined(_) | Source::Stored(_) => context.lent(&member.of, lifetime),
        Source::Each(..) => {
            let item = context.lent(&item_type(member), lifetime);
            quote!(Vec<#item>)
        }
    }
}

fn shown_value(context: &Context<'_>, resource: &Resource, member: &ViewMember) -> TokenStream {
    match &member.source {
        Source::Joined(name) => joined_value(context, resource, name, &member.of),
        Source::Each(list, part) => {
            let (list, part) = (names::value(list), names::value(part));
            let item = context.lend(&item_type(member), &quote!(item.#part));
            quote!(self.#list.iter().map(|item| #item).collect())
        }
        Source::Stored(name) => {
            let name = names::value(name);
            context.lend(&member.of, &quote!(self.#name))
        }
    }
}

fn joined<'m>(resource: &'m Resource, name: &str) -> &'m Field {
    find(&resource.joined, |field| field.name == name)
}

/// The parameters of the method that shows a view: each record once.
fn arguments(context: &Context<'_>, resource: &Resource, view: &View) -> TokenStream {
    let is_streamed = context.model.is_streamed(&resource.name, &view.name);
    let parameters = view.members.iter().filter_map(|member| {
        let Source::Joined(name) = &member.source else {
            return None;
        };
        match &member.of.kind {
            Kind::View(of, row) if is_streamed && member.is_list_of_rows() => {
                let (name, row) = (names::value(name), GeneratedName::View(of, row).ident());
                Some(quote!(mut #name: support::Rows<#row>))
            }
            _ => {
                let joined = joined(resource, name);
                Place::for_joined_field(context, resource, joined).parameter(context, joined)
            }
        }
    });
    let parameters = each_once(parameters);
    quote!(#(#parameters),*)
}

fn joined_value(context: &Context<'_>, resource: &Resource, name: &str, of: &Type) -> TokenStream {
    match Place::for_joined_field(context, resource, joined(resource, name)) {
        Place::Record {
            argument,
            resource,
            field,
            is_optional,
        } => {
            let source = &context.model.resource(resource).field(field).of;
            let field = names::value(field);
            let lent = context.lend(source, &quote!(#argument.#field));
            match (is_optional, source.optional) {
                (false, false) if of.optional => quote!(Some(#lent)),
                (false, _) => lent,
                (true, true) => quote!(#argument.and_then(|#argument| #lent)),
                (true, false) => quote!(#argument.map(|#argument| #lent)),
            }
        }
        Place::Own(field) => quote!(self.#field.is_some()),
        Place::Constant(number) => {
            let number = proc_macro2::Literal::u32_unsuffixed(number);
            quote!(#number)
        }
        Place::Argument => {
            let name = names::value(name);
            quote!(#name)
        }
    }
}

/// The type of one item, for a member that takes something of each item.
fn item_type(member: &ViewMember) -> Type {
    Type {
        list: false,
        ..member.of.clone()
    }
}
