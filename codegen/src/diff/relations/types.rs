//! Computes how the values of one type relate to those of another, whatever the names of the types.

use super::chars;
use super::numbers::Numbers;
use super::relation::Relation;
use crate::diff::matching::{Declared, Renames};
use crate::model::{Enum, Field, Kind, Type, TypeRule};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Compares types of the old contract with types of the new one.
pub(crate) struct Relations<'c, 'm> {
    pub(crate) old: &'c Declared<'m>,
    pub(crate) new: &'c Declared<'m>,
    pub(crate) names: &'c Renames<'m>,
    /// A cache of computed relations: types may be used often.
    known: RefCell<HashMap<(String, String), Relation>>,
}

impl<'c, 'm> Relations<'c, 'm> {
    pub(crate) fn new(old: &'c Declared<'m>, new: &'c Declared<'m>, names: &'c Renames<'m>) -> Relations<'c, 'm> {
        Relations {
            old,
            new,
            names,
            known: RefCell::default(),
        }
    }

    /// The relation of two types, without null and absence.
    pub(crate) fn of(&self, old: &Type, new: &Type) -> Relation {
        match (old.list, new.list) {
            (true, false) => match self.new.rule(&new.kind) {
                Some(TypeRule::List { of, min, max, unique }) => {
                    let bounds = self.bounds_of_lists((0, None, None), (*min, *max, unique.as_deref()));
                    bounds | self.of_kinds(&old.kind, &of.kind)
                }
                _ => Relation::OTHER,
            },
            (false, true) => match self.old.rule(&old.kind) {
                Some(TypeRule::List { of, min, max, unique }) => {
                    let bounds = self.bounds_of_lists((*min, *max, unique.as_deref()), (0, None, None));
                    bounds | self.of_kinds(&of.kind, &new.kind)
                }
                _ => Relation::OTHER,
            },
            _ => self.of_kinds(&old.kind, &new.kind),
        }
    }

    fn of_kinds(&self, old: &Kind, new: &Kind) -> Relation {
        let key = (format!("{old:?}"), format!("{new:?}"));
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let relation = self.compared(old, new);
        self.known.borrow_mut().insert(key, relation);
        relation
    }

    fn compared(&self, old: &Kind, new: &Kind) -> Relation {
        match (old, new) {
            (Kind::Named(_), Kind::Named(_)) => match (self.old.rule(old), self.new.rule(new)) {
                (Some(old), Some(new)) => self.of_rules(old, new),
                _ => Relation::OTHER,
            },
            (Kind::Enum(old), Kind::Enum(new)) => {
                let (old, new) = (self.old.enums.get(old.as_str()), self.new.enums.get(new.as_str()));
                old.zip(new).map_or(Relation::OTHER, |(old, new)| of_enums(old, new))
            }
            (Kind::Object(old), Kind::Object(new)) => {
                let (old, new) = (self.old.objects.get(old.as_str()), self.new.objects.get(new.as_str()));
                let objects = old.zip(new);
                objects.map_or(Relation::OTHER, |(old, new)| {
                    self.of_members(&old.members, &new.members)
                })
            }
            // One is an enumeration, the other a text with bounds.
            (Kind::Enum(_), Kind::Named(_)) if self.is_text(new, self.new) => Relation::STRANGER,
            (Kind::Named(_), Kind::Enum(_)) if self.is_text(old, self.old) => Relation::UNREADABLE,
            (Kind::Stored, Kind::Named(_)) if self.is_text(new, self.new) => Relation::NARROWER,
            (Kind::Named(_), Kind::Stored) if self.is_text(old, self.old) => Relation::WIDER,
            (old, new) if self.names.are_same(old, new) => Relation::EQUAL,
            _ => Relation::OTHER,
        }
    }

    fn is_text(&self, kind: &Kind, declared: &Declared<'m>) -> bool {
        matches!(declared.rule(kind), Some(TypeRule::Text { .. }))
    }

    /// The relation of the rules of two named types.
    pub(crate) fn of_rules(&self, old: &TypeRule, new: &TypeRule) -> Relation {
        match (old, new) {
            (
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
            ) => {
                let length = Relation::of_least(min, new_min)
                    | Relation::of_most(&max.unwrap_or(u64::MAX), &new_max.unwrap_or(u64::MAX));
                length
                    | chars::relation(chars.as_deref(), new_chars.as_deref())
                    | chars::of_bidi_controls(*bidi_controls, *new_bidi_controls)
            }
            (
                TypeRule::List { of, min, max, unique },
                TypeRule::List {
                    of: new_of,
                    min: new_min,
                    max: new_max,
                    unique: new_unique,
                },
            ) => {
                let bounds = self.bounds_of_lists(
                    (*min, *max, unique.as_deref()),
                    (*new_min, *new_max, new_unique.as_deref()),
                );
                bounds | self.of(of, new_of)
            }
            (TypeRule::FreeForm { max_bytes: old }, TypeRule::FreeForm { max_bytes: new }) => {
                Relation::of_most(old, new)
            }
            _ => match (Numbers::from_rule(old), Numbers::from_rule(new)) {
                (Some(old), Some(new)) => old.relation(&new),
                _ => Relation::OTHER,
            },
        }
    }

    fn bounds_of_lists(
        &self,
        (min, max, unique): (u64, Option<u64>, Option<&str>),
        (new_min, new_max, new_unique): (u64, Option<u64>, Option<&str>),
    ) -> Relation {
        let length = Relation::of_least(&min, &new_min)
            | Relation::of_most(&max.unwrap_or(u64::MAX), &new_max.unwrap_or(u64::MAX));
        length | of_unique(unique, new_unique)
    }

    fn of_members(&self, old: &[Field], new: &[Field]) -> Relation {
        let olds: HashMap<&str, &Field> = old.iter().map(|field| (field.name.as_str(), field)).collect();
        let news: HashSet<&str> = new.iter().map(|field| field.name.as_str()).collect();
        let gone = old.iter().any(|field| !news.contains(field.name.as_str()));
        let gone = Relation {
            rejects: gone,
            surprises: gone,
            ..Relation::EQUAL
        };
        new.iter().fold(gone, |relation, new| {
            relation
                | match olds.get(new.name.as_str()) {
                    Some(old) => self.of(&old.of, &new.of) | of_presence(&old.of, &new.of),
                    None => Relation {
                        rejects: is_required(&new.of),
                        accepts: !is_required(&new.of),
                        misfits: is_required(&new.of),
                        ..Relation::EQUAL
                    },
                }
        })
    }
}

/// Whether a member or parameter must be given.
pub(crate) fn is_required(of: &Type) -> bool {
    !of.optional && of.default.is_none()
}

fn of_presence(old: &Type, new: &Type) -> Relation {
    Relation {
        rejects: is_required(new) && !is_required(old),
        accepts: is_required(old) && !is_required(new),
        surprises: new.optional && !old.optional,
        spares: old.optional && !new.optional,
        misfits: old.optional && !new.optional,
        ..Relation::EQUAL
    }
}

fn of_enums(old: &Enum, new: &Enum) -> Relation {
    let olds: HashSet<&String> = old.values.iter().collect();
    let news: HashSet<&String> = new.values.iter().collect();
    let narrower = Relation::UNREADABLE.only_if(!olds.is_subset(&news));
    narrower | Relation::STRANGER.only_if(!news.is_subset(&olds))
}

/// The relation of the members that must be unique in a list.
pub(crate) fn of_unique(old: Option<&str>, new: Option<&str>) -> Relation {
    match (old, new) {
        _ if old == new => Relation::EQUAL,
        (Some(_), None) => Relation::WIDER,
        (None, Some(_)) => Relation::NARROWER,
        _ => Relation::NARROWER | Relation::WIDER,
    }
}
