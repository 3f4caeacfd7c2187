//! What an endpoint takes from another one, which it tries or counts.

use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{BodyUse, Endpoint, Guard, Made, Span, Surface, Table, Word};

/// The surface has no endpoint with this name.
pub(super) fn unknown(rule: Rule, surface: &Surface, name: &Word) -> Diagnostic {
    let known = surface.endpoints.iter().map(|(name, _)| name.text.as_str());
    let message = format!("there is no endpoint `{}` in this surface", name.text);
    Diagnostic::new(rule, name.at, message).propose(&name.text, known)
}

/// The keys that an endpoint takes from another one and has itself, each with a place in it.
pub(super) fn taken(own: &Endpoint) -> Vec<(&'static str, Span)> {
    fn first<'w>(mut words: impl Iterator<Item = &'w Word>) -> Option<Span> {
        words.next().map(|word| word.at)
    }
    let body = own.body.as_ref().map(|body| match body {
        BodyUse::Named(name) => name.at,
        BodyUse::Inline(body) => body.at,
    });
    let guard = own.guards.first().map(|guard| match guard {
        Guard::Plan(word) | Guard::Owner(word) => word.at,
        Guard::Exists { resource, .. } => resource.at,
    });
    let makes = |makes: &Option<Table<Made>>| makes.iter().flatten().map(|(name, _)| name.at).next();
    let words = [
        ("open", &own.open),
        ("transitions", &own.transitions),
        ("changes", &own.changes),
        ("ends", &own.ends),
        ("renews", &own.renews),
        ("revokes", &own.revokes),
        ("undeclared", &own.undeclared),
        ("event", &own.event),
    ];
    let words = words
        .into_iter()
        .map(|(key, word)| (key, word.as_ref().map(|word| word.at)));
    let all = [
        ("query", first(own.query.iter().map(|(name, _)| name))),
        ("constraints", first(own.constraints.iter().map(|(lower, _)| lower))),
        ("body", body),
        ("file", own.file.as_ref().map(|file| file.at)),
        ("max_bytes", own.max_bytes.map(|max| max.at)),
        ("waits_at_once", own.waits_at_once.map(|max| max.at)),
        ("guards", guard),
        ("quota", first(own.quotas.iter())),
        ("errors", first(own.errors.iter())),
        ("makes", makes(&own.makes)),
        ("puts", makes(&own.puts)),
        ("sort", own.sort.first().map(|word| word.at)),
        ("filters", own.filters.first().map(|filter| filter.at)),
        ("pages", own.pages.as_ref().map(|pages| pages.at)),
        ("nearest", first(own.nearest.iter().map(|(name, _)| name))),
    ];
    let all = all.into_iter().chain(words);
    all.filter_map(|(key, at)| Some((key, at?))).collect()
}
