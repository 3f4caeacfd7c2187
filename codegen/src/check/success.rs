//! Rules about the success of an endpoint: siblings, order, and comparisons of parameters.

use super::lookup::{LocatedOperation, TypeTarget, entry, find, names, operations, type_target};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Data, Endpoint, KeyParts, Orders, Resource, Spec, TypeDef, TypeUse, Word, enum_of_orders};

/// `sibling`: a member beside `data` that has no value.
pub(super) fn sibling(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for LocatedOperation { endpoint, .. } in operations(spec) {
        let is_list = matches!(&endpoint.success.data, Some(Data::View(TypeUse { list: true, .. })));
        for name in &endpoint.success.siblings {
            let parameter = find(&endpoint.query, &name.text);
            let diagnostic = |message: String| Diagnostic::new(Rule::Sibling, name.at, message);
            let diagnostic = match name.text.as_str() {
                "total" if is_list => None,
                "total" => Some(
                    diagnostic("`total` counts the records of a list, but `data` is not a list".to_owned())
                        .help("return a list, such as `data: \"[Resource.item]\"`, or leave `total` out"),
                ),
                other => match parameter {
                    Some(used) if used.optional => Some(
                        diagnostic(format!(
                            "`{other}` has no value if the client leaves it out: give it a default"
                        ))
                        .related(used.name.at, "declared here"),
                    ),
                    Some(used) if is_whole(spec, used) => None,
                    Some(used) => Some(
                        diagnostic(format!(
                            "`{other}` is not a whole number, so it cannot be a member beside `data`"
                        ))
                        .related(used.name.at, "its type"),
                    ),
                    None => Some(
                        diagnostic(format!("`{other}` is neither `total` nor a query parameter"))
                            .propose(other, names(&endpoint.query).chain(["total"])),
                    ),
                },
            };
            diagnostics.extend(diagnostic);
            if let Some((own, _)) = entry(&spec.envelope.success, &name.text) {
                let message = format!("the envelope already has a member `{}`", name.text);
                diagnostics.push(Diagnostic::new(Rule::Sibling, name.at, message).related(own.at, "that member"));
            }
        }
    }
}

/// The view of the list that an endpoint returns.
pub(super) fn listed(endpoint: &Endpoint) -> Option<&Word> {
    match &endpoint.success.data {
        Some(Data::View(TypeUse { name, list: true, .. })) => Some(name),
        _ => None,
    }
}

fn is_whole(spec: &Spec, used: &TypeUse) -> bool {
    matches!(
        type_target(spec, &used.name.text),
        TypeTarget::Type(TypeDef::Integer { .. }) | TypeTarget::Unknown
    )
}

/// `sort`: an invalid order, or an order on an endpoint that returns no list.
pub(super) fn sort(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut first_orders: Vec<(&str, &Orders)> = Vec::new();
    for LocatedOperation { endpoint, .. } in operations(spec) {
        let Some(first) = endpoint.sort.first() else { continue };
        let Some(Data::View(TypeUse { name, list: true, .. })) = &endpoint.success.data else {
            let message = "only a list is sorted, but `data` is not a list";
            diagnostics.push(Diagnostic::new(Rule::Sort, first.at, message));
            continue;
        };
        let resource = name.text.split_once('.').map(|(resource, _)| resource);
        if let (Some(resource), Some(chosen)) = (resource, &endpoint.sort.chosen) {
            diagnostics.extend(bad_orders(spec, endpoint, (resource, chosen), &mut first_orders));
        }
        let resource = resource.and_then(|resource| find(&spec.resources, resource));
        for keys in endpoint.sort.orders() {
            let mut seen = Vec::new();
            for key in keys {
                diagnostics.extend(bad_key(spec, resource, key, &mut seen));
            }
        }
    }
}

/// What is wrong with the orders of which a client chooses one.
fn bad_orders<'s>(
    spec: &'s Spec,
    endpoint: &Endpoint,
    (resource, chosen): (&'s str, &'s Orders),
    first_orders: &mut Vec<(&'s str, &'s Orders)>,
) -> Option<Diagnostic> {
    let diagnostic = |at, message: String| Diagnostic::new(Rule::Sort, at, message);
    let by = &chosen.by;
    if chosen.orders.is_empty() {
        let message = "there is no order: declare one or several in `orders`";
        return Some(diagnostic(chosen.at, message.to_owned()));
    }
    if let Some((name, _)) = chosen.orders.iter().find(|(_, keys)| keys.is_empty()) {
        let message = format!("the order `{}` has no sort key", name.text);
        return Some(diagnostic(name.at, message));
    }
    if let Some((declared, _)) = endpoint.query.entry(&by.text).filter(|(name, _)| name.at != by.at) {
        let message = format!("`{}` is declared in `query`, too: `sort` declares it", by.text);
        let diagnostic = diagnostic(by.at, message).related(declared.at, "the other declaration");
        return Some(diagnostic.help("remove it from `query`, or give it another name"));
    }
    let name = enum_of_orders(resource);
    if let Some((declared, _)) = spec.enums.entry(&name).filter(|(_, of)| !of.is_of_orders) {
        let message = format!("`{name}` is the enum of these orders, so it cannot be declared");
        return Some(diagnostic(by.at, message).related(declared.at, "the other declaration"));
    }
    let names = |chosen: &'s Orders| chosen.orders.iter().map(|(name, _)| name.text.as_str());
    let Some((_, first)) = first_orders.iter().find(|(other, _)| *other == resource) else {
        first_orders.push((resource, chosen));
        return None;
    };
    (!names(chosen).eq(names(first))).then(|| {
        let message =
            format!("lists of `{resource}` have orders of other names: one enum, `{name}`, is for all of them");
        diagnostic(by.at, message).related(first.by.at, "the other orders")
    })
}

/// Why a sort key is wrong.
fn bad_key(spec: &Spec, resource: Option<&Resource>, key: &Word, seen: &mut Vec<Word>) -> Option<Diagnostic> {
    let diagnostic = |at, message: String| Diagnostic::new(Rule::Sort, at, message);
    let Some(KeyParts {
        field: name,
        nulls,
        descends,
    }) = KeyParts::parse(key)
    else {
        let message = format!("`{}` is not a sort key: write `field asc` or `field desc`", key.text);
        let nulls = key
            .text
            .contains(" null")
            .then_some("where nulls are stands at its end: `field asc nulls last`");
        return Some(nulls.into_iter().fold(diagnostic(key.at, message), Diagnostic::help));
    };
    if let Some(first) = seen.iter().find(|first| first.text == name.text) {
        let diagnostic = diagnostic(name.at, format!("`{}` is already a sort key", name.text));
        return Some(diagnostic.related(first.at, "first given here"));
    }
    seen.push(name.clone());
    let resource = resource?;
    if let Some((reason, used)) = unordered(spec, resource, &name.text) {
        let message = format!("cannot sort by `{}`, which {reason}", name.text);
        return Some(diagnostic(name.at, message).related(used.name.at, "declared here"));
    }
    let used = find(&resource.fields, &name.text)?;
    match (used.optional, nulls) {
        (true, None) => {
            let direction = if descends { "desc" } else { "asc" };
            let message = format!("`{}` can be null: say where nulls are", name.text);
            let help = format!("write `{0} {direction} nulls last`, or `nulls first`", name.text);
            let diagnostic = diagnostic(key.at, message).related(used.name.at, "declared here");
            Some(diagnostic.help(help))
        }
        (false, Some(_)) => {
            let message = format!("`{}` is never null, so `nulls` has no effect: leave it out", name.text);
            Some(diagnostic(key.at, message).related(used.name.at, "declared here"))
        }
        _ => None,
    }
}

fn unordered<'s>(spec: &'s Spec, resource: &'s Resource, name: &str) -> Option<(&'static str, &'s TypeUse)> {
    let Some(used) = find(&resource.fields, name) else {
        let used = find(&resource.joined, name)?;
        return Some(("is joined, not stored", used));
    };
    let reason = match type_target(spec, &used.name.text) {
        _ if used.list => Some("is a list"),
        TypeTarget::Type(TypeDef::List { .. }) => Some("is a list"),
        TypeTarget::Type(TypeDef::FreeForm { .. }) | TypeTarget::Object(_) | TypeTarget::View => Some("is an object"),
        _ => None,
    };
    reason.map(|reason| (reason, used))
}

/// `constraint`: a comparison of parameters that cannot be compared.
pub(super) fn constraints(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for LocatedOperation { endpoint, .. } in operations(spec) {
        for (lower, upper) in &endpoint.constraints {
            if lower.text == upper.text {
                let message = format!("`{}` is compared with itself: name two parameters", lower.text);
                let diagnostic = Diagnostic::new(Rule::Constraint, upper.at, message);
                diagnostics.push(diagnostic.related(lower.at, "the same parameter"));
            }
        }
        for name in endpoint.constraints.iter().flat_map(|(lower, upper)| [lower, upper]) {
            let Some(used) = find(&endpoint.query, &name.text) else {
                continue;
            };
            if !is_number(spec, used) {
                let message = format!("only numbers can be compared: `{}` is not a number", name.text);
                let diagnostic = Diagnostic::new(Rule::Constraint, name.at, message);
                diagnostics.push(diagnostic.related(used.name.at, "its type"));
            }
        }
    }
}

fn is_number(spec: &Spec, used: &TypeUse) -> bool {
    matches!(
        type_target(spec, &used.name.text),
        TypeTarget::Type(TypeDef::Number { .. } | TypeDef::Integer { .. }) | TypeTarget::Unknown
    )
}

/// The value of the first endpoint whose success has one, and the envelope.
pub(super) fn first_with_message<'s>(
    spec: &'s Spec,
    first_message: impl Fn(&'s crate::syntax::Success) -> Option<&'s Word>,
) -> Option<&'s Word> {
    let mut enveloped = operations(spec).filter(LocatedOperation::has_envelope);
    enveloped.find_map(|operation| first_message(&operation.endpoint.success))
}
