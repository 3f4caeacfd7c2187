//! Emits new records, and new credentials.

use crate::emit::shared::writing::{digest, found, id_of, in_parents, new_id, new_ids, new_record, secret};
use crate::emit::shared::{OperationContext, names, plain};
use crate::model::{AnswerFrom, Effect, Field, Fill, Origin, Resource, Target};
use proc_macro2::TokenStream;
use quote::quote;

/// Makes the new records of an operation, those first whose ids others have.
pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let model = subject.context.model;
    let made = || {
        subject.operation.effects.iter().filter_map(|effect| match effect {
            Effect::Make {
                resource, each, fills, ..
            } => Some((model.resource(resource), each, fills)),
            _ => None,
        })
    };
    let alone = || made().filter(|(_, each, _)| each.is_none());
    let ids = alone().map(|(resource, ..)| {
        let (id, record) = (new_id(&resource.name), names::of_type(&resource.name));
        quote!(let #id = tx.next_id::<#record>()?;)
    });
    // A record that shows the latest of others is made of them.
    let (shows_latest, others): (Vec<_>, Vec<_>) =
        alone().partition(|(resource, ..)| resource.fields.iter().any(is_latest));
    let records = others.into_iter().chain(shows_latest).map(|(resource, _, fills)| {
        let (new, value) = (new_record(&resource.name), record(subject, resource, fills, None));
        quote!(let #new = #value;)
    });
    let created = made().map(|(resource, each, fills)| {
        let new = new_record(&resource.name);
        let parents = in_parents(subject, resource, &new, &quote!(Source), &quote!(added_to));
        let create = quote!(tx.create(&#new)?; #parents);
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
