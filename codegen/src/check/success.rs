//! What an endpoint answers, and in which order.

use super::lookup::{Meaning, Operation, find, meaning, names, operations};
use crate::report::Report;
use crate::spec::{Data, Resource, Spec, TypeDef, TypeUse, Word};

/// `sibling`: a member beside `data` that nothing fills.
pub(super) fn sibling(spec: &Spec, reports: &mut Vec<Report>) {
    for Operation { endpoint, .. } in operations(spec) {
        let is_list = matches!(&endpoint.success.data, Some(Data::View(TypeUse { list: true, .. })));
        for name in &endpoint.success.siblings {
            let parameter = find(&endpoint.query, &name.text);
            let report = |message: String| Report::new("sibling", name.at, message);
            let report = match name.text.as_str() {
                "total" if is_list => None,
                "total" => Some(report("`total` counts a list, and `data` is none".to_owned())),
                other => match parameter {
                    Some(used) if used.optional => Some(report(format!(
                        "`{other}` has no value when it is not given: give it a default"
                    ))),
                    Some(used) if is_whole(spec, used) => None,
                    Some(_) => Some(report(format!(
                        "`{other}` is no whole number: only those can stand beside `data`"
                    ))),
                    None => Some(
                        report(format!("`{other}` is neither `total` nor a query parameter"))
                            .propose(other, names(&endpoint.query).chain(["total"])),
                    ),
                },
            };
            reports.extend(report);
            if find(&spec.envelope.success, &name.text).is_some() {
                let message = format!("the envelope has a member `{}` of its own", name.text);
                reports.push(Report::new("sibling", name.at, message));
            }
        }
    }
}

fn is_whole(spec: &Spec, used: &TypeUse) -> bool {
    matches!(
        meaning(spec, &used.name.text),
        Meaning::Type(TypeDef::Integer { .. }) | Meaning::Unknown
    )
}

/// `sort`: an order that is none, or of what is no list.
pub(super) fn sort(spec: &Spec, reports: &mut Vec<Report>) {
    for Operation { endpoint, .. } in operations(spec) {
        let Some(first) = endpoint.sort.first() else { continue };
        let Some(Data::View(TypeUse { name, list: true, .. })) = &endpoint.success.data else {
            let message = "only a list is sorted, and `data` is none";
            reports.push(Report::new("sort", first.at, message));
            continue;
        };
        let resource = name
            .text
            .split_once('.')
            .and_then(|(resource, _)| find(&spec.resources, resource));
        let mut seen = Vec::new();
        for key in &endpoint.sort {
            let parts: Vec<&str> = key.text.split(' ').collect();
            let message = match parts.as_slice() {
                [name, "asc" | "desc"] if seen.contains(name) => format!("`{name}` is a key already"),
                [name, "asc" | "desc"] => {
                    seen.push(name);
                    match resource.and_then(|resource| unordered(spec, resource, name)) {
                        Some(reason) => format!("nothing can be sorted by `{name}`, which {reason}"),
                        None => continue,
                    }
                }
                _ => format!("`{}` is no key: write `field asc` or `field desc`", key.text),
            };
            reports.push(Report::new("sort", key.at, message));
        }
    }
}

fn unordered(spec: &Spec, resource: &Resource, name: &str) -> Option<&'static str> {
    if find(&resource.joined, name).is_some() {
        return Some("is looked up only when it is shown");
    }
    let used = find(&resource.fields, name)?;
    match meaning(spec, &used.name.text) {
        _ if used.list => Some("is a list"),
        Meaning::Type(TypeDef::List { .. }) => Some("is a list"),
        Meaning::Type(TypeDef::FreeForm { .. }) | Meaning::Object(_) | Meaning::View => Some("is an object"),
        _ => None,
    }
}

/// `constraint`: a comparison of what cannot be compared.
pub(super) fn constraints(spec: &Spec, reports: &mut Vec<Report>) {
    for Operation { endpoint, .. } in operations(spec) {
        for (lower, upper) in &endpoint.constraints {
            if lower.text == upper.text {
                let message = format!("`{}` is never above itself: name two parameters", lower.text);
                reports.push(Report::new("constraint", lower.at, message));
            }
        }
        for name in endpoint.constraints.iter().flat_map(|(lower, upper)| [lower, upper]) {
            let Some(used) = find(&endpoint.query, &name.text) else {
                continue;
            };
            if !is_number(spec, used) {
                let message = format!("`{}` is no number, and cannot be compared with one", name.text);
                reports.push(Report::new("constraint", name.at, message));
            }
        }
    }
}

fn is_number(spec: &Spec, used: &TypeUse) -> bool {
    matches!(
        meaning(spec, &used.name.text),
        Meaning::Type(TypeDef::Number { .. } | TypeDef::Integer { .. }) | Meaning::Unknown
    )
}

/// Whether some endpoint says something beside `data`.
pub(super) fn first_said<'s>(
    spec: &'s Spec,
    said: impl Fn(&'s crate::spec::Success) -> Option<&'s Word>,
) -> Option<&'s Word> {
    operations(spec).find_map(|operation| said(&operation.endpoint.success))
}
