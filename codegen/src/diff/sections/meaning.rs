//! Compares the declared meaning: where values come from, what operations do, when rules apply, which texts are alike.

use crate::diff::matching::{MemberKind, Namespace, Renames, name_of};
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{
    Condition, Effect, Field, FieldIs, Fill, Kind, Model, Operation, Origin, Synonyms, Target, TypeRule,
};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    types(comparison);
    rules(comparison);
    fields(comparison);
    synonyms(comparison);
    operations(comparison);
}

/// A declaration in both contracts, with the new names.
struct Declared {
    place: PathPair,
    /// What it is declared of.
    of: String,
    was: Option<String>,
    is: Option<String>,
    operations: BTreeSet<String>,
}

impl Declared {
    fn report(self, comparison: &mut Comparison<'_>) {
        let Declared {
            place,
            of,
            was,
            is,
            operations,
        } = self;
        match (was, is) {
            (None, Some(is)) => {
                let message = format!("{of} is declared: `{is}`");
                comparison.between(Rule::MeaningAdded, &place, operations, message);
            }
            (Some(was), None) => {
                let message = format!("{of} is no longer declared, was `{was}`");
                comparison.between(Rule::MeaningRemoved, &place, operations, message);
            }
            (Some(was), Some(is)) if was != is => {
                let message = format!("{of} is `{is}`, was `{was}`");
                comparison.between(Rule::MeaningChanged, &place, operations, message);
            }
            _ => {}
        }
    }
}

/// Gives the old contract the new names.
struct Words<'w> {
    model: &'w Model,
    names: Option<&'w Renames<'w>>,
    /// The credentials of the new contract.
    credentials: &'w [crate::model::Credential],
}

impl<'w> Words<'w> {
    fn of(comparison: &Comparison<'w>) -> [Words<'w>; 2] {
        let words = |model, names| Words {
            model,
            names,
            credentials: &comparison.new.credentials,
        };
        [
            words(comparison.old, Some(comparison.names)),
            words(comparison.new, None),
        ]
    }

    fn resource(&self, name: &str) -> String {
        self.names.map_or(name, |names| names.resource(name)).to_owned()
    }

    fn field(&self, resource: &str, name: &str) -> String {
        self.names.map_or(name, |names| names.field(resource, name)).to_owned()
    }

    /// A credential with a new name has the same header.
    fn credential(&self, name: &str) -> String {
        let header = &self.model.credential(name).header;
        let mut all = self.credentials.iter();
        let is_kept = self.credentials.iter().any(|one| one.name == name);
        all.find(|one| one.header == *header && !is_kept)
            .map_or(name, |one| &one.name)
            .to_owned()
    }

    fn origin(&self, resource: &str, origin: &Origin) -> Origin {
        let mut found = origin.clone();
        match &mut found {
            Origin::Now | Origin::NumberOf(_) | Origin::Rate { .. } => {}
            Origin::Count { resource, via } | Origin::All { resource, via } | Origin::Left { resource, via } => {
                *via = self.field(resource, via);
                *resource = self.resource(resource);
            }
            Origin::Latest { resource, via, field } => {
                *via = self.field(resource, via);
                *field = self.field(resource, field);
                *resource = self.resource(resource);
            }
            Origin::Follow { ids, field } => {
                let mut at = resource.to_owned();
                for (id, next) in ids {
                    *id = self.field(&at, id);
                    at.clone_from(next);
                    *next = self.resource(next);
                }
                *field = self.field(&at, field);
            }
            Origin::Digest(name) | Origin::Start(name) | Origin::Has(name) => *name = self.credential(name),
            Origin::LastUse { credential, seconds: _ } => *credential = self.credential(credential),
        }
        found
    }

    fn field_is(&self, resource: &str, FieldIs { field, not, values }: &FieldIs) -> FieldIs {
        let of = &self.model.resource(resource).field(field).of.kind;
        let value = |value: &String| match (of, self.names) {
            (Kind::Enum(name), Some(names)) => names.inside(MemberKind::Value, name, value).to_owned(),
            _ => value.clone(),
        };
        FieldIs {
            field: self.field(resource, field),
            not: *not,
            values: values.iter().map(value).collect(),
        }
    }

    fn condition(&self, condition: &Condition) -> Condition {
        match condition {
            Condition::Field { resource, is } => Condition::Field {
                resource: self.resource(resource),
                is: self.field_is(resource, is),
            },
            Condition::Exists { resource, none, within } => {
                let within = within.iter().map(|(parent, via)| {
                    let parent = parent.as_ref().map(|parent| self.resource(parent));
                    (parent, self.field(resource, via))
                });
                Condition::Exists {
                    resource: self.resource(resource),
                    none: *none,
                    within: within.collect(),
                }
            }
        }
    }

    fn effect(&self, effect: &Effect) -> Effect {
        let mut found = effect.clone();
        match &mut found {
            Effect::Make {
                resource,
                each: _,
                fills,
                at: _,
            } => {
                for (field, fill) in fills.iter_mut() {
                    *field = self.field(resource, field);
                    if let Fill::IdOf(target) = fill {
                        self.target(target);
                    }
                }
                // The order of the fields means nothing.
                fills.sort_by(|(one, _), (other, _)| one.cmp(other));
                *resource = self.resource(resource);
            }
            Effect::Change {
                resource,
                target,
                at: _,
            } => {
                *resource = self.resource(resource);
                self.target(target);
            }
            Effect::End { resource, at: _ } => *resource = self.resource(resource),
            Effect::Renew {
                credential,
                target,
                at: _,
            } => {
                *credential = self.credential(credential);
                self.target(target);
            }
        }
        found
    }

    fn target(&self, target: &mut Target) {
        match target {
            Target::Made(resource) | Target::Found(resource) => *resource = self.resource(resource),
            Target::Caller => {}
        }
    }
}

fn types(comparison: &mut Comparison<'_>) {
    let alike = |rule: &TypeRule| match rule {
        TypeRule::Text { alike, .. } => Some(*alike),
        _ => None,
    };
    for old in &comparison.old.types {
        let name = comparison.names.declared(Namespace::Type, &old.name);
        let Some(new) = comparison.now.types.get(name).copied() else {
            continue;
        };
        let (was, is) = (alike(&old.rule), alike(&new.rule));
        let declared = Declared {
            place: PathPair::same("types").under(&old.name, name).join("string.alike"),
            of: format!("how texts of `{name}` are compared"),
            was: was.or(is).map(|alike| alike.as_str().to_owned()),
            is: is.or(was).map(|alike| alike.as_str().to_owned()),
            operations: BTreeSet::new(),
        };
        declared.report(comparison);
    }
}

fn rules(comparison: &mut Comparison<'_>) {
    let [before, now] = Words::of(comparison);
    let mut all = Vec::new();
    for (old, new) in &comparison.paired.errors.kept {
        all.push(Declared {
            place: PathPair::same("errors").under(&old.name, &new.name).join("when"),
            of: format!("when `{}` rejects a request", new.name),
            was: old.when.as_ref().map(|when| before.condition(when).to_string()),
            is: new.when.as_ref().map(|when| now.condition(when).to_string()),
            operations: BTreeSet::new(),
        });
    }
    for (old, new) in &comparison.paired.quotas.kept {
        all.push(Declared {
            place: PathPair::same("quotas").under(&old.name, &new.name).join("where"),
            of: format!("what the quota `{}` counts", new.name),
            was: old.only.as_ref().map(|only| before.field_is(&old.of, only).to_string()),
            is: new.only.as_ref().map(|only| now.field_is(&new.of, only).to_string()),
            operations: BTreeSet::new(),
        });
    }
    all.into_iter().for_each(|one| one.report(comparison));
}

fn fields(comparison: &mut Comparison<'_>) {
    let names = comparison.names;
    let [before, now] = Words::of(comparison);
    let mut all = Vec::new();
    let mut add = |place: PathPair, (old, olds): (&str, &[Field]), (new, news): (&str, &[Field]), kind: MemberKind| {
        for field in olds {
            let other = names.inside(kind, old, &field.name);
            if let Some(field_now) = news.iter().find(|one| one.name == other) {
                all.push(Declared {
                    place: place.under(&field.name, other),
                    of: format!("the source of `{new}.{other}`"),
                    was: field
                        .origin
                        .as_ref()
                        .map(|origin| before.origin(old, origin).to_string()),
                    is: field_now
                        .origin
                        .as_ref()
                        .map(|origin| now.origin(new, origin).to_string()),
                    operations: BTreeSet::new(),
                });
            }
        }
    };
    for old in &comparison.old.resources {
        let name = names.resource(&old.name);
        if let Some(new) = comparison.now.resources.get(name) {
            let place = PathPair::same("resources").under(&old.name, name);
            let (was, is) = ((&*old.name, &*old.fields), (name, &*new.fields));
            add(place.join("fields"), was, is, MemberKind::Field);
            let (was, is) = ((&*old.name, &*old.joined), (name, &*new.joined));
            add(place.join("joined"), was, is, MemberKind::Joined);
        }
    }
    for old in &comparison.old.objects {
        let name = names.declared(Namespace::Object, &old.name);
        if let Some(new) = comparison.now.objects.get(name) {
            let place = PathPair::same("objects").under(&old.name, name);
            let (was, is) = ((&*old.name, &*old.members), (name, &*new.members));
            add(place, was, is, MemberKind::Member);
        }
    }
    all.into_iter().for_each(|one| one.report(comparison));
}

/// Synonyms of a field that is in both contracts.
fn synonyms(comparison: &mut Comparison<'_>) {
    let text = |one: &Synonyms| {
        // Their order means nothing.
        let groups = one.groups.iter().map(|group| {
            let texts: BTreeSet<&str> = group.iter().map(String::as_str).collect();
            texts.into_iter().collect::<Vec<_>>().join(" = ")
        });
        groups
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
            .join("; ")
    };
    let (old, new) = (comparison.old, comparison.new);
    let before: Vec<(String, &Synonyms)> = old
        .synonyms
        .iter()
        .map(|one| {
            let resource = comparison.names.resource(&one.resource);
            let field = comparison.names.field(&one.resource, &one.field);
            (format!("{resource}.{field}"), one)
        })
        .collect();
    let find = |name: &str| {
        let mut now = new.synonyms.iter();
        now.find(|one| format!("{}.{}", one.resource, one.field) == name)
    };
    let names: BTreeSet<String> = before.iter().map(|(name, _)| name.clone()).collect();
    let added = new.synonyms.iter().map(|one| format!("{}.{}", one.resource, one.field));
    let names: BTreeSet<String> = names.into_iter().chain(added).collect();
    for name in names {
        let was = before.iter().find(|(other, _)| *other == name).map(|(_, one)| *one);
        let path = was.map_or_else(|| name.clone(), |one| format!("{}.{}", one.resource, one.field));
        let declared = Declared {
            place: PathPair::same("synonyms").under(&path, &name),
            of: format!("which texts of `{name}` mean the same"),
            was: was.map(text),
            is: find(&name).map(text),
            operations: BTreeSet::new(),
        };
        declared.report(comparison);
    }
}

fn operations(comparison: &mut Comparison<'_>) {
    let [before, now] = Words::of(comparison);
    let mut all = Vec::new();
    let surfaces = &comparison.paired.surfaces;
    for surface in surfaces {
        let place = PathPair::same("surfaces").under(&surface.old.name, &surface.new.name);
        for (old, new) in &surface.operations {
            let place = place.join("endpoints").under(&old.name, &new.name);
            let name = name_of(surface.new, new);
            for key in ["makes", "changes", "ends", "renews"] {
                all.push(Declared {
                    place: place.join(key),
                    of: format!("what `{}` {key}", new.name),
                    was: effects(&before, old, key),
                    is: effects(&now, new, key),
                    operations: BTreeSet::from([name.clone()]),
                });
            }
            all.push(Declared {
                place: place.join("undeclared"),
                of: format!("why `{}` does more than the contract says", new.name),
                was: old.undeclared.clone(),
                is: new.undeclared.clone(),
                operations: BTreeSet::from([name]),
            });
        }
    }
    all.into_iter().for_each(|one| one.report(comparison));
}

/// The effects that one key of an operation declares.
fn effects(words: &Words<'_>, operation: &Operation, key: &str) -> Option<String> {
    let effects = operation.effects.iter().filter(|effect| effect.key() == key);
    let effects: BTreeSet<String> = effects.map(|effect| words.effect(effect).to_string()).collect();
    (!effects.is_empty()).then(|| effects.into_iter().collect::<Vec<_>>().join("; "))
}
