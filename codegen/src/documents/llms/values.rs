//! The values of members and parameters: named types, enumerations, objects, named bodies.

use super::used::Used;
use super::{notation, sentence, together};
use crate::documents::shared::selection::Selection;
use crate::documents::shared::words;
use crate::model::{Enum, Input, NamedType, Node, Object};

pub(super) fn section(part: &Selection<'_>, used: &Used<'_>) -> String {
    let model = part.model;
    let types = model.types.iter().filter(|one| used.has(Node::Type(&one.name)));
    let enums = model.enums.iter().filter(|one| used.has_enum(one));
    let objects = model.objects.iter().filter(|one| used.has(Node::Object(&one.name)));
    let inputs = model.inputs.iter().filter(|one| used.has(Node::Input(&one.name)));
    let lines = types.map(named).chain(enums.map(enumeration));
    let lines = lines.chain(objects.map(object)).chain(inputs.map(input));
    super::section("Values", &lines.collect::<Vec<_>>())
}

fn named(named: &NamedType) -> String {
    let allowed = sentence(&notation::allowed(named));
    let doc = named.doc.as_deref();
    format!(
        "- `{}`: {}",
        named.name,
        together(&[&allowed, &sentence(doc.unwrap_or_default())])
    )
}

fn enumeration(one: &Enum) -> String {
    // For a part of an enumeration, the whole describes the values.
    let is_told = one.part_of.is_none() && one.values.iter().all(|value| one.doc(value).is_some());
    let values = if is_told {
        let docs = one
            .values
            .iter()
            .map(|value| format!("`{value}`: {}", sentence(one.doc(value).unwrap_or_default())));
        docs.collect::<Vec<_>>().join(" ")
    } else {
        words::listed(&one.values, "or") + "."
    };
    let states = one.states.as_ref().map(words::states);
    together(&[&format!("- `{}`:", one.name), &values, &states.unwrap_or_default()])
}

fn object(object: &Object) -> String {
    let line = format!("- `{}`: `{{ {} }}`.", object.name, notation::members(&object.members));
    let docs = object.members.iter();
    let docs = docs.filter_map(|member| Some(format!("`{}`: {}", member.name, sentence(member.doc.as_deref()?))));
    together(&[&line, &docs.collect::<Vec<_>>().join(" ")])
}

fn input(input: &Input) -> String {
    format!("- `{}`: `{{ {} }}`.", input.name, notation::body(&input.body))
}
