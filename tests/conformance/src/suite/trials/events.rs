//! Tests of feeds: the events that the operations of the contract cause.

use crate::contract::Operation;
use crate::effects::Caused;
use crate::suite::description::event_data;
use crate::suite::leak_all;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let Some(feed) = &operation.declared.feed else { return };
    let causes = leak_all(causes(operation));
    for caused in causes {
        let (kind, by) = (caused.kind, caused.by);
        let rule = Rule::new(format!("`{}` causes one `{}`", by.name, kind.name), kind.at);
        let name = format!("{}_after_{}", kind.name.replace('.', "_"), by.declared.name);
        trials.accepts(&name, &rule, calls!(.shows_event(caused)));
    }
    let rule = Rule::new("each event once, in the order of their causes", feed.at);
    trials.accepts("pages_of_events", &rule, calls!(.pages_of_events(causes)));
    if let (Some(wait), Some(caused)) = (&feed.wait, causes.first()) {
        let rule = Rule::new(format!("`{wait}` ends when an event comes"), feed.at);
        let calls = calls!(.answers_when_an_event_comes(wait, caused));
        trials.accepts("is_answered_when_an_event_comes", &rule, calls);
    }
}

/// The events that callers of the feed get, each with one of its causes.
fn causes(feed: &'static Operation) -> Vec<Caused> {
    let model = feed.contract.model;
    let caller = feed.credential.and_then(|kind| kind.caller.as_ref());
    let mut all = Vec::new();
    for by in feed.contract.operations() {
        for (kind, target) in model.events_of(by.surface, by.declared) {
            let recipients = kind.recipients_of(model, by.surface);
            let theirs = recipients.filter(|to| caller.is_some_and(|caller| caller.resource == to.caller));
            all.extend(theirs.map(|to| Caused {
                kind,
                by,
                target,
                to,
                data: event_data(model, kind),
            }));
        }
    }
    all
}
