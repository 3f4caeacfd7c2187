//! Rules about rate limits, and about the credentials that they count by.

use super::lookup::{credential_of, entry, find, has, operations};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Credential, Limit, METHODS, Num, Rate, Spec, Surface, Word};

const PER: [&str; 2] = ["caller", "address"];
const COUNTS: &str = "failed_credentials";

/// `limit`: a limit that counts nothing, or two things.
pub(super) fn limit_form(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut counting: Option<&Word> = None;
    for (name, limit) in &spec.limits {
        if !PER.contains(&limit.per.text.as_str()) {
            let message = format!(
                "a limit is counted per `caller` or per `address`, not per `{}`",
                limit.per.text
            );
            let diagnostic = Diagnostic::new(Rule::Limit, limit.per.at, message);
            diagnostics.push(diagnostic.propose(&limit.per.text, PER));
        }
        for method in limit
            .methods
            .iter()
            .filter(|method| !METHODS.contains(&method.text.as_str()))
        {
            let message = format!("there is no method `{}`", method.text);
            diagnostics.push(Diagnostic::new(Rule::Limit, method.at, message).propose(&method.text, METHODS));
        }
        match &limit.counts {
            None if limit.methods.is_empty() => {
                let message = format!(
                    "`{}` counts nothing: it needs `methods`, or `counts: {COUNTS}`",
                    name.text
                );
                diagnostics.push(Diagnostic::new(Rule::Limit, name.at, message));
            }
            None => {}
            Some(counts) => {
                diagnostics.extend(count_of_failures(limit, counts, counting));
                counting = counting.or(Some(counts));
            }
        }
        diagnostics.extend(owner_rate(spec, name, limit));
    }
}

/// The diagnostic for a rate per owner that never applies, has another window, or is below the rate of one credential.
fn owner_rate(spec: &Spec, name: &Word, limit: &Limit) -> Option<Diagnostic> {
    let Rate { max, window_seconds } = limit.owner_rate?;
    let diagnostic = |message: String| Some(Diagnostic::new(Rule::Limit, max.at, message));
    if limit.per.text != "caller" {
        diagnostic("`owner_rate` counts all credentials of one caller together: it needs `per: caller`".to_owned())
            .map(|diagnostic| diagnostic.related(limit.per.at, "what the limit is counted per"))
    } else if window_seconds != limit.rate.window_seconds {
        diagnostic("`owner_rate` and `rate` must have the same window".to_owned())
            .map(|diagnostic| diagnostic.related(limit.rate.max.at, "the other window"))
    } else if max.value < limit.rate.max.value {
        diagnostic("`owner_rate` allows fewer requests than `rate` allows one credential".to_owned())
            .map(|diagnostic| diagnostic.related(limit.rate.max.at, "the rate of one credential"))
    } else if !is_any_counted_by_owner(spec, &name.text) {
        let message = format!(
            "`{}` counts no credential of which a caller can have several: its `rate` is already the rate per owner",
            name.text
        );
        let help = "remove `owner_rate`, or let a credential be `limited_by` a resource that its caller owns";
        diagnostic(message).map(|diagnostic| diagnostic.help(help))
    } else {
        None
    }
}

/// Whether a surface with this limit has a credential of which a caller can have several.
fn is_any_counted_by_owner(spec: &Spec, limit: &str) -> bool {
    let limited = spec.surfaces.iter().filter(|(_, surface)| has(&surface.limits, limit));
    let mut credentials = limited.filter_map(|(_, surface)| credential_of(spec, surface));
    let is_limited_apart = |credential: &Credential| {
        let (caller, limited_by) = (credential.caller.as_ref(), credential.limited_by.as_ref());
        limited_by.is_some_and(|by| caller.is_some_and(|caller| caller.text != by.text))
    };
    credentials.any(|credential| {
        let callers = |one: &Credential| one.caller.as_ref().map(|caller| caller.text.clone());
        let caller = callers(credential);
        let of_caller = spec.credentials.iter().filter(|(_, one)| callers(one) == caller);
        caller.is_some() && (is_limited_apart(credential) || of_caller.count() > 1)
    })
}

fn is_method(word: &Word) -> bool {
    METHODS.contains(&word.text.as_str())
}

fn count_of_failures(limit: &Limit, counts: &Word, first: Option<&Word>) -> Option<Diagnostic> {
    let diagnostic = |message: &str| Some(Diagnostic::new(Rule::Limit, counts.at, message));
    if counts.text != COUNTS {
        diagnostic(&format!("a limit can count `{COUNTS}`, not `{}`", counts.text))
    } else if let Some(method) = limit.methods.first() {
        diagnostic("a limit has `methods` or `counts`, not both")
            .map(|diagnostic| diagnostic.related(method.at, "its methods"))
    } else if limit.per.text != "address" {
        diagnostic("without a valid credential only the address is known: write `per: address`")
            .map(|diagnostic| diagnostic.related(limit.per.at, "what the limit is counted per"))
    } else if let Some(first) = first {
        diagnostic("there is already a limit of failed credentials")
            .map(|diagnostic| diagnostic.related(first.at, "the first one"))
    } else {
        None
    }
}

/// `limit`: a method that no limit or more than one limit of its surface covers, or a limit that the surface cannot
/// have.
pub(super) fn limit_coverage(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (surface_name, surface) in &spec.surfaces {
        let limits: Vec<_> = surface
            .limits
            .iter()
            .filter_map(|name| Some((name, find(&spec.limits, &name.text)?)))
            .collect();
        limits
            .iter()
            .for_each(|(name, limit)| diagnostics.extend(misfit(spec, surface, name, limit)));
        let known = limits.iter().all(|(_, limit)| limit.methods.iter().all(is_method));
        if limits.is_empty() || limits.len() != surface.limits.len() || !known {
            continue;
        }
        let mut seen = Vec::new();
        for (name, endpoint) in &surface.endpoints {
            let method = endpoint.method.text.as_str();
            if seen.contains(&method) {
                continue;
            }
            seen.push(method);
            let covering: Vec<_> = limits.iter().filter(|(_, limit)| has(&limit.methods, method)).collect();
            let number = match covering.as_slice() {
                [] => "none",
                [_] => continue,
                _ => "more than one",
            };
            let message = format!(
                "{method} of `{}` is counted by {number} of the limits of `{}`: exactly one must count it",
                name.text, surface_name.text
            );
            let diagnostic = Diagnostic::new(Rule::Limit, endpoint.method.at, message);
            let named = if covering.is_empty() {
                &limits
            } else {
                &covering.into_iter().copied().collect()
            };
            diagnostics.push(named.iter().fold(diagnostic, |diagnostic, (name, _)| {
                diagnostic.related(name.at, format!("`{}` is one of the surface's limits", name.text))
            }));
        }
    }
}

/// `limit`: a bound on the concurrent requests or the response bytes of a caller, where the caller is not known.
pub(super) fn per_caller(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let has_caller =
        |surface: &Surface| credential_of(spec, surface).is_none_or(|credential| credential.caller.is_some());
    let knows_caller = |surface: &Surface| surface.credential.is_some() && has_caller(surface);
    for operation in operations(spec).filter(|operation| !knows_caller(operation.surface)) {
        if let Some(waits) = operation.endpoint.waits_at_once {
            let message = "`waits_at_once` counts per caller, but callers of this surface are unknown";
            diagnostics.push(Diagnostic::new(Rule::Limit, waits.at, message));
        }
    }
    let in_flight = spec.api.in_flight.map(|max| ("in_flight", max.at));
    let response_bytes = spec.api.response_bytes.map(|rate| ("response_bytes", rate.max.at));
    for (key, at) in [in_flight, response_bytes].into_iter().flatten() {
        if !spec.surfaces.iter().any(|(_, surface)| knows_caller(surface)) {
            let message = format!("`{key}` counts per caller, but no surface has a credential with a `caller`");
            diagnostics.push(Diagnostic::new(Rule::Limit, at, message));
        }
    }
}

/// Why a surface cannot have a limit.
fn misfit(spec: &Spec, surface: &Surface, name: &Word, limit: &Limit) -> Option<Diagnostic> {
    let per_caller = limit.per.text == "caller";
    let diagnostic = |message: String| Diagnostic::new(Rule::Limit, name.at, message);
    let declared =
        |diagnostic: Diagnostic| diagnostic.declared_if(entry(&spec.limits, &name.text).map(|(name, _)| name));
    let message = match credential_of(spec, surface) {
        _ if limit.counts.is_some() => format!(
            "`{}` counts failed credentials on all surfaces: do not list it",
            name.text
        ),
        None if per_caller && surface.credential.is_none() => {
            format!("`{}` counts per caller, but this surface has no credential", name.text)
        }
        Some(credential) if per_caller && credential.caller.is_none() => {
            format!(
                "`{}` counts per caller, but this surface's credential has no `caller`",
                name.text
            )
        }
        _ => return None,
    };
    Some(declared(diagnostic(message)))
}

/// `credential`: a credential that identifies no caller, or has too few random characters.
pub(super) fn credential_form(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, credential) in &spec.credentials {
        let mut diagnostic = |at, message: String| diagnostics.push(Diagnostic::new(Rule::Credential, at, message));
        let of_a_caller = [&credential.limited_by, &credential.plan, &credential.suspended];
        for word in of_a_caller
            .into_iter()
            .flatten()
            .filter(|_| credential.caller.is_none())
        {
            diagnostic(
                word.at,
                format!(
                    "`{}` refers to the caller, but the credential has no `caller`",
                    word.text
                ),
            );
        }
        if let Some(word) = credential
            .limited_by
            .as_ref()
            .filter(|word| !is_callers(spec, credential, word))
        {
            diagnostic(
                word.at,
                format!(
                    "`limited_by` must be the caller or a resource that it owns: `{}` is neither",
                    word.text
                ),
            );
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let others = credential.realms.iter().filter_map(|(_, realm)| realm.prefix.as_ref());
        for prefix in [&credential.prefix].into_iter().chain(others) {
            if !prefix.text.chars().all(is_plain) {
                diagnostic(
                    prefix.at,
                    "a prefix may only have letters, digits, `_` and `-`".to_owned(),
                );
            }
        }
        report_guessable(credential, &mut diagnostic);
    }
}

fn is_callers(spec: &Spec, credential: &Credential, word: &Word) -> bool {
    let Some(caller) = &credential.caller else { return true };
    let Some(resource) = find(&spec.resources, &word.text) else {
        return true;
    };
    word.text == caller.text || find(&resource.owner, &caller.text).is_some()
}

/// 22 characters from an alphabet of 62 have 130 bits.
fn report_guessable(credential: &Credential, diagnostic: &mut impl FnMut(crate::syntax::Span, String)) {
    const FEWEST: f64 = 22.0;
    const MOST: f64 = 200.0;
    let Num { value: random, at } = credential.random;
    let shown = credential
        .shown
        .map_or(0.0, |shown| shown.value - credential.prefix.text.len() as f64);
    if random < FEWEST {
        diagnostic(
            at,
            format!("{random} random characters can be guessed: at least {FEWEST} are needed"),
        );
    } else if random > MOST {
        diagnostic(at, format!("a credential has at most {MOST} random characters"));
    } else if random - shown < FEWEST {
        let at = credential.shown.map_or(at, |shown| shown.at);
        diagnostic(
            at,
            format!("too few random characters stay hidden: at least {FEWEST} are needed"),
        );
    }
}

/// Whether a surface requires a credential, so that a credential can be rejected.
pub(super) fn asks_for_credentials(spec: &Spec) -> bool {
    spec.surfaces.iter().any(|(_, surface)| surface.credential.is_some())
}
