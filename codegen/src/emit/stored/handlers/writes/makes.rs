//! Emits new records, and new credentials.

use crate::emit::shared::keeping::tree_of_index;
use crate::emit::shared::writing::{digest, found, id_of, in_parents, new_id, new_ids, new_record, secret};
use crate::emit::shared::{OperationContext, names, plain};
use crate::model::{AnswerFrom, Effect, Field, Fill, Origin, Resource, Target};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// Makes the new records of an operation, those first whose ids others have.
pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let model = subject.context.model;
    let made = || {
        subject.operation.effects.iter().filter_map(|effect| match effect {
            Effect::Make {
                resource,
                each,
                fills,
                one_for,
                ..
            } => Some((model.resource(resource), each, fills, one_for)),
            _ => None,
        })
    };
    let alone = || made().filter(|(_, each, ..)| each.is_none());
    let ids = alone().map(|(resource, _, fills, one_for)| {
        let (id, record) = (new_id(&resource.name), names::of_type(&resource.name));
        if one_for.is_empty() {
            return quote!(let #id = tx.next_id::<#record>()?;);
        }
        let (present, former) = (present(subject, resource, fills, one_for), former(&resource.name));
        quote! {
            let #former: Option<#record> = #present;
            let #id = match &#former {
                Some(former) => former.id,
                None => tx.next_id::<#record>()?,
            };
        }
    });
    // A record that shows the latest of others is made of them.
    let (shows_latest, others): (Vec<_>, Vec<_>) =
        alone().partition(|(resource, ..)| resource.fields.iter().any(is_latest));
    let records = others.into_iter().chain(shows_latest).map(|(resource, _, fills, _)| {
        let (new, value) = (new_record(&resource.name), record(subject, resource, fills, None));
        quote!(let #new = #value;)
    });
    let created = made().map(|(resource, each, fills, one_for)| {
        let new = new_record(&resource.name);
        let parents = in_parents(subject, resource, &new, &quote!(Source), &quote!(added_to));
        let create = quote!(tx.create(&#new)?; #parents);
        if !one_for.is_empty() {
            return put(subject, resource, fills, &create);
        }
        let Some(each) = each else { return create };
        let (member, ids, id, of) = (
            names::value(each),
            new_ids(&resource.name),
            new_id(&resource.name),
            names::of_type(&resource.name),
        );
        let value = record(subject, resource, fills, Some(each));
        quote! {
            let mut #ids = Vec::new();
            for item in &request.body.#member {
                let #id = tx.next_id::<#of>()?;
                let #new = #value;
                #create
                #ids.push(#id);
            }
        }
    });
    quote!(#(#ids)* #(#records)* #(#created)*)
}

/// `former_vote`: the record that the operation changes if it does not make one.
fn former(resource: &str) -> Ident {
    format_ident!("former_{}", names::snake(resource))
}

/// Reads the record with the same ids of others.
fn present(
    subject: &OperationContext<'_>,
    resource: &Resource,
    fills: &[(String, Fill)],
    one_for: &[String],
) -> TokenStream {
    let model = subject.context.model;
    let place = model.index_beginning(resource, one_for.iter().map(String::as_str));
    let tree = tree_of_index(resource, place.expect("the record has an index for it"));
    let ids = one_for.iter().map(|field| {
        let fill = fills.iter().find(|(name, _)| name == field).map(|(_, fill)| fill);
        let Some(Fill::IdOf(target)) = fill else {
            unreachable!("checked: an id of a record that is known")
        };
        id_of(subject, target)
    });
    let record = names::of_type(&resource.name);
    quote! {{
        let mut row = support::KeyBytes::new();
        #(support::index::write(&#ids, false, &mut row);)*
        match tx.listed::<#record>(#tree, &row, 1)?.into_iter().next() {
            Some(key) => Some(tx.existing::<#record>(key)?),
            None => None,
        }
    }}
}

/// Creates the record, or changes the one that there is.
fn put(
    subject: &OperationContext<'_>,
    resource: &Resource,
    fills: &[(String, Fill)],
    create: &TokenStream,
) -> TokenStream {
    let (new, present) = (new_record(&resource.name), former(&resource.name));
    let given = fills
        .iter()
        .filter(|(_, fill)| matches!(fill, Fill::Member(_) | Fill::Literal(_)));
    let given = given.map(|(field, _)| names::value(field));
    let (before, after) = (format_ident!("earlier"), format_ident!("later"));
    let removed = in_parents(subject, resource, &before, &quote!(Counted), &quote!(removed_from));
    let added = in_parents(subject, resource, &after, &quote!(Source), &quote!(added_to));
    quote! {
        match #present {
            None => { #create }
            Some(earlier) => {
                let mut later = earlier.clone();
                #(later.#given = #new.#given.clone();)*
                if later != earlier {
                    tx.replace(&earlier, &later)?;
                    #removed
                    #added
                }
            }
        }
    }
}

fn is_latest(field: &Field) -> bool {
    matches!(field.origin, Some(Origin::Latest { .. })) && !field.of.optional
}

fn record(
    subject: &OperationContext<'_>,
    resource: &Resource,
    fills: &[(String, Fill)],
    each: Option<&str>,
) -> TokenStream {
    let record = names::of_type(&resource.name);
    let fields = fills.iter().map(|(field, fill)| {
        let (name, value) = (
            names::value(field),
            value(subject, resource, resource.field(field), (fill, each)),
        );
        quote!(#name: #value)
    });
    quote!(#record { #(#fields),* })
}

/// The value of a field of a new record.
fn value(
    subject: &OperationContext<'_>,
    resource: &Resource,
    field: &Field,
    (fill, each): (&Fill, Option<&str>),
) -> TokenStream {
    let none = || match field.of.optional {
        true => quote!(None),
        false => quote!(Default::default()),
    };
    match fill {
        Fill::Id => {
            let id = new_id(&resource.name);
            quote!(#id)
        }
        Fill::Member(name) => {
            let member = plain::member(subject, name, each).expect("checked: the body has it");
            let name = names::value(name);
            let value = match member.of_item {
                true => quote!(item.#name.clone()),
                false => quote!(request.body.#name.clone()),
            };
            match (member.is_option, field.of.optional) {
                (false, true) => quote!(Some(#value)),
                (true, false) => quote!(#value.unwrap_or_default()),
                _ => value,
            }
        }
        Fill::IdOf(target) => {
            let id = id_of(subject, target);
            match field.of.optional {
                true => quote!(Some(#id)),
                false => id,
            }
        }
        Fill::FieldOf { resource, field: from } => {
            let (of, found, name) = (names::of_type(resource), found(subject, resource), names::value(from));
            let value = quote!(tx.existing::<#of>(request.#found.id)?.#name);
            match field.of.optional && !subject.context.model.resource(resource).field(from).of.optional {
                true => quote!(Some(#value)),
                false => value,
            }
        }
        Fill::Origin => match &field.origin {
            Some(Origin::Now) if field.of.optional => quote!(Some(now)),
            Some(Origin::Now) => quote!(now),
            Some(Origin::Digest(of)) if plain::mints(subject, of) => digest(&secret(of), field.of.optional),
            Some(Origin::Start(of)) => {
                let (secret, module) = (secret(of), names::value(of));
                quote!(super::#module::abbreviate(&#secret))
            }
            Some(Origin::Count { .. }) => quote!(0),
            Some(Origin::Latest { resource, field, .. }) if subject.operation.makes(resource) => {
                let (new, name) = (new_record(resource), names::value(field));
                quote!(#new.#name.clone().into())
            }
            _ => none(),
        },
        Fill::Literal(_) => {
            let constant = names::constant(&format!("{}_{}", resource.name, field.name));
            match field.of.optional {
                true => quote!(Some(operation::#constant.into())),
                false => quote!(operation::#constant.into()),
            }
        }
        Fill::Default | Fill::Initial => subject.context.when_new(&field.of).unwrap_or_else(none),
        Fill::Nothing | Fill::Undeclared => none(),
    }
}

/// Makes the new credentials, before the transaction, which may run again.
pub(super) fn secrets(subject: &OperationContext<'_>) -> TokenStream {
    let secrets = subject.operation.answers.iter().filter_map(|answer| match answer {
        AnswerFrom::Secret(of) => {
            let (name, module, realm) = (secret(of), names::value(of), realm(subject, of));
            Some(quote!(let #name = super::#module::mint(#realm);))
        }
        _ => None,
    });
    quote!(#(#secrets)*)
}

/// The realm of the caller that gets a new credential, if credentials differ by it.
fn realm(subject: &OperationContext<'_>, credential: &str) -> Option<TokenStream> {
    let (of, field) = plain::realm_of_secret(subject, credential)?;
    let name = names::value(&field.name);
    Some(match of {
        Target::Caller => quote!(request.caller.realm.clone()),
        Target::Found(resource) => {
            let found = found(subject, &resource);
            quote!(request.#found.#name.clone())
        }
        Target::Made(resource) => {
            let of = subject.context.model.resource(&resource);
            let made = subject.operation.effects.iter().find_map(|effect| match effect {
                Effect::Make { resource, fills, .. } if *resource == of.name => {
                    fills.iter().find(|(one, _)| *one == field.name)
                }
                _ => None,
            });
            let (_, fill) = made.expect("checked: the operation makes it");
            value(subject, of, field, (fill, None))
        }
    })
}
