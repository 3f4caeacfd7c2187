//! Compares the declared meaning: where values come from, what operations do, when rules apply, which texts are alike.

mod declared;
mod effects;
mod words;

use crate::diff::matching::{MemberKind, Namespace};
use crate::diff::output::{Comparison, PathPair};
use crate::model::{Average, Distinct, Field, Quota, Synonyms, TypeRule};
use declared::Declared;
use std::collections::BTreeSet;
use words::Words;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    types(comparison);
    rules(comparison);
    fields(comparison);
    synonyms(comparison);
    effects::compare(comparison);
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
    let [before, now] = Words::from_comparison(comparison);
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
    let only = |words: &Words<'_>, quota: &Quota| {
        let (only, of) = quota.only.as_ref().zip(quota.records())?;
        Some(words.field_is(of, only).to_string())
    };
    for (old, new) in &comparison.paired.quotas.kept {
        all.push(Declared {
            place: PathPair::same("quotas").under(&old.name, &new.name).join("where"),
            of: format!("what the quota `{}` counts", new.name),
            was: only(&before, old),
            is: only(&now, new),
            operations: BTreeSet::new(),
        });
    }
    all.into_iter().for_each(|one| one.report(comparison));
}

fn fields(comparison: &mut Comparison<'_>) {
    let names = comparison.names;
    let [before, now] = Words::from_comparison(comparison);
    let (mut all, mut distinct) = (Vec::new(), Vec::new());
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
            let list = |words: &Words<'_>, of: &Option<Distinct>| of.as_ref().map(|of| words.distinct(of).to_string());
            distinct.push(Declared {
                place: place.join("distinct"),
                of: format!("the list whose distinct items the records of `{name}` are"),
                was: list(&before, &old.distinct),
                is: list(&now, &new.distinct),
                operations: BTreeSet::new(),
            });
            let average = |words: &Words<'_>, at: &str, of: &Option<Average>| {
                of.as_ref().map(|of| words.average(at, of).to_string())
            };
            distinct.push(Declared {
                place: place.join("average"),
                of: format!("the field of `{name}` that is a mean"),
                was: average(&before, &old.name, &old.average),
                is: average(&now, name, &new.average),
                operations: BTreeSet::new(),
            });
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
    distinct.into_iter().chain(all).for_each(|one| one.report(comparison));
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
