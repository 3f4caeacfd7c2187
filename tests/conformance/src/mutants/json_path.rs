//! Places in JSON: the members of a type at any depth, and the values of a document at such a place.

use crate::contract::Operation;
use crate::types::{Member, Type};
use serde_json::{Map, Value as Json};

/// A step on the way to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathSegment {
    /// Into this member.
    Member(&'static str),
    /// Into each item.
    Each,
}

/// The path to a member or an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonPath(pub(crate) Vec<PathSegment>);

impl JsonPath {
    /// The place of the `data` in successes of an operation.
    pub(crate) fn of_data(operation: &Operation) -> Self {
        let member = operation.contract.model.data_member(operation.declared);
        member.map_or_else(Self::default, |name| Self::default().member(name))
    }

    pub(crate) fn member(&self, name: &'static str) -> Self {
        self.then(PathSegment::Member(name))
    }

    pub(crate) fn each(&self) -> Self {
        self.then(PathSegment::Each)
    }

    fn then(&self, step: PathSegment) -> Self {
        Self(self.0.iter().copied().chain([step]).collect())
    }

    /// The name of the innermost member.
    pub(crate) fn last(&self) -> &'static str {
        let named = self.0.iter().rev().find_map(|step| match step {
            PathSegment::Member(name) => Some(*name),
            PathSegment::Each => None,
        });
        named.unwrap_or_default()
    }

    /// Calls `visit` with each value here.
    pub(crate) fn values(&self, json: &mut Json, visit: &mut dyn FnMut(&mut Json)) {
        values(&self.0, json, visit);
    }

    /// Calls `visit` with each object that has, or could have, the member here.
    pub(crate) fn holders(&self, json: &mut Json, visit: &mut dyn FnMut(&mut Map<String, Json>)) {
        let Some((PathSegment::Member(_), holder)) = self.0.split_last() else {
            return;
        };
        values(holder, json, &mut |value| {
            if let Json::Object(members) = value {
                visit(members);
            }
        });
    }

    /// Whether any value here matches.
    pub(crate) fn any(&self, json: &Json, is_wanted: impl Fn(&Json) -> bool) -> bool {
        let mut found = false;
        self.values(&mut json.clone(), &mut |value| found |= is_wanted(value));
        found
    }
}

impl std::fmt::Display for JsonPath {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                PathSegment::Member(name) => write!(out, "{}{name}", if index == 0 { "" } else { "." })?,
                PathSegment::Each => write!(out, "[]")?,
            }
        }
        Ok(())
    }
}

fn values(way: &[PathSegment], json: &mut Json, visit: &mut dyn FnMut(&mut Json)) {
    match (way.split_first(), json) {
        (None, json) => visit(json),
        (Some((PathSegment::Member(name), rest)), Json::Object(members)) => {
            if let Some(value) = members.get_mut(*name) {
                values(rest, value, visit);
            }
        }
        (Some((PathSegment::Each, rest)), Json::Array(items)) => {
            for item in items {
                values(rest, item, visit);
            }
        }
        _ => {}
    }
}

/// All members of a type, including those of inner objects.
pub(crate) fn members(of: &'static Type, at: &JsonPath) -> Vec<(JsonPath, &'static Member)> {
    match of {
        Type::Object(own) => own
            .iter()
            .flat_map(|member| {
                let here = at.member(member.name);
                let within = members(member.of, &here);
                std::iter::once((here, member)).chain(within)
            })
            .collect(),
        Type::List { of, .. } => members(of, &at.each()),
        _ => Vec::new(),
    }
}

/// All objects of a type, including itself.
pub(crate) fn objects(of: &'static Type, at: &JsonPath) -> Vec<(JsonPath, &'static [Member])> {
    match of {
        Type::Object(own) => std::iter::once((at.clone(), *own))
            .chain(
                own.iter()
                    .flat_map(|member| objects(member.of, &at.member(member.name))),
            )
            .collect(),
        Type::List { of, .. } => objects(of, &at.each()),
        _ => Vec::new(),
    }
}

/// All values of a type that are not objects, with the place of each and whether it may be null.
pub(crate) fn leaves(of: &'static Type, at: &JsonPath) -> Vec<(JsonPath, &'static Type)> {
    match of {
        Type::Object(own) => own
            .iter()
            .flat_map(|member| leaves(member.of, &at.member(member.name)))
            .collect(),
        Type::List { of: item, .. } => std::iter::once((at.clone(), of))
            .chain(leaves(item, &at.each()))
            .collect(),
        _ => vec![(at.clone(), of)],
    }
}
