//! Rules about texts in further languages.

use super::lookup::{LocatedOperation, body_members, entry, find, has, members_of, names};
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::languages;
use crate::syntax::{Data, Endpoint, Spec, Surface, Table, Texts, Word};
use std::collections::BTreeSet;

/// `unknown-language`: texts in something that is no language.
pub(super) fn unknown_language(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (tag, _) in spec.texts.iter().filter(|(tag, _)| !languages::is_tag(&tag.text)) {
        let message = format!("`{}` is no tag of a language", tag.text);
        let help =
            "write two letters of ISO 639-1, with a script and a region if they matter: `ja`, `pt-BR`, `zh-Hant`";
        diagnostics.push(Diagnostic::new(Rule::UnknownLanguage, tag.at, message).help(help));
    }
}

/// `unknown-text`: a text of something that the contract does not have. (The names of resources, enums and credentials have
/// rules of their own.)
pub(super) fn unknown_text(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let members = match spec.texts.is_empty() {
        true => return,
        false => members(spec),
    };
    for (_, texts) in &spec.texts {
        for (name, _) in &texts.surfaces {
            check("surface", name, names(&spec.surfaces), diagnostics);
        }
        for (name, _) in &texts.errors {
            check("error", name, names(&spec.errors), diagnostics);
        }
        for (surface, of) in endpoints(texts) {
            check("surface", surface, names(&spec.surfaces), diagnostics);
            if let Some(found) = find(&spec.surfaces, &surface.text) {
                of.iter()
                    .for_each(|name| check("endpoint", name, names(&found.endpoints), diagnostics));
            }
        }
        without_consequence(spec, texts, diagnostics);
        for (of, values) in &texts.values {
            let Some((_, def)) = entry(&spec.enums, &of.text) else {
                continue;
            };
            let known = || def.values.iter().map(|value| value.text.as_str());
            let unknown = values.iter().filter(|(value, _)| !has(&def.values, &value.text));
            unknown.for_each(|(value, _)| check("value", value, known(), diagnostics));
        }
        for (name, _) in &texts.members {
            check("member", name, members.iter().map(String::as_str), diagnostics);
        }
    }
}

/// The endpoints that have texts, by their surface.
fn endpoints(texts: &Texts) -> impl Iterator<Item = (&Word, Vec<&Word>)> {
    fn keys<T>(table: &Table<Table<T>>) -> impl Iterator<Item = (&Word, Vec<&Word>)> {
        table
            .iter()
            .map(|(outer, inner)| (outer, inner.iter().map(|(name, _)| name).collect()))
    }
    keys(&texts.operations).chain(keys(&texts.consequences))
}

fn check<'s>(what: &str, name: &Word, known: impl Iterator<Item = &'s str>, diagnostics: &mut Vec<Diagnostic>) {
    let known: Vec<&str> = known.collect();
    if known.contains(&name.text.as_str()) {
        return;
    }
    let message = format!("there is no {what} `{}`", name.text);
    let known = while_few(diagnostics, known);
    diagnostics.push(Diagnostic::new(Rule::UnknownText, name.at, message).propose(&name.text, known));
}

/// A text of a consequence that an endpoint does not have.
fn without_consequence(spec: &Spec, texts: &Texts, diagnostics: &mut Vec<Diagnostic>) {
    for (surface, of) in &texts.consequences {
        let endpoint = |name: &Word| -> Option<&Endpoint> {
            let surface: &Surface = find(&spec.surfaces, &surface.text)?;
            find(&surface.endpoints, &name.text)
        };
        for (name, _) in of {
            if endpoint(name).is_some_and(|endpoint| endpoint.consequence.is_none()) {
                let message = format!("`{}` states no `consequence`", name.text);
                diagnostics.push(Diagnostic::new(Rule::UnknownText, name.at, message));
            }
        }
    }
}

/// What members are called in `texts`: by their own names, and with what declares them.
fn members(spec: &Spec) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut add = |owner: &str, name: &str| {
        all.insert(name.to_owned());
        all.insert(format!("{owner}.{name}"));
    };
    for (owner, resource) in &spec.resources {
        let shown = resource.views.iter().flat_map(|(_, view)| view);
        names(&resource.fields)
            .chain(names(&resource.joined))
            .chain(shown.map(|member| member.shown.text.as_str()))
            .for_each(|name| add(&owner.text, name));
    }
    for owner in names(&spec.objects).chain(names(&spec.inputs)) {
        let members = members_of(spec, owner).unwrap_or_default();
        members.iter().for_each(|(name, _)| add(owner, &name.text));
    }
    for (surface_name, surface) in &spec.surfaces {
        for (name, endpoint) in &surface.endpoints {
            let owner = format!("{}.{}", surface_name.text, name.text);
            let operation = LocatedOperation {
                spec,
                surface,
                name,
                endpoint,
            };
            own_members(operation).iter().for_each(|name| add(&owner, &name.text));
        }
    }
    all
}

/// The parameters and members that an endpoint itself declares.
fn own_members(operation: LocatedOperation<'_>) -> Vec<&Word> {
    let LocatedOperation { spec, endpoint, .. } = operation;
    let parameters = endpoint.path.iter().chain(&endpoint.query).map(|(name, _)| name);
    let body = operation
        .body()
        .map(|body| body_members(spec, body))
        .unwrap_or_default();
    let data = match &endpoint.success.data {
        Some(Data::Members(members)) => members.iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    };
    parameters
        .chain(body.into_iter().map(|(name, _)| name))
        .chain(data)
        .collect()
}
