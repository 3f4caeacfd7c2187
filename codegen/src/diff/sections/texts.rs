//! Compares `texts`: what people read in further languages. Nothing of it changes a request or a response.

use super::service::credentials;
use crate::diff::matching::{MemberKind, Namespace};
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{Language, LanguageText, TextOf};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (&comparison.old.languages, &comparison.new.languages);
    for was in old {
        match new.iter().find(|one| one.tag == was.tag) {
            Some(is) => compare_language(comparison, was, is),
            None => {
                let message = format!("there are no texts in `{}` any more", was.tag);
                comparison.removed(RULE, &format!("texts.{}", was.tag), BTreeSet::new(), message);
            }
        }
    }
    for is in new.iter().filter(|is| old.iter().all(|was| was.tag != is.tag)) {
        let message = format!("there are texts in `{}`", is.tag);
        comparison.added(RULE, &format!("texts.{}", is.tag), BTreeSet::new(), message);
    }
}

const RULE: Rule = Rule::DescriptionChanged;

fn compare_language(comparison: &mut Comparison<'_>, old: &Language, new: &Language) {
    let mut kept = Vec::new();
    for was in &old.texts {
        let now = renamed(comparison, &was.of);
        let place = PathPair {
            old: path(old, &was.of),
            new: path(new, &now),
        };
        match new.texts.iter().find(|is| is.of == now) {
            Some(is) => {
                let (one, other) = (whole(was), whole(is));
                let name = now.path().last().copied().unwrap_or_default().to_owned();
                comparison.described(&place, &name, (Some(&one), Some(&other)), |_| BTreeSet::new());
                kept.push(now);
            }
            None => {
                let message = format!("`{}` has no text in `{}` any more", name(&was.of), old.tag);
                comparison.removed(RULE, &place.old, BTreeSet::new(), message);
            }
        }
    }
    for is in new.texts.iter().filter(|is| !kept.contains(&is.of)) {
        let message = format!("`{}` has a text in `{}`", name(&is.of), new.tag);
        comparison.added(RULE, &path(new, &is.of), BTreeSet::new(), message);
    }
}

fn path(language: &Language, of: &TextOf) -> String {
    format!("texts.{}.{}", language.tag, of.path().join("."))
}

fn name(of: &TextOf) -> String {
    of.path()[1..].join(".")
}

/// As in a contract.
fn whole(text: &LanguageText) -> String {
    match &text.doc {
        Some(doc) => format!("{} -- {doc}", text.name),
        None => text.name.clone(),
    }
}

/// What a text is of in the new contract, if what declares it was renamed.
fn renamed(comparison: &Comparison<'_>, of: &TextOf) -> TextOf {
    let declared = |namespace, name: &String| comparison.names.declared(namespace, name).to_owned();
    let operation = |surface: &String, name: &String| {
        let now = comparison.paired.now(&format!("{surface}.{name}"));
        let now = now.and_then(|now| now.split_once('.'));
        now.map_or_else(
            || (surface.clone(), name.clone()),
            |(surface, name)| (surface.to_owned(), name.to_owned()),
        )
    };
    match of {
        TextOf::Resource(name) => TextOf::Resource(declared(Namespace::Resource, name)),
        TextOf::Value(of, value) => {
            let value = comparison.names.inside(MemberKind::Value, of, value);
            TextOf::Value(declared(Namespace::Enum, of), value.to_owned())
        }
        TextOf::Operation(surface, name) => {
            let (surface, name) = operation(surface, name);
            TextOf::Operation(surface, name)
        }
        TextOf::Consequence(surface, name) => {
            let (surface, name) = operation(surface, name);
            TextOf::Consequence(surface, name)
        }
        TextOf::Surface(name) => {
            let mut surfaces = comparison.paired.surfaces.iter();
            let paired = surfaces.find(|surface| surface.old.name == *name);
            TextOf::Surface(paired.map_or(name, |surface| &surface.new.name).clone())
        }
        TextOf::Error(name) => {
            let mut errors = comparison.paired.errors.kept.iter();
            let paired = errors.find(|(old, _)| old.name.as_str() == name);
            TextOf::Error(paired.map_or(name.as_str(), |(_, new)| new.name.as_str()).to_owned())
        }
        TextOf::Credential(name) => {
            let now = credentials::renamed(comparison, name);
            TextOf::Credential(now.unwrap_or(name).to_owned())
        }
        // One text is of all members of this name.
        TextOf::Member(_) => of.clone(),
    }
}
