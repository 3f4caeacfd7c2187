//! Mutants of one operation: guards, rules, quotas, lists, effects, parameters, the answer.

use super::Mutants;
use super::neighbours::{neighbours, retype};
use codegen::matching::Matching;
use codegen::model::{AnswerFrom, Effect, ErrorEntry, Fill, FilterBy, GuardKind, Kind, Operation, SortKey};

/// The keys of an order of a list, or of its only one.
fn keys_of(operation: &mut Operation, order: usize) -> &mut Vec<SortKey> {
    match &mut operation.orders {
        Some(orders) => &mut orders.all[order].keys,
        None => &mut operation.sort,
    }
}

impl Mutants<'_> {
    pub(super) fn guards(&mut self, operation: &Operation) {
        for (nth, guard) in operation.guards.iter().enumerate() {
            let place = guard.kind.to_string();
            match &guard.kind {
                GuardKind::Exists(exists) if exists.parent.is_some() => {
                    self.add("parent unchecked", place, move |one| {
                        if let GuardKind::Exists(exists) = &mut one.guards[nth].kind {
                            exists.parent = None;
                        }
                    });
                }
                GuardKind::Exists(_) => {}
                GuardKind::Plan(_) | GuardKind::Owner(_) => {
                    self.add("guard dropped", place, move |one| drop(one.guards.remove(nth)));
                }
            }
        }
        // When a rule without a condition rejects a call is the service's own matter, and no declared call meets an untestable one.
        let is_declared = |error: &ErrorEntry| error.when.is_some() && error.untestable.is_none();
        let rules = operation.rules.iter().enumerate();
        for (nth, rule) in rules.filter(|(_, rule)| is_declared(self.model.error(&rule.text))) {
            self.add("rule dropped", rule.to_string(), move |one| drop(one.rules.remove(nth)));
        }
        // Files that reach a quota would take too long.
        let quotas = operation.quotas.iter().enumerate();
        for (nth, quota) in quotas.filter(|_| operation.file.is_none()) {
            self.add("quota dropped", quota.to_string(), move |one| {
                drop(one.quotas.remove(nth));
            });
        }
        if operation.keep_seconds.is_some() {
            self.add("keys ignored", "keep_seconds", |one| one.keep_seconds = None);
        }
        if operation.body.is_some() {
            self.add("bound shifted", "max_bytes + 1", |one| one.max_bytes += 1);
            self.add("bound shifted", "max_bytes - 1", |one| one.max_bytes -= 1);
        }
        if operation.transitions.is_some() {
            self.add("transitions dropped", "transitions", |one| one.transitions = None);
        }
    }

    pub(super) fn lists(&mut self, operation: &Operation) {
        for (order, (name, keys)) in operation.each_order().enumerate() {
            for (nth, key) in keys.iter().enumerate() {
                let place = [name.unwrap_or_default(), &key.field].join(" ");
                self.add("order reversed", place.trim_start(), move |one| {
                    let key = &mut keys_of(one, order)[nth];
                    key.descends = !key.descends;
                });
                // Without it, rows are in this order.
                if key.field != "id" || key.descends {
                    self.add("order dropped", place.trim_start(), move |one| {
                        drop(keys_of(one, order).remove(nth))
                    });
                }
            }
        }
        for (nth, filter) in operation.filters.iter().enumerate() {
            self.add("filter dropped", filter.to_string(), move |one| {
                drop(one.filters.remove(nth));
            });
            let FilterBy::Query(name, matching) = &filter.by else {
                continue;
            };
            let sent = operation.query.iter().find(|field| field.name == *name);
            let others: &[Matching] = match matching {
                Matching::AtLeast => &[Matching::AtMost, Matching::Equal],
                Matching::AtMost => &[Matching::AtLeast, Matching::Equal],
                Matching::Part | Matching::Implied | Matching::Words => &[Matching::Equal],
                Matching::Equal if sent.is_some_and(|field| matches!(field.of.kind, Kind::Named(_))) => {
                    &[Matching::Part]
                }
                Matching::Equal => &[],
            };
            for other in others {
                self.add("other comparison", format!("{filter} as {other:?}"), move |one| {
                    if let FilterBy::Query(_, matching) = &mut one.filters[nth].by {
                        *matching = *other;
                    }
                });
            }
        }
        for (nth, nearest) in operation.nearest.iter().enumerate() {
            self.add("nearest names dropped", &nearest.header, move |one| {
                drop(one.nearest.remove(nth));
            });
        }
    }

    pub(super) fn effects(&mut self, operation: &Operation) {
        for (nth, effect) in operation.effects.iter().enumerate() {
            match effect {
                Effect::Make { resource, fills, .. } => {
                    for (at, (field, fill)) in fills.iter().enumerate() {
                        let kind = match fill {
                            Fill::Member(_) => "member not stored",
                            Fill::Literal(_) | Fill::FieldOf { .. } => "value not stored",
                            _ => continue,
                        };
                        self.add(kind, format!("{resource}.{field}"), move |one| {
                            if let Effect::Make { fills, .. } = &mut one.effects[nth] {
                                fills[at].1 = Fill::Nothing;
                            }
                        });
                    }
                }
                Effect::Change { resource, .. } => {
                    self.add("change dropped", resource, move |one| drop(one.effects.remove(nth)));
                }
                Effect::End { resource, .. } => {
                    self.add("end dropped", resource, move |one| drop(one.effects.remove(nth)));
                }
                Effect::Revoke { credential, .. } => {
                    self.add("revocation dropped", credential, move |one| {
                        drop(one.effects.remove(nth));
                    });
                }
                // Without it there is no credential to answer.
                Effect::Renew { .. } => {}
            }
        }
    }

    pub(super) fn parameters(&mut self, operation: &Operation) {
        let (s, o) = self.at;
        // What a longer wait changes is when the answer comes.
        let wait = operation.feed.as_ref().and_then(|feed| feed.wait.as_ref());
        for (nth, field) in operation.query.iter().enumerate() {
            let name = &field.name;
            if let Some(number) = field.of.default.as_ref().and_then(|text| text.parse::<i64>().ok())
                && Some(name) != wait
            {
                self.add("default changed", name, move |one| {
                    one.query[nth].of.default = Some((number + 1).to_string());
                });
            }
            for (place, rule) in neighbours(self.model, &field.of) {
                self.whole_model("bound shifted", format!("{name}: {place}"), move |model| {
                    let of = &mut model.surfaces[s].operations[o].query[nth].of;
                    retype(&mut model.types, of, &rule);
                });
            }
        }
        for (nth, (low, high)) in operation.constraints.iter().enumerate() {
            self.add("constraint dropped", format!("{low} and {high}"), move |one| {
                drop(one.constraints.remove(nth));
            });
        }
    }

    pub(super) fn answers(&mut self, operation: &Operation) {
        // What a success is then is compared with nothing.
        if operation.undeclared.is_some() {
            return;
        }
        // That of a file is 200, or 206 for a part.
        if operation.content_of.is_none() {
            self.add("other status", "success", |one| {
                one.status = if one.status == 200 { 201 } else { 200 };
            });
        }
        if operation.message.is_some() {
            self.add("message dropped", "message", |one| one.message = None);
        }
        for (nth, from) in operation.answers.iter().enumerate() {
            if let AnswerFrom::Member(_) | AnswerFrom::Field(..) = from {
                self.add("answer undeclared", format!("{from:?}"), move |one| {
                    one.answers[nth] = AnswerFrom::Undeclared;
                });
            }
        }
        for (nth, header) in operation.headers.iter().enumerate() {
            self.add("header dropped", &header.name, move |one| drop(one.headers.remove(nth)));
        }
    }
}
