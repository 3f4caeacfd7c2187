//! Rules about the shape of resources, objects and bodies.

use super::bodies;
use super::lookup::{TypeTarget, find, members_of, type_target};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{ListDef, Spec, TypeDef, Word};
use std::collections::{HashMap, HashSet};

/// `resource-id`: a resource without its own id.
pub(super) fn resource_id(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        let wanted = format!("{}.id", name.text);
        let id = find(&resource.fields, "id");
        let is_right = id.is_some_and(|id| id.name.text == wanted && !id.list && !id.optional && id.default.is_none());
        if !is_right {
            let at = id.map_or(name.at, |id| id.name.at);
            let message = format!("`{}` needs a field `id: {wanted}`", name.text);
            let diagnostic = Diagnostic::new(Rule::ResourceId, at, message);
            diagnostics.push(diagnostic.help(format!("begin its `fields` with `id: {wanted}`")));
        }
    }
}

/// `member-twice`: a member that is named twice.
pub(super) fn member_twice(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for body in bodies::all(spec) {
        let own = body.members.iter().map(|(name, _)| name);
        twice("this body", super::lookup::record_members(body).chain(own), diagnostics);
    }
    for (name, resource) in &spec.resources {
        let fields = resource.fields.iter().map(|(name, _)| name);
        let joined = resource.joined.iter().map(|(name, _)| name);
        twice(&format!("`{}`", name.text), fields.chain(joined), diagnostics);
    }
}

fn twice<'s>(what: &str, members: impl Iterator<Item = &'s Word>, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<&str, &Word> = HashMap::new();
    for member in members {
        if let Some(first) = seen.get(member.text.as_str()) {
            let message = format!("{what} has two members `{}`", member.text);
            let help = "remove one of them, or rename it";
            let diagnostic = Diagnostic::new(Rule::MemberTwice, member.at, message).help(help);
            diagnostics.push(diagnostic.related(first.at, "first given here"));
        } else {
            seen.insert(&member.text, member);
        }
    }
}

/// `cyclic-object`: a type that contains itself.
pub(super) fn cyclic_object(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let types = spec.types.iter().map(|(name, _)| name);
    let objects = spec.objects.iter().map(|(name, _)| name);
    let inputs = spec.inputs.iter().map(|(name, _)| name);
    let declared: Vec<&Word> = types.chain(objects).chain(inputs).collect();
    let mut done = HashSet::new();
    for start in &declared {
        for cycle in cycles(spec, &start.text, &mut done) {
            let [name, ..] = cycle.as_slice() else { continue };
            let place_of = |name: &str| declared.iter().find(|word| word.text == name).map(|word| word.at);
            let message = match cycle.len() {
                2 => format!("`{name}` contains itself"),
                _ => format!(
                    "`{name}` contains `{}`, and so contains itself",
                    cycle[1..].join("`, which contains `")
                ),
            };
            let diagnostic = Diagnostic::new(Rule::CyclicObject, place_of(name).unwrap_or_default(), message);
            let others = &cycle[1..cycle.len() - 1];
            let diagnostic = others.iter().fold(diagnostic, |diagnostic, other| {
                diagnostic.related(place_of(other).unwrap_or_default(), "also part of the cycle")
            });
            diagnostics.push(diagnostic.help("hold an id instead of the whole record at one place of the cycle"));
        }
    }
}

/// The cycles among the types that are reachable from `start` and not in `done`.
fn cycles<'s>(spec: &'s Spec, start: &'s str, done: &mut HashSet<&'s str>) -> Vec<Vec<&'s str>> {
    let mut way: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut found = Vec::new();
    if done.insert(start) {
        way.push((start, parts(spec, start)));
    }
    while let Some((_, rest)) = way.last_mut() {
        let Some(part) = rest.pop() else {
            way.pop();
            continue;
        };
        if done.insert(part) {
            way.push((part, parts(spec, part)));
        } else if let Some(from) = way.iter().position(|(name, _)| *name == part) {
            found.push(way[from..].iter().map(|(name, _)| *name).chain([part]).collect());
        }
    }
    found
}

/// `empty-surface`: a surface without endpoints, or a contract without surfaces.
pub(super) fn empty_surface(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, surface) in &spec.surfaces {
        if surface.endpoints.is_empty() {
            let message = format!("`{}` has no endpoints", name.text);
            diagnostics.push(Diagnostic::new(Rule::EmptySurface, name.at, message));
        }
    }
    if spec.surfaces.is_empty() {
        let message = "there are no `surfaces`, so the contract has no endpoints";
        diagnostics.push(Diagnostic::new(Rule::EmptySurface, spec.api.name.at, message));
    }
}

/// The names of the types that a type directly contains.
pub(super) fn parts<'s>(spec: &'s Spec, name: &'s str) -> Vec<&'s str> {
    match type_target(spec, name) {
        TypeTarget::Type(TypeDef::List(ListDef { of, .. })) => vec![of.text.as_str()],
        TypeTarget::Object(_) | TypeTarget::Input(_) => {
            let members = members_of(spec, name).unwrap_or_default();
            members.iter().map(|(_, used)| used.name.text.as_str()).collect()
        }
        _ => Vec::new(),
    }
}
