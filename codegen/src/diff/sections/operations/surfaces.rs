//! Compares `surfaces`: the addresses of the operations of one kind of caller, and their common requirements.

use super::{envelopes, operation, tools};
use crate::diff::matching::{MatchedSurface, name_of, request_line};
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::diff::sections::service::{credentials, limits};
use crate::model::{Model, Operation, Surface};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let paired = comparison.paired;
    for surface in &paired.surfaces {
        let place = PathPair::same("surfaces").under(&surface.old.name, &surface.new.name);
        compare_surface(comparison, &place, surface);
        operation::compare(comparison, &place.join("endpoints"), surface);
    }
    for surface in &paired.removed {
        let message = format!("the surface `{}` at `{}` is removed", surface.name, surface.base_path());
        comparison.removed(
            Rule::SurfaceRemoved,
            &format!("surfaces.{}", surface.name),
            all(surface),
            message,
        );
    }
    for surface in &paired.added {
        let credential = surface.credential.as_deref().map(|one| comparison.new.credential(one));
        let asks = match credential {
            Some(one) => format!("requires `{}` in the header `{}`", one.name, one.header),
            None => "is open to everyone".to_owned(),
        };
        let message = format!(
            "the surface `{}` at `{}` is added; it {asks}",
            surface.name,
            surface.base_path()
        );
        comparison.added(
            Rule::SurfaceAdded,
            &format!("surfaces.{}", surface.name),
            all(surface),
            message,
        );
    }
}

fn all(surface: &Surface) -> BTreeSet<String> {
    let operations = surface.operations.iter();
    operations.map(|operation| name_of(surface, operation)).collect()
}

fn compare_surface(comparison: &mut Comparison<'_>, place: &PathPair, surface: &MatchedSurface<'_>) {
    let MatchedSurface { old, new, .. } = surface;
    let Surface {
        name,
        doc,
        base,
        credential,
        limits: _,
        has_envelope: _,
        mcp: _,
        operations: _,
        at: _,
    } = new;
    let kept = those(surface, |_, _| true);
    if *name != old.name {
        let message = format!("the surface `{}` is renamed to `{name}`", old.name);
        comparison.between(Rule::SurfaceRenamed, place, kept.clone(), message);
    }
    comparison.described_by_doc(place, name, (&old.doc, doc));
    if *base != old.base {
        // A base path that has moved into the routes, or out of them, is no change for clients.
        let moved = those(surface, |old, new| request_line(old) == request_line(new));
        if !moved.is_empty() {
            let message = format!(
                "the base path of `{name}` is `{}`, was `{}`",
                new.base_path(),
                old.base_path()
            );
            comparison.between(Rule::SurfaceBaseChanged, &place.join("base"), moved, message);
        }
    }
    envelopes::of_surface(comparison, place, surface);
    let was = old
        .credential
        .as_deref()
        .map(|was| credentials::renamed(comparison, was).unwrap_or(was));
    if was != credential.as_deref() {
        compare_credential(comparison, &place.join("credential"), surface, kept);
    }
    compare_limits(comparison, place, surface);
    tools::compare(comparison, place, surface);
}

/// Compares the credential that a surface requires.
fn compare_credential(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    surface: &MatchedSurface<'_>,
    operations: BTreeSet<String>,
) {
    let name = &surface.new.name;
    let shown = |model: &Model, credential: &str| {
        let credential = model.credential(credential);
        format!("`{}` in the header `{}`", credential.name, credential.header)
    };
    let was = surface.old.credential.as_ref().map(|one| shown(comparison.old, one));
    let is = surface.new.credential.as_ref().map(|one| shown(comparison.new, one));
    match (was, is) {
        (None, Some(is)) => {
            let message = format!("`{name}` requires {is}, was open to everyone");
            comparison.added(Rule::SurfaceCredentialAdded, &place.new, operations, message);
        }
        (Some(was), None) => {
            let message = format!("`{name}` is open to everyone, required {was}");
            comparison.removed(Rule::SurfaceCredentialRemoved, &place.old, operations, message);
        }
        (was, is) => {
            let [is, was] = [is, was].map(Option::unwrap_or_default);
            let message = format!("`{name}` requires {is}, was {was}");
            comparison.between(Rule::SurfaceCredentialChanged, place, operations, message);
        }
    }
}

/// The operations of both contracts for which `holds` is true.
fn those(surface: &MatchedSurface<'_>, holds: impl Fn(&Operation, &Operation) -> bool) -> BTreeSet<String> {
    let operations = surface.operations.iter().filter(|(old, new)| holds(old, new));
    operations
        .map(|(_, operation)| name_of(surface.new, operation))
        .collect()
}

/// Compares limits that are in both contracts. Added and removed limits are reported at their declaration.
fn compare_limits(comparison: &mut Comparison<'_>, place: &PathPair, surface: &MatchedSurface<'_>) {
    let (old, new) = (surface.old, surface.new);
    let place = place.join("limits");
    for (was, is) in &comparison.paired.limits.kept {
        match (old.limits.contains(&was.name), new.limits.contains(&is.name)) {
            (true, false) => {
                let operations = those(surface, |old, _| old.limit.as_ref() == Some(&was.name));
                let message = format!("the limit `{}` no longer counts requests to `{}`", was.name, new.name);
                comparison.removed(
                    Rule::SurfaceLimitRemoved,
                    &place.join(&was.name).old,
                    operations,
                    message,
                );
            }
            (false, true) => {
                let operations = those(surface, |_, new| new.limit.as_ref() == Some(&is.name));
                let rate = limits::rate(is);
                let message = format!(
                    "the limit `{}` now also counts requests to `{}` and allows {rate}",
                    is.name, new.name
                );
                comparison.added(Rule::SurfaceLimitAdded, &place.join(&is.name).new, operations, message);
            }
            _ => {}
        }
    }
}
