//! `unknown-field`: names of fields and parameters that are declared nowhere.

use super::bodies;
use super::lookup::{Meaning, Operation, field, find, meaning, members_of, names, operations, record_members};
use crate::report::Report;
use crate::spec::{Data, Resource, Spec, TypeDef, TypeUse, Word};

const RULE: &str = "unknown-field";

/// A view shows a field that its resource does not have.
pub(super) fn unknown_view_field(spec: &Spec, reports: &mut Vec<Report>) {
    for (name, resource) in &spec.resources {
        for source in resource
            .views
            .iter()
            .flat_map(|(_, view)| view)
            .map(|member| &member.source)
        {
            match source.text.split_once("[].") {
                None => check_field(source, &source.text, name, resource, reports),
                Some((list, member)) => check_item(spec, source, (list, member), (name, resource), reports),
            }
        }
    }
}

fn check_field(source: &Word, field_name: &str, name: &Word, resource: &Resource, reports: &mut Vec<Report>) {
    if field(resource, field_name).is_none() {
        let message = format!("`{}` has no field `{field_name}`", name.text);
        let known = names(&resource.fields).chain(names(&resource.joined));
        reports.push(Report::new(RULE, source.at, message).propose(field_name, known));
    }
}

/// `list[].member`: the list must be a stored list of objects that have the member.
fn check_item(
    spec: &Spec,
    source: &Word,
    (list, member): (&str, &str),
    (name, resource): (&Word, &Resource),
    reports: &mut Vec<Report>,
) {
    if field(resource, list).is_none() {
        return check_field(source, list, name, resource, reports);
    }
    let Some(members) = find(&resource.fields, list).and_then(|used| object_items(spec, used)) else {
        let message = format!("`{list}[]` needs a stored list of objects, and `{list}` is none");
        return reports.push(Report::new(RULE, source.at, message));
    };
    if !members.iter().any(|(name, _)| name.text == member) {
        let message = format!("the items of `{list}` have no member `{member}`");
        let known = members.iter().map(|(name, _)| name.text.as_str());
        reports.push(Report::new(RULE, source.at, message).propose(member, known));
    }
}

fn object_items<'s>(spec: &'s Spec, used: &'s TypeUse) -> Option<Vec<(&'s Word, &'s TypeUse)>> {
    let item = match meaning(spec, &used.name.text) {
        Meaning::Object(_) if used.list => &used.name.text,
        Meaning::Type(TypeDef::List { of, .. }) if !used.list => &of.text,
        _ => return None,
    };
    match meaning(spec, item) {
        Meaning::Object(_) => members_of(spec, item),
        _ => None,
    }
}

/// A body takes a field that its record does not have.
pub(super) fn unknown_body_field(spec: &Spec, reports: &mut Vec<Report>) {
    for body in bodies::all(spec) {
        let Some(record) = &body.resource else { continue };
        let Some(resource) = find(&spec.resources, &record.text) else {
            continue;
        };
        for word in record_members(body) {
            if find(&resource.fields, &word.text).is_none() {
                let message = format!("`{}` has no field `{}`", record.text, word.text);
                let report = Report::new(RULE, word.at, message);
                reports.push(report.propose(&word.text, names(&resource.fields)));
            }
        }
    }
}

/// A list is sorted by a field that its resource does not have.
pub(super) fn unknown_sort_field(spec: &Spec, reports: &mut Vec<Report>) {
    for Operation { endpoint, .. } in operations(spec) {
        let Some(Data::View(TypeUse { name, list: true, .. })) = &endpoint.success.data else {
            continue;
        };
        let Some((name, _)) = name.text.split_once('.') else {
            continue;
        };
        let Some((name, resource)) = spec.resources.iter().find(|(word, _)| word.text == name) else {
            continue;
        };
        for key in &endpoint.sort {
            if let Some(field) = key.text.split_whitespace().next() {
                check_field(key, field, name, resource, reports);
            }
        }
    }
}

/// A resource is owned by way of a field that it does not have, or that holds another id.
pub(super) fn unknown_owner_field(spec: &Spec, reports: &mut Vec<Report>) {
    for (name, resource) in &spec.resources {
        for (caller, field) in &resource.owner {
            let id = format!("{}.id", caller.text);
            match find(&resource.fields, &field.text) {
                None => {
                    let message = format!("`{}` has no field `{}`", name.text, field.text);
                    reports.push(Report::new(RULE, field.at, message).propose(&field.text, names(&resource.fields)));
                }
                Some(used) if used.name.text != id || used.list || used.optional => {
                    let message = format!("`{}` is to hold the id of an owner, and is no `{id}`", field.text);
                    reports.push(Report::new(RULE, field.at, message));
                }
                Some(_) => {}
            }
        }
    }
}

/// The plan or the suspension of a caller is a field that it does not have, or one of another type.
pub(super) fn unknown_credential_field(spec: &Spec, reports: &mut Vec<Report>) {
    for (_, credential) in &spec.credentials {
        let Some(caller) = &credential.caller else { continue };
        let Some(resource) = find(&spec.resources, &caller.text) else {
            continue;
        };
        let is_enum = |used: &TypeUse| matches!(meaning(spec, &used.name.text), Meaning::Enum(_));
        let is_boolean = |used: &TypeUse| used.name.text == "boolean";
        let mut check = |field: &Option<Word>, is_right: &dyn Fn(&TypeUse) -> bool, wanted: &str| {
            let Some(field) = field else { return };
            match find(&resource.fields, &field.text) {
                None => {
                    let message = format!("`{}` has no field `{}`", caller.text, field.text);
                    reports.push(Report::new(RULE, field.at, message).propose(&field.text, names(&resource.fields)));
                }
                Some(used) if !is_right(used) || used.list || used.optional => {
                    let message = format!("`{}` must be {wanted}, and is `{}`", field.text, used.name.text);
                    reports.push(Report::new(RULE, field.at, message));
                }
                Some(_) => {}
            }
        };
        check(&credential.plan, &is_enum, "an enum");
        check(&credential.suspended, &is_boolean, "a boolean");
    }
}

/// The items of a list are to differ in a member that they do not have.
pub(super) fn unknown_unique_member(spec: &Spec, reports: &mut Vec<Report>) {
    for (_, def) in &spec.types {
        let TypeDef::List {
            of,
            unique: Some(unique),
            ..
        } = def
        else {
            continue;
        };
        let Some(members) = members_of(spec, &of.text) else {
            if matches!(
                meaning(spec, &of.text),
                Meaning::Type(_) | Meaning::Enum(_) | Meaning::Id
            ) {
                let message = format!("`{}` has no members that could differ", of.text);
                reports.push(Report::new(RULE, unique.at, message));
            }
            continue;
        };
        match members.iter().find(|(name, _)| name.text == unique.text) {
            Some((_, used)) if is_text(spec, used) => {}
            Some(_) => {
                let message = format!("`{}` must be a text for its values to be compared", unique.text);
                reports.push(Report::new(RULE, unique.at, message));
            }
            None => {
                let message = format!("`{}` has no member `{}`", of.text, unique.text);
                let known = members.iter().map(|(name, _)| name.text.as_str());
                reports.push(Report::new(RULE, unique.at, message).propose(&unique.text, known));
            }
        }
    }
}

fn is_text(spec: &Spec, used: &TypeUse) -> bool {
    let is_string = matches!(meaning(spec, &used.name.text), Meaning::Type(TypeDef::String { .. }));
    is_string && !used.list && !used.optional
}

/// Parameters are compared that are declared nowhere.
pub(super) fn unknown_parameter(spec: &Spec, reports: &mut Vec<Report>) {
    for Operation { endpoint, .. } in operations(spec) {
        for name in endpoint.constraints.iter().flat_map(|(lower, upper)| [lower, upper]) {
            if find(&endpoint.query, &name.text).is_none() {
                let message = format!("there is no query parameter `{}`", name.text);
                reports.push(Report::new(RULE, name.at, message).propose(&name.text, names(&endpoint.query)));
            }
        }
    }
}
