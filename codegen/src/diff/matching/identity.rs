//! Matches errors, limits and quotas of two contracts: by what identifies each, and renamed ones by their content.

use super::matched::{Matched, match_by};
use super::renames::Renames;
use crate::model::{Counts, ErrorEntry, Limit, Model, Per, Quota};
use crate::step::Step;

/// Matches the errors of two contracts.
pub(crate) fn errors<'m>(old: &'m Model, new: &'m Model) -> Matched<'m, ErrorEntry> {
    let mut errors = match_by(&old.errors, &new.errors, step_or_name);
    let content = |error| Some(content_of_error(error));
    let renamed = errors.take_renamed(content, content);
    errors.kept.extend(renamed);
    errors
}

fn step_or_name(error: &ErrorEntry) -> (Step, &str) {
    match error.step {
        Step::Rule => (Step::Rule, &error.name),
        step => (step, ""),
    }
}

fn content_of_error(error: &ErrorEntry) -> (Step, u16, String, Vec<(String, String)>) {
    let headers = error.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_string()));
    (error.step, error.status, error.text.to_string(), headers.collect())
}

/// Matches the limits of two contracts.
pub(crate) fn limits<'m>(old: &'m Model, new: &'m Model) -> Matched<'m, Limit> {
    let mut limits = match_by(&old.limits, &new.limits, name_of_limit);
    let content = |limit| Some(content_of_limit(limit));
    let renamed = limits.take_renamed(content, content);
    limits.kept.extend(renamed);
    limits
}

/// The name that identifies a limit. The limit of failed credentials is identified by its purpose.
pub(crate) fn name_of_limit(limit: &Limit) -> Option<&str> {
    (limit.counts != Counts::FailedCredentials).then_some(&limit.name)
}

fn content_of_limit(limit: &Limit) -> (Vec<&String>, bool, u32, Option<u32>, u32) {
    let (methods, is_by_caller) = methods(limit);
    let mut methods: Vec<_> = methods.iter().collect();
    methods.sort();
    let owner_max = limit.owner_max;
    (methods, is_by_caller, limit.max, owner_max, limit.window_seconds)
}

/// The methods that a limit counts, and whether it counts them by caller.
pub(crate) fn methods(limit: &Limit) -> (&[String], bool) {
    match &limit.counts {
        Counts::Methods { methods, per } => (methods, *per == Per::Caller),
        Counts::FailedCredentials => (&[], false),
    }
}

/// Matches the quotas of two contracts.
pub(crate) fn quotas<'m>(old: &'m Model, new: &'m Model, names: &Renames<'m>) -> Matched<'m, Quota> {
    let mut quotas = match_by(&old.quotas, &new.quotas, |quota| quota.name.as_str());
    let renamed = quotas.take_renamed(
        |quota| {
            Some((
                quota.max,
                &quota.noun,
                quota.records().map(|of| names.resource(of)),
                quota.window_seconds,
                names.resource(&quota.per),
            ))
        },
        |quota| {
            Some((
                quota.max,
                &quota.noun,
                quota.records(),
                quota.window_seconds,
                quota.per.as_str(),
            ))
        },
    );
    quotas.kept.extend(renamed);
    quotas
}
