//! Compares `types`: the allowed values.

use super::type_change;
use crate::diff::matching::{MemberKind, Namespace};
use crate::diff::output::words::{self, bound_below, counted};
use crate::diff::output::{ChangeSubject, Comparison, Findings, PathPair, Rule};
use crate::diff::relations::numbers::{least, whole_least, whole_most};
use crate::diff::relations::{Audience, Node, Relation, chars, of_unique};
use crate::model::{NamedType, Type, TypeRule};
use std::collections::BTreeSet;

pub(crate) fn compare<'m>(comparison: &mut Comparison<'m>) {
    let (names, now) = (comparison.names, comparison.now);
    for old in &comparison.old.types {
        let name = names.declared(Namespace::Type, &old.name);
        let Some(new) = now.types.get(name).copied() else {
            continue;
        };
        let place = PathPair::same("types").under(&old.name, &new.name);
        comparison.described_by_doc(&place, &new.name, (&old.doc, &new.doc));
        comparison.shown(&place.join("unit"), &new.name, (&old.unit, &new.unit), "unit");
        let shown = if new.is_secret { "once" } else { "again and again" };
        let lines = if new.is_multiline { "several lines" } else { "one line" };
        let of_people = [
            (
                old.is_secret != new.is_secret,
                "string.secret",
                format!("people are shown `{}` {shown}", new.name),
            ),
            (
                old.is_multiline != new.is_multiline,
                "string.multiline",
                format!("`{}` is a text of {lines} for people", new.name),
            ),
        ];
        for (_, key, message) in of_people.into_iter().filter(|(is_changed, ..)| *is_changed) {
            comparison.between(Rule::DescriptionChanged, &place.join(key), BTreeSet::new(), message);
        }
        if old.name == new.name && names.are_equal_rules(&old.rule, &new.rule) {
            continue;
        }
        let audience = comparison.audience(Node::Type(&old.name), Node::Type(&new.name));
        comparison.renamed(Rule::TypeRenamed, &place, &audience, (&old.name, &new.name));
        let thing = Node::Type(&new.name);
        Comparing {
            subject: ChangeSubject::for_element(comparison, thing, &audience, &new.name),
            place,
            audience,
        }
        .named_type(comparison, old, new);
    }
}

/// A compared type: its name in messages, its place, and the users that a change affects.
struct Comparing {
    subject: ChangeSubject,
    place: PathPair,
    audience: Audience,
}

impl Comparing {
    fn named_type(&self, comparison: &mut Comparison<'_>, old: &NamedType, new: &NamedType) {
        let NamedType {
            name: _,
            rule,
            doc: _,
            unit: _,
            is_secret: _,
            is_multiline: _,
            example: _,
            at: _,
        } = new;
        match (&old.rule, rule) {
            (TypeRule::Text { .. }, TypeRule::Text { .. }) => self.text(comparison, &old.rule, rule),
            (TypeRule::Number { .. }, TypeRule::Number { .. }) => self.number(comparison, &old.rule, rule),
            (
                TypeRule::Integer { min, max },
                TypeRule::Integer {
                    min: new_min,
                    max: new_max,
                },
            ) => {
                let at_least = |min: Option<i64>| min.map(|min| format!("numbers of at least {min}"));
                let relation = Relation::of_least(&whole_least(*min), &whole_least(*new_min));
                self.bound(
                    comparison,
                    "integer.min",
                    relation,
                    (at_least(*min), at_least(*new_min)),
                );
                let at_most = |max: Option<i64>| max.map(|max| format!("numbers of at most {max}"));
                let relation = Relation::of_most(&whole_most(*max), &whole_most(*new_max));
                self.bound(comparison, "integer.max", relation, (at_most(*max), at_most(*new_max)));
            }
            (TypeRule::List { .. }, TypeRule::List { .. }) => self.list(comparison, &old.rule, rule),
            (TypeRule::FreeForm { max_bytes: old }, TypeRule::FreeForm { max_bytes: new }) => {
                let bytes = |max: u64| Some(format!("at most {}", counted(max, "byte")));
                let relation = Relation::of_most(old, new);
                self.bound(comparison, "free_form.max_bytes", relation, (bytes(*old), bytes(*new)));
            }
            _ => self.other_kind(comparison, &old.rule, rule),
        }
    }

    fn text(&self, comparison: &mut Comparison<'_>, old: &TypeRule, new: &TypeRule) {
        let (
            TypeRule::Text {
                min,
                max,
                chars,
                bidi_controls,
                alike: _,
            },
            TypeRule::Text {
                min: new_min,
                max: new_max,
                chars: new_chars,
                bidi_controls: new_bidi_controls,
                alike: _,
            },
        ) = (old, new)
        else {
            return;
        };
        self.length(comparison, "string", "character", (*min, *max), (*new_min, *new_max));
        let relation = chars::relation(chars.as_deref(), new_chars.as_deref());
        let only = |chars: &Option<String>| chars.as_ref().map(|chars| format!("only the characters `{chars}`"));
        self.bound(comparison, "string.chars", relation, (only(chars), only(new_chars)));
        let relation = chars::of_bidi_controls(*bidi_controls, *new_bidi_controls);
        let without = |allowed: bool| (!allowed).then(|| "texts without bidirectional controls".to_owned());
        let words = (without(*bidi_controls), without(*new_bidi_controls));
        self.bound(comparison, "string.bidi_controls", relation, words);
    }

    fn number(&self, comparison: &mut Comparison<'_>, old: &TypeRule, new: &TypeRule) {
        let (
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                decimals,
            },
            TypeRule::Number {
                min: new_min,
                exclusive_min: new_exclusive_min,
                max: new_max,
                decimals: new_decimals,
            },
        ) = (old, new)
        else {
            return;
        };
        let (lower, new_lower) = (least(*min, *exclusive_min), least(*new_min, *new_exclusive_min));
        let key = |(_, is_exclusive): (f64, bool)| match is_exclusive {
            true => "number.exclusive_min",
            false => "number.min",
        };
        // An absent bound has no key.
        let (old_key, new_key) = match (lower.0.is_finite(), new_lower.0.is_finite()) {
            (false, true) => (key(new_lower), key(new_lower)),
            (true, false) => (key(lower), key(lower)),
            _ => (key(lower), key(new_lower)),
        };
        let relation = Relation::of_least(&lower, &new_lower);
        let numbers = |bound: (f64, bool)| {
            let of = if bound.1 { "numbers" } else { "numbers of" };
            bound_below(bound).map(|bound| format!("{of} {bound}"))
        };
        let words = (numbers(lower), numbers(new_lower));
        self.bound_at(comparison, &self.place.under(old_key, new_key), relation, words);
        let at_most = |max: Option<f64>| max.map(|max| format!("numbers of at most {max}"));
        let relation = Relation::of_most(&max.unwrap_or(f64::INFINITY), &new_max.unwrap_or(f64::INFINITY));
        self.bound(comparison, "number.max", relation, (at_most(*max), at_most(*new_max)));
        let places =
            |decimals: Option<u32>| decimals.map(|decimals| format!("at most {}", counted(decimals, "decimal place")));
        let relation = Relation::of_most(&decimals.unwrap_or(u32::MAX), &new_decimals.unwrap_or(u32::MAX));
        self.bound(
            comparison,
            "number.decimals",
            relation,
            (places(*decimals), places(*new_decimals)),
        );
    }

    fn list(&self, comparison: &mut Comparison<'_>, old: &TypeRule, new: &TypeRule) {
        let (
            TypeRule::List { of, min, max, unique },
            TypeRule::List {
                of: new_of,
                min: new_min,
                max: new_max,
                unique: new_unique,
            },
        ) = (old, new)
        else {
            return;
        };
        self.items(comparison, of, new_of);
        self.length(comparison, "list", "item", (*min, *max), (*new_min, *new_max));
        let renamed = unique.as_deref().map(|member| match comparison.old.items(of) {
            Some(object) => comparison.names.inside(MemberKind::Member, &object.name, member),
            None => member,
        });
        let relation = of_unique(renamed, new_unique.as_deref());
        let once = |unique: &Option<String>| unique.as_ref().map(|member| format!("lists with unique `{member}`"));
        self.bound(comparison, "list.unique", relation, (once(unique), once(new_unique)));
    }

    fn items(&self, comparison: &mut Comparison<'_>, old: &Type, new: &Type) {
        let mut findings = Findings::default();
        type_change::kind_of(
            comparison,
            &mut findings,
            &self.audience,
            &self.subject.part("[]"),
            (old, new),
        );
        findings.report(comparison, &self.place.join("list.of"), &self.audience);
    }

    fn length(
        &self,
        comparison: &mut Comparison<'_>,
        kind: &str,
        what: &str,
        (min, max): (u64, Option<u64>),
        (new_min, new_max): (u64, Option<u64>),
    ) {
        let at_least = |min: u64| (min > 0).then(|| format!("at least {}", counted(min, what)));
        let relation = Relation::of_least(&min, &new_min);
        let words = (at_least(min), at_least(new_min));
        self.bound(comparison, &format!("{kind}.min"), relation, words);
        let at_most = |max: Option<u64>| max.map(|max| format!("at most {}", counted(max, what)));
        let relation = Relation::of_most(&max.unwrap_or(u64::MAX), &new_max.unwrap_or(u64::MAX));
        self.bound(
            comparison,
            &format!("{kind}.max"),
            relation,
            (at_most(max), at_most(new_max)),
        );
    }

    fn bound(
        &self,
        comparison: &mut Comparison<'_>,
        key: &str,
        relation: Relation,
        words: (Option<String>, Option<String>),
    ) {
        self.bound_at(comparison, &self.place.join(key), relation, words);
    }

    /// Reports a changed bound. `words` are the old and the new bound; `None` is no bound.
    fn bound_at(
        &self,
        comparison: &mut Comparison<'_>,
        place: &PathPair,
        relation: Relation,
        words: (Option<String>, Option<String>),
    ) {
        let (phrase, verb, is) = (
            self.subject.phrase(),
            self.subject.verb(&self.audience),
            self.subject.is(),
        );
        let text = match words {
            (Some(was), Some(now)) => format!("{phrase} {verb} {now}, was {}", words::difference(&was, &now)),
            (None, Some(now)) => format!("{phrase} {verb} {now}, had no such bound"),
            (Some(was), None) => format!("{phrase} {is} no longer limited to {}", was.trim_start_matches("only ")),
            (None, None) => return,
        };
        let mut findings = Findings::default();
        findings.relate(&self.audience, relation, &text);
        findings.report(comparison, place, &self.audience);
    }

    fn other_kind(&self, comparison: &mut Comparison<'_>, old: &TypeRule, new: &TypeRule) {
        let relation = comparison.relations.of_rules(old, new);
        let (now, was) = (words::of_rule(comparison.now, new), words::of_rule(comparison.was, old));
        let mut findings = Findings::default();
        findings.relate(
            &self.audience,
            relation,
            &format!("{} {} {now}, was {was}", self.subject.phrase(), self.subject.is_each()),
        );
        let place = self.place.under(kind_of(old), kind_of(new));
        findings.report(comparison, &place, &self.audience);
    }
}

fn kind_of(rule: &TypeRule) -> &'static str {
    match rule {
        TypeRule::Text { .. } => "string",
        TypeRule::Number { .. } => "number",
        TypeRule::Integer { .. } => "integer",
        TypeRule::List { .. } => "list",
        TypeRule::FreeForm { .. } => "free_form",
    }
}
