//! Edits of named entries: renames and copies.

use super::contract::{Contract, Spot};
use super::edit::{Edit, Kind, Step};
use crate::mutations::random::Random;
use crate::mutations::yaml::Yaml;
use codegen::syntax::{Form, Name, Scalar};
use codegen::yaml::DESCRIBED;

/// The edits that rename the entries of a map or add a second one beside them.
pub(super) fn edits(
    contract: &Contract,
    names: Name,
    spot: &Spot,
    entries: &[(String, Yaml)],
    random: &mut Random,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut add = |kind, step| {
        edits.push(Edit {
            kind,
            section: spot.section,
            key: spot.key,
            path: spot.path.clone(),
            step,
        });
    };
    for (number, (name, _)) in entries.iter().enumerate() {
        add(
            Kind::RenamedEverywhere,
            Step::Rename(names, name.clone(), another(name)),
        );
        let mentions = mentions(contract, names, name).len();
        let copy = |mention| Step::Copy(names, spot.pointer.clone(), number, mention);
        add(Kind::EntryCopied, copy(random.below(mentions)));
    }
    edits
}

/// Another name in the same style as this one.
pub(super) fn another(name: &str) -> String {
    match name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('-') {
        true => format!("{name}Anew"),
        false => format!("{name}_anew"),
    }
}

/// Whether a scalar of this kind can hold a name of this kind.
fn may_name(scalar: Scalar, kind: Name) -> bool {
    let own = match scalar {
        Scalar::Name(name) => name == kind,
        Scalar::EnumValue => kind == Name::EnumValue,
        _ => false,
    };
    own || match kind {
        Name::Type | Name::Enum | Name::Object | Name::Input => {
            let is_input = kind == Name::Input && scalar == Scalar::Name(Name::Input);
            is_input || matches!(scalar, Scalar::TypeUse(_) | Scalar::TypeName | Scalar::NodePath)
        }
        Name::Resource => matches!(
            scalar,
            Scalar::TypeUse(_) | Scalar::TypeName | Scalar::NodePath | Scalar::Guard | Scalar::Name(Name::States)
        ),
        Name::View => matches!(scalar, Scalar::TypeUse(_) | Scalar::NodePath),
        Name::Field => matches!(
            scalar,
            Scalar::Name(Name::Field | Name::States)
                | Scalar::Source
                | Scalar::FieldPath
                | Scalar::Filter
                | Scalar::SortKey
                | Scalar::NodePath
        ),
        Name::Member => matches!(scalar, Scalar::Source | Scalar::Filter | Scalar::NodePath),
        Name::PathParameter => matches!(
            scalar,
            Scalar::Route | Scalar::Template | Scalar::Filter | Scalar::Name(Name::Sibling) | Scalar::NodePath
        ),
        Name::Parameter => matches!(
            scalar,
            Scalar::Route
                | Scalar::Constraint
                | Scalar::Filter
                | Scalar::Name(Name::Sibling | Name::Parameter)
                | Scalar::NodePath
        ),
        _ => scalar == Scalar::NodePath,
    }
}

/// The places that mention this name.
fn mentions<'c>(contract: &'c Contract, kind: Name, name: &str) -> Vec<&'c Spot> {
    let is_mention = |spot: &&Spot| {
        matches!(spot.form, Form::Scalar(scalar) if *scalar != Scalar::NodePath && may_name(*scalar, kind))
            && text_of(contract.tree.at(&spot.pointer)).is_some_and(|text| replaced(text, name, "") != text)
    };
    contract.spots.iter().filter(is_mention).collect()
}

fn text_of(node: &Yaml) -> Option<&str> {
    match node {
        Yaml::Text(text) => Some(described(text)),
        Yaml::List(items) => items.first().and_then(text_of),
        _ => None,
    }
}

/// A scalar without its description, which names nothing.
fn described(text: &str) -> &str {
    text.split_once(DESCRIBED).map_or(text, |(described, _)| described)
}

fn set(node: &mut Yaml, change: &impl Fn(&str) -> String) {
    match node {
        Yaml::Text(text) => {
            let end = described(text).len();
            text.replace_range(..end, &change(&text[..end]));
        }
        Yaml::List(items) => items.iter_mut().for_each(|item| set(item, change)),
        _ => {}
    }
}

/// Renames all declarations and mentions of this name.
pub(super) fn renamed(contract: &Contract, kind: Name, old: &str, new: &str) -> Yaml {
    let mut tree = contract.tree.clone();
    for spot in &contract.spots {
        let node = tree.at_mut(&spot.pointer);
        match (spot.form, node) {
            (Form::Scalar(scalar), node) if may_name(*scalar, kind) => set(node, &|text| replaced(text, old, new)),
            (Form::Map { names, .. }, Yaml::Map(entries)) => {
                let holds = *names == Name::States && matches!(kind, Name::Resource | Name::Field);
                for (name, _) in entries {
                    if *names == kind || holds {
                        *name = replaced(name, old, new);
                    }
                }
            }
            _ => {}
        }
    }
    tree
}

/// An endpoint with another resource at every mention of the old one.
pub(super) fn retargeted(contract: &Contract, endpoint: &Yaml, random: &mut Random) -> Vec<(Kind, Yaml)> {
    let resources = contract.names(Name::Resource);
    let with = |old: &String| {
        let new = random.of(resources);
        let mut changed = endpoint.clone();
        changed.each_text(&mut |text| {
            let end = described(text).len();
            text.replace_range(..end, &replaced(&text[..end], old, new));
        });
        (Kind::Retargeted, changed)
    };
    let changed = resources.iter().map(with);
    changed.filter(|(_, changed)| changed != endpoint).collect()
}

/// Copies an entry of a map behind the original; one of the mentions then names the copy.
pub(super) fn copied(contract: &Contract, kind: Name, map: &[usize], number: usize, mention: usize) -> Yaml {
    let mut tree = contract.tree.clone();
    let Yaml::Map(entries) = tree.at_mut(map) else {
        return tree;
    };
    let (name, mut value) = entries[number].clone();
    let new = another(&name);
    if kind == Name::Resource {
        value.each_text(&mut |text| *text = replaced(text, &format!("{name}.id"), &format!("{new}.id")));
    }
    if let Yaml::Map(keys) = &mut value {
        // Values that must be unique.
        for (key, value) in keys {
            if let (true, Yaml::Text(text)) = (is_own(kind, key), value) {
                text.push_str("-anew");
            }
        }
    }
    let mentions = mentions(contract, kind, &name);
    if let Some(spot) = mentions.get(mention) {
        set(tree.at_mut(&spot.pointer), &|text| replaced(text, &name, &new));
    }
    if let Yaml::Map(entries) = tree.at_mut(map) {
        entries.push((new, value));
    }
    tree
}

fn is_own(kind: Name, key: &str) -> bool {
    match kind {
        Name::Surface => key == "base",
        Name::Operation => matches!(key, "GET" | "POST" | "PUT" | "PATCH" | "DELETE"),
        Name::Credential => matches!(key, "header" | "prefix"),
        _ => false,
    }
}

/// Replaces a word in a text wherever it occurs as a whole word.
fn replaced(text: &str, old: &str, new: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut changed = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(old).filter(|_| !old.is_empty()) {
        let behind = &rest[at + old.len()..];
        let before = rest[..at].chars().next_back().or(changed.chars().next_back());
        let is_whole = !before.is_some_and(is_word) && !behind.starts_with(is_word);
        changed.push_str(&rest[..at]);
        changed.push_str(if is_whole { new } else { old });
        rest = behind;
    }
    changed + rest
}
