//! The declarations of a contract by name.

use crate::model::{Enum, Input, Kind, Model, NamedType, Object, Resource, TypeRule, View};
use std::collections::HashMap;

/// The declarations of a model, in hash maps.
pub(crate) struct Declared<'m> {
    pub(crate) types: HashMap<&'m str, &'m NamedType>,
    pub(crate) enums: HashMap<&'m str, &'m Enum>,
    pub(crate) objects: HashMap<&'m str, &'m Object>,
    pub(crate) inputs: HashMap<&'m str, &'m Input>,
    pub(crate) resources: HashMap<&'m str, &'m Resource>,
    /// Views, by resource and name.
    pub(crate) views: HashMap<(&'m str, &'m str), &'m View>,
}

impl<'m> Declared<'m> {
    pub(crate) fn from_model(model: &'m Model) -> Declared<'m> {
        let views = model.resources.iter().flat_map(|resource| {
            let views = resource.views.iter();
            views.map(|view| ((resource.name.as_str(), view.name.as_str()), view))
        });
        Declared {
            types: by_name(&model.types, |named| &named.name),
            enums: by_name(&model.enums, |one| &one.name),
            objects: by_name(&model.objects, |object| &object.name),
            inputs: by_name(&model.inputs, |input| &input.name),
            resources: by_name(&model.resources, |resource| &resource.name),
            views: views.collect(),
        }
    }

    /// The rule of a type, if it is a named one.
    pub(crate) fn rule(&self, kind: &Kind) -> Option<&'m TypeRule> {
        match kind {
            Kind::Named(name) => self.types.get(name.as_str()).map(|named| &named.rule),
            _ => None,
        }
    }
}

fn by_name<'m, T>(things: &'m [T], name: impl Fn(&'m T) -> &'m String) -> HashMap<&'m str, &'m T> {
    things.iter().map(|thing| (name(thing).as_str(), thing)).collect()
}
