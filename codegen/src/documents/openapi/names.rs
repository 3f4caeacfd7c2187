//! What is a component, and what components are called: by the contract's own words, the same in every document of it.

use crate::model::{Data, Kind, Model, Type, TypeRule};
use crate::names::{Made, pascal};
use std::collections::{BTreeMap, BTreeSet};

/// A part of the contract whose schema is a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Type(String, Form),
    Enum(String),
    Object(String, Form),
    Input(String),
    /// A resource's view.
    View(String, String),
    /// The id of a resource.
    Id(String),
    Timestamp,
    Flag,
    /// Every error's body.
    Error,
}

/// Who says it: what a client may leave out, an answer has; what a client may not add, an answer may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// In a request.
    Sent,
    /// In an answer.
    Shown,
}

/// The names of all components that a contract can have.
pub(super) struct Names<'m> {
    model: &'m Model,
    by_part: BTreeMap<Part, String>,
}

impl<'m> Names<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut names = Self {
            model,
            by_part: BTreeMap::new(),
        };
        let mut taken = BTreeSet::new();
        for (part, wanted) in wanted(model) {
            let name = free(&wanted, &taken);
            taken.insert(name.to_lowercase());
            names.by_part.insert(part, name);
        }
        names
    }

    pub(super) fn name(&self, part: &Part) -> &str {
        self.by_part.get(part).expect("every part of the model has a name")
    }

    /// The part of this name.
    pub(super) fn part(&self, name: &str) -> &Part {
        let mut parts = self.by_part.iter();
        let found = parts.find(|(_, known)| *known == name);
        found.map(|(part, _)| part).expect("references name components")
    }

    /// The named type; both forms are one where they are the same.
    pub(super) fn named(&self, name: &str, form: Form) -> Part {
        let differs = differs(self.model, &Kind::Named(name.to_owned()));
        Part::Type(name.to_owned(), if differs { form } else { Form::Shown })
    }

    /// The object; both forms are one where they are the same.
    pub(super) fn object(&self, name: &str, form: Form) -> Part {
        let differs = differs(self.model, &Kind::Object(name.to_owned()));
        Part::Object(name.to_owned(), if differs { form } else { Form::Shown })
    }
}

/// A name that is not taken, whatever the size of its letters: file systems and languages do not always tell them apart.
fn free(wanted: &str, taken: &BTreeSet<String>) -> String {
    let others = (2..).map(|number| format!("{wanted}{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(others);
    let name = names.find(|name| !taken.contains(&name.to_lowercase()));
    name.expect("there is always another number")
}

/// Every part with the name that it would have. Who comes first gets it.
fn wanted(model: &Model) -> Vec<(Part, String)> {
    let shown = shown(model);
    let sent_name = |name: &str, kind: &Kind| {
        let also_shown = shown.contains(name) && differs(model, kind);
        pascal(name) + if also_shown { "Input" } else { "" }
    };
    let mut wanted: Vec<(Part, String)> = vec![(Part::Error, "Error".to_owned())];
    for resource in &model.resources {
        let (name, views) = (&resource.name, &resource.views);
        wanted.push((Part::Id(name.clone()), Made::Id(name).name()));
        wanted.extend(views.iter().map(|view| {
            let part = Part::View(name.clone(), view.name.clone());
            (part, Made::View(name, &view.name).name())
        }));
    }
    wanted.extend(
        model
            .enums
            .iter()
            .map(|one| (Part::Enum(one.name.clone()), one.name.clone())),
    );
    wanted.extend(
        model
            .inputs
            .iter()
            .map(|input| (Part::Input(input.name.clone()), input.name.clone())),
    );
    for object in &model.objects {
        let (name, kind) = (&object.name, Kind::Object(object.name.clone()));
        let sent = sent_name(name, &kind);
        if sent != *name || shown.contains(name.as_str()) || !differs(model, &kind) {
            wanted.push((Part::Object(name.clone(), Form::Shown), name.clone()));
        }
        wanted.push((Part::Object(name.clone(), Form::Sent), sent));
    }
    for named in &model.types {
        let (name, kind) = (&named.name, Kind::Named(named.name.clone()));
        let sent = sent_name(name, &kind);
        if sent != pascal(name) || shown.contains(name.as_str()) || !differs(model, &kind) {
            wanted.push((Part::Type(name.clone(), Form::Shown), pascal(name)));
        }
        wanted.push((Part::Type(name.clone(), Form::Sent), sent));
    }
    wanted.push((Part::Timestamp, "Timestamp".to_owned()));
    wanted.push((Part::Flag, "Flag".to_owned()));
    let differing = |part: &Part| match part {
        Part::Type(name, Form::Sent) => differs(model, &Kind::Named(name.clone())),
        Part::Object(name, Form::Sent) => differs(model, &Kind::Object(name.clone())),
        _ => true,
    };
    wanted.retain(|(part, _)| differing(part));
    wanted
}

/// Whether it is another thing in a request than in an answer: what is an object, or a list of some.
fn differs(model: &Model, kind: &Kind) -> bool {
    match kind {
        Kind::Object(_) => true,
        Kind::Named(name) => match &model.named_type(name).rule {
            TypeRule::List { of, .. } => differs(model, &of.kind),
            _ => false,
        },
        _ => false,
    }
}

/// The named types and objects that answers hold.
fn shown(model: &Model) -> BTreeSet<&str> {
    let views = model.resources.iter().flat_map(|resource| &resource.views);
    let of_views = views.flat_map(|view| &view.members).map(|member| &member.of);
    let operations = model.surfaces.iter().flat_map(|surface| &surface.operations);
    let of_answers = operations.flat_map(|operation| match &operation.data {
        Some(Data::Members(members)) => members.iter().map(|member| &member.of).collect(),
        _ => Vec::new(),
    });
    let mut open: Vec<&Type> = of_views.chain(of_answers).collect();
    let mut seen = BTreeSet::new();
    while let Some(of) = open.pop() {
        match &of.kind {
            Kind::Object(name) if seen.insert(name.as_str()) => {
                open.extend(model.object(name).members.iter().map(|member| &member.of));
            }
            Kind::Named(name) if seen.insert(name.as_str()) => {
                if let TypeRule::List { of, .. } = &model.named_type(name).rule {
                    open.push(of);
                }
            }
            _ => {}
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_once_whatever_the_size_of_its_letters() {
        let taken = BTreeSet::from(["plan".to_owned(), "plan2".to_owned()]);
        assert_eq!(free("Plan", &taken), "Plan3");
        assert_eq!(free("Planet", &taken), "Planet");
    }
}
