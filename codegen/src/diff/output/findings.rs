//! The findings about one key, by the direction of its values. One change may have several findings; the most severe
//! one determines its rule.

use super::comparison::Comparison;
use super::path_pair::PathPair;
use super::sentence::together;
use crate::diff::relations::{Audience, Relation};
use crate::rules::{Class, Rule, Severity, Side};
use std::collections::BTreeSet;

/// The findings at one place.
#[derive(Default)]
pub(crate) struct Findings {
    rules: Vec<Rule>,
    texts: Vec<String>,
}

impl Findings {
    /// Adds a text under a rule.
    pub(crate) fn add(&mut self, rule: Rule, text: impl Into<String>) {
        let text = text.into();
        self.rules.push(rule);
        if !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }

    /// Adds the consequences of a relation of two types for the affected callers, in one text for all of them.
    pub(crate) fn relate(&mut self, audience: &Audience, relation: Relation, text: &str) {
        let text = &match relation {
            Relation {
                rejects: true, misfits, ..
            } if audience.stored => match misfits {
                true => format!("{text}; records that do not fit cannot be read"),
                false => format!("{text}; stored values may not fit"),
            },
            _ => text.to_owned(),
        };
        let mut concerned = rules_of(audience, relation);
        if concerned.is_empty() && !relation.is_equal() {
            // Readers ignore additional members of an answer.
            concerned.push(match audience {
                _ if audience.is_shown() => Rule::AnswerNarrowed,
                _ if audience.is_taken() => Rule::RequestWidened,
                _ => Rule::StoredWidened,
            });
        }
        for rule in concerned {
            self.add(rule, text.as_str());
        }
    }

    /// Reports all findings as one change.
    pub(crate) fn report(self, comparison: &mut Comparison<'_>, place: &PathPair, audience: &Audience) {
        if audience.is_nobody() {
            return;
        }
        if let Some(rule) = most_severe(&self.rules) {
            let operations = affected(audience, &self.rules);
            comparison.between(rule, place, operations, self.texts.join("; "));
        }
    }
}

/// Reports all changes of a comparison as one: under the rule `extended` if none of them breaks, or `replaced` if one
/// does.
pub(crate) fn as_one<'m>(
    comparison: &mut Comparison<'m>,
    place: &PathPair,
    audience: &Audience,
    [extended, replaced]: [Rule; 2],
    compare: impl FnOnce(&mut Comparison<'m>),
) {
    let found = comparison.aside(compare);
    let rules: Vec<_> = found.iter().map(|change| change.rule).collect();
    let Some(most_severe_rule) = most_severe(&rules) else {
        return;
    };
    let rule = match most_severe_rule.severity() {
        Severity::Compatible => extended,
        Severity::Risky => most_severe_rule,
        _ => replaced,
    };
    let text = together(found.iter().map(|change| &change.message));
    comparison.between(rule, place, audience.operations(), text);
}

/// The most severe of some rules; the first one if several are equally severe.
fn most_severe(found: &[Rule]) -> Option<Rule> {
    found.iter().rev().copied().max_by_key(|rule| rule.severity())
}

/// The operations that need action: those that carry the value in the direction that breaks or is risky, if there is
/// one. Problems of stored records affect no operation.
pub(crate) fn affected(audience: &Audience, found: &[Rule]) -> BTreeSet<String> {
    let sides = found.iter().filter_map(|rule| match rule.class() {
        Class::Breaking(side) | Class::Risky(side) => Some(side),
        Class::Compatible | Class::Warning | Class::Mistake(_) => None,
    });
    let sides: Vec<Side> = sides.collect();
    let are_all = |one: Side| sides.iter().all(|side| [&one, &Side::Records].contains(&side));
    if sides.is_empty() {
        audience.operations()
    } else if are_all(Side::Records) {
        BTreeSet::new()
    } else if are_all(Side::Requests) {
        audience.taken.clone()
    } else if are_all(Side::Answers) {
        audience.shown.clone()
    } else {
        audience.operations()
    }
}

fn rules_of(audience: &Audience, relation: Relation) -> Vec<Rule> {
    let (taken, shown, stored) = (audience.is_taken(), audience.is_shown(), audience.stored);
    let other = |other, same| if relation.is_other { other } else { same };
    let found = [
        (
            taken && relation.rejects,
            other(Rule::ValueRetyped, Rule::RequestNarrowed),
        ),
        (shown && relation.surprises, Rule::ValueRetyped),
        (stored && relation.misfits, Rule::StoredRetyped),
        (stored && relation.rejects, Rule::StoredNarrowed),
        (shown && relation.exceeds, Rule::AnswerWidened),
        (taken && relation.accepts, Rule::RequestWidened),
        (shown && relation.spares, Rule::AnswerNarrowed),
        (stored && (relation.accepts || relation.exceeds), Rule::StoredWidened),
    ];
    found
        .into_iter()
        .filter(|(is_found, _)| *is_found)
        .map(|(_, rule)| rule)
        .collect()
}
