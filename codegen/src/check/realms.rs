//! Rules about realms: their fields exist and can be compared, and there are callers who have one.

use super::fields::check_source;
use super::filters::{leads_to, not_an_id};
use super::lookup::{entry, enum_of, find};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Resource, Spec, TypeUse, Word};

/// `unknown-field`: a realm names a field that does not exist.
pub(super) fn unknown_realm_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        let Some(realm) = &resource.realm else { continue };
        match realm.text.split_once('.') {
            None => check_stored(spec, realm, (name, resource), diagnostics),
            Some((id, field)) => match leads_to(spec, resource, &realm.part(id)) {
                Some(next) => check_stored(spec, &realm.part(field), next, diagnostics),
                None => diagnostics.push(not_an_id(&realm.part(id), (name, resource))),
            },
        }
    }
}

fn check_stored(spec: &Spec, field: &Word, of: (&Word, &Resource), diagnostics: &mut Vec<Diagnostic>) {
    match find(&of.1.joined, &field.text) {
        Some(_) => {
            let message = format!("`{}` is looked up, but a realm is a stored field", field.text);
            diagnostics.push(Diagnostic::new(Rule::Realm, field.at, message));
        }
        None => check_source(spec, field, of, diagnostics),
    }
}

/// `realm`: the field is no boolean or enum that is always there, callers have realms of another type, or no caller has
/// one; a credential names realms that its caller does not have.
pub(super) fn realm(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let callers = spec.credentials.iter().filter_map(|(_, one)| one.caller.as_ref());
    let callers = callers.filter_map(|caller| entry(&spec.resources, &caller.text));
    let of_callers = callers.filter_map(|(name, resource)| Some((name, field(spec, resource)?)));
    let of_callers: Vec<(&Word, &TypeUse)> = of_callers.collect();
    for (_, resource) in &spec.resources {
        let (Some(realm), Some(used)) = (&resource.realm, field(spec, resource)) else {
            continue;
        };
        let of = &used.name.text;
        let message = if used.list || (of != "boolean" && enum_of(spec, used).is_none()) {
            Some(format!("`{}` is a `{of}`: a realm is a boolean or an enum", realm.text))
        } else if is_nullable(resource, realm) || used.optional {
            Some(format!("`{}` can be null: each record needs a realm", realm.text))
        } else {
            None
        };
        if let Some(message) = message {
            let diagnostic = Diagnostic::new(Rule::Realm, realm.at, message);
            diagnostics.push(diagnostic.related(used.name.at, "the type of the field"));
            continue;
        }
        let other = of_callers.iter().find(|(_, caller)| caller.name.text != *of);
        if let Some((caller, _)) = other {
            let message = format!(
                "the realm of `{}` has another type, so they cannot be compared",
                caller.text
            );
            diagnostics.push(Diagnostic::new(Rule::Realm, realm.at, message).declared(caller));
        } else if of_callers.is_empty() {
            let help = "declare the `realm` of the resource that is the `caller` of a credential";
            let message = "no caller has a realm, so all see these records";
            diagnostics.push(Diagnostic::new(Rule::Realm, realm.at, message).help(help));
        }
    }
    of_credentials(spec, diagnostics);
}

fn of_credentials(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, credential) in &spec.credentials {
        let Some((first, _)) = credential.realms.first() else {
            continue;
        };
        let caller = credential.caller.as_ref();
        let caller = caller.map(|caller| entry(&spec.resources, &caller.text));
        let used = match caller {
            // An unknown resource, or an unknown field, has been reported already.
            Some(None) => continue,
            Some(Some((_, resource))) if resource.realm.is_some() => match field(spec, resource) {
                Some(used) => used,
                None => continue,
            },
            _ => {
                let message = "the caller of this credential has no `realm`";
                diagnostics.push(Diagnostic::new(Rule::Realm, first.at, message));
                continue;
            }
        };
        for (value, _) in &credential.realms {
            match enum_of(spec, used) {
                Some(of) => super::enums::check_value(value, of, diagnostics),
                None if matches!(value.text.as_str(), "true" | "false") => {}
                None => {
                    let message = format!("the realm is `true` or `false`, never `{}`", value.text);
                    diagnostics.push(Diagnostic::new(Rule::Realm, value.at, message));
                }
            }
        }
    }
}

/// The field that a realm names.
fn field<'s>(spec: &'s Spec, resource: &'s Resource) -> Option<&'s TypeUse> {
    let realm = resource.realm.as_ref()?;
    match realm.text.split_once('.') {
        None => find(&resource.fields, &realm.text),
        Some((id, field)) => find(&leads_to(spec, resource, &realm.part(id))?.1.fields, field),
    }
}

/// Whether the id that leads to the realm can be null.
fn is_nullable(resource: &Resource, realm: &Word) -> bool {
    let id = realm
        .text
        .split_once('.')
        .and_then(|(id, _)| find(&resource.fields, id));
    id.is_some_and(|id| id.optional)
}
