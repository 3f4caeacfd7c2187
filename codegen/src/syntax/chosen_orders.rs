//! What `sort` declares if the client chooses the order: a parameter, and the enum of its values.

use super::endpoints::{Data, Endpoint};
use super::enums::EnumDef;
use super::expressions::TypeUse;
use super::file::Spec;
use super::sorting::enum_of_orders;
use crate::span::Word;

/// Declares the parameters with which clients choose orders, and the enums of these. One that cannot be is reported by
/// [`crate::check`].
pub(super) fn add_orders(spec: &mut Spec) {
    let mut enums: Vec<(Word, EnumDef)> = Vec::new();
    let endpoints = spec
        .surfaces
        .iter_mut()
        .flat_map(|(_, surface)| surface.endpoints.iter_mut());
    for (_, endpoint) in endpoints {
        let (Some(resource), Some(chosen)) = (listed(endpoint), &endpoint.sort.chosen) else {
            continue;
        };
        let Some((first, _)) = chosen.orders.first() else {
            continue;
        };
        let name = Word {
            text: enum_of_orders(&resource),
            at: chosen.by.at,
        };
        let parameter = TypeUse {
            name: name.clone(),
            list: false,
            optional: false,
            default: Some(first.clone()),
            origin: None,
            doc: Some(Word {
                text: "The order of the list.".to_owned(),
                at: chosen.by.at,
            }),
        };
        let values: Vec<Word> = chosen.orders.iter().map(|(order, _)| order.clone()).collect();
        let known = enums.iter().find(|(other, _)| other.text == name.text);
        let is_of_others = known.is_some_and(|(_, of)| !of.values.iter().eq(&values));
        if known.is_none() {
            let of = EnumDef {
                is_of_orders: true,
                values,
                ..EnumDef::default()
            };
            enums.push((name, of));
        }
        if !is_of_others && endpoint.query.get(&chosen.by.text).is_none() {
            let by = chosen.by.clone();
            endpoint.query = endpoint.query.iter().cloned().chain([(by, parameter)]).collect();
        }
    }
    enums.retain(|(name, _)| spec.enums.get(&name.text).is_none());
    spec.enums = spec.enums.iter().cloned().chain(enums).collect();
}

/// The resource that an endpoint lists.
fn listed(endpoint: &Endpoint) -> Option<String> {
    let Some(Data::View(used)) = &endpoint.success.data else {
        return None;
    };
    let (resource, _) = used.name.text.split_once('.')?;
    used.list.then(|| resource.to_owned())
}
