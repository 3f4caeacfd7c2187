//! `unknown-field`: names of fields and parameters that are not declared.

use super::bodies;
use super::lookup::{
    InputMembers, LocatedOperation, TypeTarget, declaration, entry, field, find, members_of, names, operations,
    record_members, type_target,
};
use super::pages::parameters;
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::syntax::{Data, ListDef, Resource, Spec, TypeDef, TypeUse, Word};

const RULE: Rule = Rule::UnknownField;

/// A field of a view that its resource does not have.
pub(super) fn unknown_view_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        for source in resource
            .views
            .iter()
            .flat_map(|(_, view)| view)
            .map(|member| &member.source)
        {
            check_source(spec, source, (name, resource), diagnostics);
        }
    }
}

/// A field that the resource does not have, or a member that the items of the field do not have.
pub(super) fn check_source(
    spec: &Spec,
    source: &Word,
    resource: (&Word, &Resource),
    diagnostics: &mut Vec<Diagnostic>,
) {
    match source.text.split_once("[].") {
        None => check_field(source, resource, diagnostics),
        Some((list, member)) => {
            let parts = (&source.part(list), &source.part(member));
            check_item(spec, parts, resource, diagnostics);
        }
    }
}

/// A field that the resource does not have.
pub(super) fn check_field(wanted: &Word, (name, resource): (&Word, &Resource), diagnostics: &mut Vec<Diagnostic>) {
    if field(resource, &wanted.text).is_none() {
        let known = names(&resource.fields).chain(names(&resource.joined));
        diagnostics.push(unknown(wanted, name, while_few(diagnostics, known)));
    }
}

/// The diagnostic for a field that a resource does not have.
fn unknown<'s>(wanted: &Word, of: &Word, known: impl IntoIterator<Item = &'s str>) -> Diagnostic {
    let message = format!("`{}` has no field `{}`", of.text, wanted.text);
    let diagnostic = Diagnostic::new(RULE, wanted.at, message).declared(of);
    diagnostic.propose(&wanted.text, known)
}

/// `list[].member`: the field must be a stored list of objects that have the member.
fn check_item(
    spec: &Spec,
    (list, member): (&Word, &Word),
    (name, resource): (&Word, &Resource),
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(used) = field(resource, &list.text) else {
        return check_field(list, (name, resource), diagnostics);
    };
    let stored = find(&resource.fields, &list.text);
    let Some((of, members)) = stored.and_then(|used| object_items(spec, used)) else {
        if stored.is_some_and(|used| is_unknown(spec, used)) {
            return;
        }
        let message = format!(
            "`{0}[]` needs a stored list of objects, and `{0}` is not one",
            list.text
        );
        return diagnostics.push(Diagnostic::new(RULE, list.at, message).related(used.name.at, "its type"));
    };
    if !members.iter().any(|(name, _)| name.text == member.text) {
        let message = format!("the items of `{}` have no member `{}`", list.text, member.text);
        let known = members.iter().map(|(name, _)| name.text.as_str());
        let diagnostic = Diagnostic::new(RULE, member.at, message).propose(&member.text, while_few(diagnostics, known));
        diagnostics.push(diagnostic.declared_if(declaration(spec, of)));
    }
}

/// Whether the type, or the type of its items, is unknown, which another rule reports.
fn is_unknown(spec: &Spec, used: &TypeUse) -> bool {
    match type_target(spec, &used.name.text) {
        TypeTarget::Type(TypeDef::List(ListDef { of, .. })) => {
            matches!(type_target(spec, &of.text), TypeTarget::Unknown)
        }
        other => matches!(other, TypeTarget::Unknown),
    }
}

/// The type of a member of each item of a list.
pub(super) fn picked<'s>(spec: &'s Spec, list: &'s TypeUse, member: &str) -> Option<&'s TypeUse> {
    let (_, members) = object_items(spec, list)?;
    members
        .into_iter()
        .find(|(name, _)| name.text == member)
        .map(|(_, used)| used)
}

/// The name of the object that the items of a list are, and its members.
fn object_items<'s>(spec: &'s Spec, used: &'s TypeUse) -> Option<(&'s str, InputMembers<'s>)> {
    let item = match type_target(spec, &used.name.text) {
        TypeTarget::Object(_) if used.list => &used.name.text,
        TypeTarget::Type(TypeDef::List(ListDef { of, .. })) if !used.list => &of.text,
        _ => return None,
    };
    match type_target(spec, item) {
        TypeTarget::Object(_) => Some((item, members_of(spec, item)?)),
        _ => None,
    }
}

/// A field in a body that its resource does not have.
pub(super) fn unknown_body_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for body in bodies::all(spec) {
        let Some(record) = &body.resource else { continue };
        let Some((name, resource)) = entry(&spec.resources, &record.text) else {
            continue;
        };
        for word in record_members(body) {
            match (find(&resource.fields, &word.text), find(&resource.joined, &word.text)) {
                (Some(_), _) => {}
                (None, None) => diagnostics.push(unknown(word, name, while_few(diagnostics, names(&resource.fields)))),
                (None, Some(joined)) => {
                    let message = format!("`{}` is joined: it is only returned, never sent by a client", word.text);
                    let diagnostic = Diagnostic::new(RULE, word.at, message);
                    diagnostics.push(diagnostic.related(
                        joined.name.at,
                        "declared in `joined`, so it is not a stored \
                        field",
                    ));
                }
            }
        }
    }
}

/// A sort key that the listed resource does not have.
pub(super) fn unknown_sort_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for LocatedOperation { endpoint, .. } in operations(spec) {
        let Some(Data::View(TypeUse { name, list: true, .. })) = &endpoint.success.data else {
            continue;
        };
        let Some((name, _)) = name.text.split_once('.') else {
            continue;
        };
        let Some((name, resource)) = entry(&spec.resources, name) else {
            continue;
        };
        for key in endpoint.sort.orders().flatten() {
            if let Some(field) = key.text.split_whitespace().next() {
                check_field(&key.part(field), (name, resource), diagnostics);
            }
        }
    }
}

/// An owner's field that the resource does not have, or that holds the id of another resource.
pub(super) fn unknown_owner_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        for (caller, field) in &resource.owner {
            let id = format!("{}.id", caller.text);
            match find(&resource.fields, &field.text) {
                None => diagnostics.push(unknown(field, name, while_few(diagnostics, names(&resource.fields)))),
                Some(used) if used.name.text != id || used.list => {
                    let message = format!("`{}` must hold the id of the owner, but is no `{id}`", field.text);
                    let diagnostic = Diagnostic::new(RULE, field.at, message);
                    diagnostics.push(diagnostic.related(used.name.at, "its type"));
                }
                Some(_) => {}
            }
        }
    }
}

/// The plan or suspension field of a caller that does not exist, or has the wrong type.
pub(super) fn unknown_credential_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, credential) in &spec.credentials {
        let Some(caller) = &credential.caller else { continue };
        let Some((name, resource)) = entry(&spec.resources, &caller.text) else {
            continue;
        };
        let is_enum = |used: &TypeUse| {
            matches!(
                type_target(spec, &used.name.text),
                TypeTarget::Enum(_) | TypeTarget::Unknown
            )
        };
        let is_boolean = |used: &TypeUse| used.name.text == "boolean";
        let mut check = |field: &Option<Word>, is_right: &dyn Fn(&TypeUse) -> bool, wanted: &str| {
            let Some(field) = field else { return };
            match find(&resource.fields, &field.text) {
                None => diagnostics.push(unknown(field, name, while_few(diagnostics, names(&resource.fields)))),
                Some(used) if !is_right(used) || used.list || used.optional => {
                    let message = format!(
                        "the type of `{}` must be {wanted}, but is `{}`",
                        field.text, used.name.text
                    );
                    let diagnostic = Diagnostic::new(RULE, field.at, message);
                    diagnostics.push(diagnostic.related(used.name.at, "its type"));
                }
                Some(_) => {}
            }
        };
        check(&credential.plan, &is_enum, "an enum");
        check(&credential.suspended, &is_boolean, "a boolean");
    }
}

/// A list must be unique by a member that its items do not have.
pub(super) fn unknown_unique_member(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, named) in &spec.types {
        let TypeDef::List(ListDef {
            of,
            unique: Some(unique),
            ..
        }) = &named.def
        else {
            continue;
        };
        let Some(members) = members_of(spec, &of.text) else {
            if matches!(
                type_target(spec, &of.text),
                TypeTarget::Type(_) | TypeTarget::Enum(_) | TypeTarget::Id
            ) {
                let message = format!("`{}` has no members to compare", of.text);
                let diagnostic = Diagnostic::new(RULE, unique.at, message).related(of.at, "the items of this list");
                diagnostics.push(diagnostic.help("leave `unique` out, or use an object for the items"));
            }
            continue;
        };
        match members.iter().find(|(name, _)| name.text == unique.text) {
            Some((_, used)) if is_text(spec, used) => {}
            Some((_, used)) => {
                let message = format!(
                    "the values of `{}` cannot be compared: its type must be a text, without `?`",
                    unique.text
                );
                diagnostics.push(Diagnostic::new(RULE, unique.at, message).related(used.name.at, "its type"));
            }
            None => {
                let message = format!("`{}` has no member `{}`", of.text, unique.text);
                let known = members.iter().map(|(name, _)| name.text.as_str());
                let diagnostic =
                    Diagnostic::new(RULE, unique.at, message).propose(&unique.text, while_few(diagnostics, known));
                diagnostics.push(diagnostic.declared_if(declaration(spec, &of.text)));
            }
        }
    }
}

fn is_text(spec: &Spec, used: &TypeUse) -> bool {
    let is_string = matches!(
        type_target(spec, &used.name.text),
        TypeTarget::Type(TypeDef::String { .. }) | TypeTarget::Unknown
    );
    is_string && !used.list && !used.optional
}

/// A comparison of parameters, or pages by parameters, that are not declared.
pub(super) fn unknown_parameter(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for LocatedOperation { endpoint, .. } in operations(spec) {
        let compared = endpoint.constraints.iter().flat_map(|(lower, upper)| [lower, upper]);
        let paged = endpoint.pages.iter().flat_map(parameters).map(|(_, name, _)| name);
        for name in compared.chain(paged) {
            if find(&endpoint.query, &name.text).is_none() {
                let message = format!("there is no query parameter `{}`", name.text);
                let diagnostic = Diagnostic::new(RULE, name.at, message)
                    .propose(&name.text, while_few(diagnostics, names(&endpoint.query)));
                diagnostics.push(match endpoint.query.is_empty() {
                    true => diagnostic.help("declare it in `query`"),
                    false => diagnostic,
                });
            }
        }
    }
}
