//! Rules about names that are used and not declared, and about names that are declared and never used.

use super::lookup::{TypeTarget, entry, names as names_of, resource_field, type_target};
use super::naming::keys;
use crate::aliases;
use crate::diagnostic::{Diagnostic, Rule, add_new, while_few};
use crate::syntax::{BUILT_IN, Name, Names, Spec, UsedType, Word};
use std::collections::HashSet;

/// The kinds of names that are types.
const TYPES: [Name; 4] = [Name::Type, Name::Enum, Name::Object, Name::Input];

/// The rules for names that are not declared, by their kind.
const UNKNOWN: [(Name, Rule); 8] = [
    (Name::Resource, Rule::UnknownResource),
    (Name::Enum, Rule::UnknownEnum),
    (Name::Input, Rule::UnknownInput),
    (Name::Credential, Rule::UnknownCredential),
    (Name::Limit, Rule::UnknownLimit),
    (Name::Quota, Rule::UnknownQuota),
    (Name::States, Rule::UnknownStates),
    (Name::Decision, Rule::UnknownDecision),
];

/// The rules for names that are never used, by their kind, with the rules for misspelled names of this kind.
const UNUSED: [(Name, Rule, &[Rule]); 7] = [
    (Name::Type, Rule::UnusedType, UNKNOWN_TYPES),
    (Name::Enum, Rule::UnusedEnum, UNKNOWN_TYPES),
    (Name::Object, Rule::UnusedObject, UNKNOWN_TYPES),
    (Name::Input, Rule::UnusedInput, UNKNOWN_TYPES),
    (Name::Limit, Rule::UnusedLimit, &[Rule::UnknownLimit]),
    (Name::Quota, Rule::UnusedQuota, &[Rule::UnknownQuota]),
    (Name::Credential, Rule::UnusedCredential, &[Rule::UnknownCredential]),
];
const UNKNOWN_TYPES: &[Rule] = &[Rule::UnknownType, Rule::UnknownEnum, Rule::UnknownInput];

/// `unknown-type`: a type that is not declared.
pub(super) fn unknown_type(spec: &Spec, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    for UsedType { name, .. } in &names.types {
        if !name.text.contains('.') && matches!(type_target(spec, &name.text), TypeTarget::Unknown) {
            let declared = TYPES.into_iter().flat_map(|kind| names.declared(kind)).map(text);
            let known = while_few(diagnostics, BUILT_IN.into_iter().chain(declared));
            let diagnostic = unknown(Rule::UnknownType, "type", name, known);
            diagnostics.push(match aliases::type_name(&name.text) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            });
        }
    }
}

/// `unknown-resource`, `unknown-limit` and others: a name that is not declared.
pub(super) fn unknown_name(spec: &Spec, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    for (kind, rule) in UNKNOWN {
        let declared: HashSet<&str> = names.declared(kind).map(text).collect();
        let mut used: Vec<Word> = names.used(kind).cloned().collect();
        if kind == Name::Resource {
            // `Resource.view` and `Resource.field`
            let types = names.types.iter().map(|used| &used.name);
            used.extend(types.chain(names.declared(Name::States)).filter_map(before_dot));
        }
        let is_misplaced = |place: &Word| resource_field(spec, &place.text).is_none();
        if kind == Name::States && names.declared(kind).any(is_misplaced) {
            // States of an unknown field have been reported, and may be the ones that the endpoint means.
            continue;
        }
        for name in used.iter().filter(|name| !declared.contains(name.text.as_str())) {
            let known = while_few(diagnostics, names.declared(kind).map(text));
            diagnostics.push(unknown(rule, noun(kind), name, known));
        }
    }
}

/// The diagnostic for a name that is not declared.
fn unknown<'s>(rule: Rule, what: &str, name: &Word, known: impl IntoIterator<Item = &'s str>) -> Diagnostic {
    Diagnostic::new(rule, name.at, format!("there is no {what} `{}`", name.text)).propose(&name.text, known)
}

/// The kind without its article.
fn noun(kind: Name) -> &'static str {
    kind.what().split_once(' ').map_or(kind.what(), |(_, noun)| noun)
}

fn text(name: &Word) -> &str {
    &name.text
}

fn before_dot(name: &Word) -> Option<Word> {
    let (resource, _) = name.text.split_once('.')?;
    Some(name.part(resource))
}

/// `unknown-view`: a view that its resource does not have.
pub(super) fn unknown_view(spec: &Spec, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    for UsedType { name: used, .. } in &names.types {
        let Some((name, view)) = used.text.split_once('.') else {
            continue;
        };
        let Some((declared, resource)) = entry(&spec.resources, name) else {
            continue;
        };
        if let TypeTarget::Unknown = type_target(spec, &used.text) {
            let view = used.part(view);
            let message = format!("`{name}` has no view `{}`", view.text);
            let known = names_of(&resource.views).chain(["id"]);
            let diagnostic = Diagnostic::new(Rule::UnknownView, view.at, message).declared(declared);
            diagnostics.push(diagnostic.propose(&view.text, while_few(diagnostics, known)));
        }
    }
}

/// `unused-type`, `unused-limit` and others: a declaration that is never used.
pub(super) fn unused_name(spec: &Spec, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    for (kind, rule, unknown) in UNUSED {
        let mut used: HashSet<&str> = names.used(kind).map(text).collect();
        if TYPES.contains(&kind) {
            used.extend(names.types.iter().map(|used| text(&used.name)));
        }
        if kind == Name::Limit && super::limits::asks_for_credentials(spec) {
            let counting = spec.limits.iter().filter(|(_, limit)| limit.counts.is_some());
            used.extend(counting.map(|(name, _)| text(name)));
        }
        let unused = names.declared(kind).filter(|name| !used.contains(text(name)));
        report_unused((rule, noun(kind), unknown), unused, diagnostics);
    }
}

/// `unused-view`
pub(super) fn unused_view(spec: &Spec, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    let used: HashSet<&str> = names.types.iter().map(|used| text(&used.name)).collect();
    let unused = spec.resources.iter().flat_map(|(resource, of)| {
        let is_used = |view: &Word| used.contains(format!("{}.{}", resource.text, view.text).as_str());
        keys(&of.views).filter(move |view| !is_used(view))
    });
    let unknown = [Rule::UnknownView, Rule::UnknownResource];
    report_unused((Rule::UnusedView, "view", &unknown), unused, diagnostics);
}

/// `unused-field`: a joined field that no view shows. (Handlers may use a stored field, so those are not reported.)
pub(super) fn unused_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let unused = spec.resources.iter().flat_map(|(_, resource)| {
        let members = resource.views.iter().flat_map(|(_, view)| view);
        let shown: HashSet<&str> = members
            .filter_map(|member| member.source.text.split("[]").next())
            .collect();
        keys(&resource.joined).filter(move |name| !shown.contains(name.text.as_str()))
    });
    report_unused(
        (Rule::UnusedField, "joined field", &[Rule::UnknownField]),
        unused,
        diagnostics,
    );
}

/// Reports unused names, unless an unknown name has been reported that may be meant for one of them.
fn report_unused<'s>(
    (rule, what, unknown): (Rule, &str, &[Rule]),
    unused: impl Iterator<Item = &'s Word>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if diagnostics.iter().any(|diagnostic| unknown.contains(&diagnostic.rule)) {
        return;
    }
    let diagnostic = |name: &Word| {
        let message = format!("the {what} `{}` is never used", name.text);
        Diagnostic::new(rule, name.at, message).help("use it or remove it")
    };
    add_new(unused.map(diagnostic), diagnostics);
}

/// `unused-limit-headers`: headers of limits, and no surface has a limit.
pub(super) fn unused_limit_headers(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let any_limit = spec.limits.iter().any(|(_, limit)| limit.counts.is_none());
    if let (Some((first, _)), false) = (spec.limit_headers.first(), any_limit) {
        let message = "no surface has limits, so these headers are never sent";
        diagnostics.push(Diagnostic::new(Rule::UnusedLimitHeaders, first.at, message));
    }
}
