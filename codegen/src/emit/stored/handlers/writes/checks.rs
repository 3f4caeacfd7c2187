//! Emits what may reject a write, in the transaction that commits.

use crate::emit::shared::keeping::{tree_of, tree_of_index};
use crate::emit::shared::writing::{after, found, id_of, move_of};
use crate::emit::shared::{GeneratedName, OperationContext, error_constructors, names, plain};
use crate::model::{Condition, Quota, Resource, Target, Word};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Looks again for what guards have found: it may be gone.
pub(super) fn guards(subject: &OperationContext<'_>) -> TokenStream {
    let constructors = error_constructors::for_operation(subject);
    let again = subject.operation.exists().filter_map(|exists| {
        let variant = GeneratedName::ErrorResponse(&subject.entry(Step::Exists).name, &exists.resource).ident();
        constructors.iter().find(|one| one.variant == variant)?;
        let record = names::of_type(&exists.resource);
        let is_gone = match exists.is_optional {
            true => {
                let found = found(subject, &exists.resource);
                quote!(let Some(found) = &request.#found && tx.get::<#record>(found.id)?.is_none())
            }
            false => {
                let id = id_of(subject, &Target::Found(exists.resource.clone()));
                quote!(tx.get::<#record>(#id)?.is_none())
            }
        };
        Some(quote! {
            if #is_gone {
                return Err(operation::Error::#variant.into());
            }
        })
    });
    quote!(#(#again)*)
}

/// What may reject the write, in the order of the error table.
pub(super) fn checks(subject: &OperationContext<'_>) -> Vec<TokenStream> {
    let errors = &subject.context.model.errors;
    let place = |name: &str| errors.iter().position(|error| error.name == name);
    let mut checks = Vec::new();
    if subject.operation.plan().is_some() {
        checks.push((place(&subject.entry(Step::Plan).name), plan(subject)));
    }
    if !subject.operation.quotas.is_empty() {
        checks.push((place(&subject.entry(Step::Quota).name), quotas(subject)));
    }
    if subject.operation.transitions.is_some() {
        checks.push((place(&subject.entry(Step::Transition).name), may_move(subject)));
    }
    for rule in &subject.operation.rules {
        checks.push((place(&rule.text), rule_of(subject, rule)));
    }
    checks.sort_by_key(|(place, _)| *place);
    checks.into_iter().map(|(_, check)| check).collect()
}

/// Rejects a caller whose plan is another one by now.
fn plan(subject: &OperationContext<'_>) -> TokenStream {
    let caller = subject.caller().expect("checked: a plan is of a caller");
    let record = names::of_type(&caller.resource);
    quote!(operation::recheck(&tx.existing::<#record>(request.caller.id)?)?;)
}

/// Rejects what a rule forbids.
fn rule_of(subject: &OperationContext<'_>, rule: &Word) -> TokenStream {
    let model = subject.context.model;
    let entry = model.error(rule);
    let variant = names::of_type(&entry.name);
    match &entry.when {
        Some(Condition::Field { resource, .. }) => {
            let target = if subject.operation.always_finds(resource) {
                Target::Found(resource.clone())
            } else {
                Target::Caller
            };
            let (id, record) = (id_of(subject, &target), names::of_type(resource));
            let is_it = format_ident!("is_{}", names::snake(&rule.text));
            quote! {
                if operation::#is_it(&tx.existing::<#record>(#id)?) {
                    return Err(operation::Error::#variant.into());
                }
            }
        }
        Some(condition @ Condition::Exists { none, within, .. }) => {
            let (resource, place) = plain::index_of_rule(model, condition).expect("checked: an index decides it");
            let tree = tree_of_index(resource, place);
            let ids = within.iter().map(|(of, _)| match of {
                None => quote!(request.caller.id),
                Some(of) => id_of(subject, &Target::Found(of.clone())),
            });
            quote! {
                let mut row = support::KeyBytes::new();
                #(support::index::write(&#ids, false, &mut row);)*
                if tx.index(#tree, &row, 1)?.is_empty() == #none {
                    return Err(operation::Error::#variant.into());
                }
            }
        }
        Some(Condition::Taken { resource, field }) => {
            taken(subject, resource, field, &quote!(operation::Error::#variant))
        }
        None => quote!(),
    }
}

/// Rejects a text that another record has, or that two records of the request have.
fn taken(subject: &OperationContext<'_>, resource: &str, field: &str, error: &TokenStream) -> TokenStream {
    let model = subject.context.model;
    let of = model.resource(resource);
    let given = model.given(subject.operation, resource, field);
    let (given, place) = given
        .zip(model.index_of_text(of, field))
        .expect("checked: the request gives the text");
    let (record, tree) = (names::of_type(resource), tree_of_index(of, place));
    if let Some(target) = given.changes {
        let (id, after) = (id_of(subject, target), after(subject, resource));
        return quote! {{
            let former: #record = tx.existing(#id)?;
            let record = { #after };
            if tx.is_taken(#tree, &record)? {
                return Err(#error.into());
            }
        }};
    }
    let member = plain::member(subject, given.member, given.each).expect("checked: the body has it");
    let name = names::value(given.member);
    let items = match given.each.filter(|_| member.of_item) {
        Some(each) => {
            let each = names::value(each);
            quote!(&request.body.#each)
        }
        None => quote!([&request.body]),
    };
    let text = match member.is_option {
        true => quote!(item.#name.as_ref()),
        false => quote!(Some(&item.#name)),
    };
    quote! {
        let mut rows = std::collections::BTreeSet::new();
        for item in #items {
            let Some(text) = #text else { continue };
            let mut row = support::KeyBytes::new();
            support::index::write(text, false, &mut row);
            if tx.read(#tree, &row)?.is_some() || !rows.insert(row) {
                return Err(#error.into());
            }
        }
    }
}

/// Rejects one record too many.
fn quotas(subject: &OperationContext<'_>) -> TokenStream {
    let held = subject
        .quotas()
        .filter(|quota| quota.window_seconds.is_none())
        .filter_map(|quota| held(subject, quota));
    quote!(#(#held)*)
}

fn held(subject: &OperationContext<'_>, quota: &Quota) -> Option<TokenStream> {
    let counted = subject.context.model.resource(quota.records()?);
    let (_, owner) = counted.owner.iter().find(|(of, _)| *of == quota.per)?;
    let owner_id = match subject.caller().is_some_and(|caller| caller.resource == quota.per) {
        true => quote!(request.caller.id),
        false => id_of(subject, &Target::Found(quota.per.clone())),
    };
    let record = names::of_type(&counted.name);
    let present = match subject.context.model.count_of(quota) {
        Some(count) => {
            let (owner, count) = (names::of_type(&quota.per), names::value(&count.name));
            quote!(tx.existing::<#owner>(#owner_id)?.#count)
        }
        None => {
            let place = subject.context.model.index_by_id(counted, owner, quota.only.clone());
            let tree = place.map_or_else(|| tree_of(counted), |place| tree_of_index(counted, place));
            let rows = quote!(tx.index(#tree, &support::Key::bytes(&#owner_id), usize::MAX));
            quote!(i64::try_from(#rows?.len()).unwrap_or(i64::MAX))
        }
    };
    let hold = quote! {
        kept::kept::usage::hold(tx, #present)?;
    };
    Some(match is_changed(subject, quota, counted) {
        false => quote!({ #hold }),
        true => {
            let (id, after) = (
                id_of(subject, &Target::Found(counted.name.clone())),
                after(subject, &counted.name),
            );
            // A move that the states forbid has an error of its own.
            let may = subject
                .operation
                .transitions
                .as_ref()
                .map(|_| quote!(from.may_become(to) &&));
            let name = names::value(&quota.name);
            quote! {{
                let former: #record = tx.existing(#id)?;
                let record = { #after };
                if #may super::quotas::#name(&record) && !super::quotas::#name(&former) {
                    #hold
                }
            }}
        }
    })
}

/// Whether the operation makes no record of a quota, but changes one, which may count then.
fn is_changed(subject: &OperationContext<'_>, quota: &Quota, counted: &Resource) -> bool {
    let operation = subject.operation;
    quota.only.is_some()
        && !operation
            .decisive_effects()
            .iter()
            .any(|effect| effect.makes(&counted.name))
        && operation.always_finds(&counted.name)
}

/// Reads the present and the wanted state.
pub(super) fn states(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let [field, record, id, of, to] = move_of(subject)?;
    Some(quote! {
        let (from, to): (#of, #of) = (tx.existing::<#record>(#id)?.#field, request.body.#to.into());
    })
}

/// Rejects a move that the states forbid.
fn may_move(subject: &OperationContext<'_>) -> TokenStream {
    let variant = names::of_type(&subject.entry(Step::Transition).name);
    quote! {
        if !from.may_become(to) {
            return Err(operation::Error::#variant { from, to }.into());
        }
    }
}
