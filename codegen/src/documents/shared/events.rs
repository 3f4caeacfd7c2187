//! Events in words: who causes them, who gets them, and how a feed goes on.

use super::words::{in_words, listed};
use crate::model::{EventKind, Model, Operation, Recipient};

/// What a member beside the events of a feed means.
pub(crate) fn sibling(name: &str) -> &'static str {
    match name {
        "cursor" => "Where the next call goes on, as `after`.",
        "has_more" => "Whether there are more events now: call again at once.",
        _ => "Whether events after the given cursor are no longer kept.",
    }
}

/// What a parameter does to the feed.
pub(crate) fn parameter(operation: &Operation, name: &str) -> Option<&'static str> {
    let feed = operation.feed.as_ref()?;
    if feed.after == name {
        return Some(
            "The `cursor` of the last response. Without it, the feed begins with the oldest event that is kept. `now` \
             returns no events, only the cursor.",
        );
    }
    if feed.types.as_deref() == Some(name) {
        return Some("The events to list, separated by commas. Without it, all of them.");
    }
    if feed.wait.as_deref() == Some(name) {
        return Some("How many seconds to wait if there is no event. The response comes as soon as there is one.");
    }
    (feed.size == name).then_some("Maximum number of events.")
}

/// What has happened, what causes it and who gets it.
pub(crate) fn event(model: &Model, kind: &EventKind) -> String {
    let causes = caused_by(kind);
    let to: Vec<String> = kind.to.iter().map(|to| recipient(model, to)).collect();
    let to = format!("For {}.", in_words(&to, "and"));
    let doc = kind.doc.iter().map(String::as_str);
    doc.chain([causes.as_str(), to.as_str()]).collect::<Vec<_>>().join(" ")
}

/// `` Caused by `a` and `b`. ``
pub(crate) fn caused_by(kind: &EventKind) -> String {
    match causes(kind).as_slice() {
        [] => "The service itself causes it.".to_owned(),
        causes => format!("Caused by {}.", listed(causes, "and")),
    }
}

/// The operations that cause it.
pub(crate) fn causes(kind: &EventKind) -> Vec<String> {
    let causes = kind.causes.iter();
    causes
        .map(|cause| format!("{}.{}", cause.surface, cause.operation))
        .collect()
}

fn recipient(model: &Model, to: &Recipient) -> String {
    let caller = &model.resource(&to.caller).noun;
    match &to.each {
        None => format!("the {caller} of its `{}`", to.path),
        Some((each, _)) => format!("the {caller} of `{}` of each {}", to.path, model.resource(each).noun),
    }
}
