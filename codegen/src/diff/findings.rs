//! What one key changes, by the direction in which its values go: several things at once may come of it, and the gravest
//! gives the change its rule.

use super::Comparison;
use super::place::Place;
use super::relation::Relation;
use super::uses::Audience;
use crate::rules;

/// What has been found at one place.
#[derive(Default)]
pub(super) struct Findings {
    rules: Vec<&'static str>,
    texts: Vec<String>,
}

impl Findings {
    /// Adds what is said under a rule.
    pub(super) fn add(&mut self, rule: &'static str, text: impl Into<String>) {
        let text = text.into();
        self.rules.push(rule);
        if !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }

    /// Adds what the relation of two types is to those whom it concerns, in one text for all of them.
    pub(super) fn relate(&mut self, audience: &Audience, relation: Relation, text: &str) {
        let mut concerned = rules_of(audience, relation);
        if concerned.is_empty() && !relation.is_equal() {
            // An answer may hold more than its readers look for.
            concerned.push(match audience {
                _ if audience.is_shown() => "answer-narrowed",
                _ if audience.is_taken() => "request-widened",
                _ => "stored-widened",
            });
        }
        for rule in concerned {
            self.add(rule, text);
        }
    }

    /// Reports all of it as one change.
    pub(super) fn report(self, comparison: &mut Comparison<'_>, place: &Place, audience: &Audience) {
        if audience.is_nobody() {
            return;
        }
        if let Some(rule) = gravest(self.rules) {
            comparison.between(rule, place, audience.operations(), self.texts.join("; "));
        }
    }
}

/// The gravest of some rules, the first of those that are equally grave.
pub(super) fn gravest(found: Vec<&'static str>) -> Option<&'static str> {
    let severity = |rule: &&'static str| rules::find(rule).map(|rule| rule.severity);
    found.into_iter().rev().max_by_key(severity)
}

fn rules_of(audience: &Audience, relation: Relation) -> Vec<&'static str> {
    let (taken, shown, stored) = (audience.is_taken(), audience.is_shown(), audience.stored);
    let other = |other, same| if relation.is_other { other } else { same };
    let found = [
        (taken && relation.refuses, other("value-retyped", "request-narrowed")),
        (shown && relation.surprises, "value-retyped"),
        (stored && relation.refuses, other("stored-retyped", "stored-narrowed")),
        (shown && relation.exceeds, "answer-widened"),
        (taken && relation.accepts, "request-widened"),
        (shown && relation.spares, "answer-narrowed"),
        (stored && (relation.accepts || relation.exceeds), "stored-widened"),
    ];
    found
        .into_iter()
        .filter(|(is_found, _)| *is_found)
        .map(|(_, rule)| rule)
        .collect()
}

/// What is done with a value, for sentences that begin with its name.
pub(super) fn verb(audience: &Audience) -> &'static str {
    match (audience.is_taken(), audience.is_shown()) {
        (true, true) => "takes and shows",
        (true, false) => "takes",
        (false, true) => "shows",
        (false, false) => "holds",
    }
}
