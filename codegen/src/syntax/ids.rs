//! Which ids of a request a guard can look up.

use super::bodies::{Body, BodyUse};
use super::endpoints::Endpoint;
use super::expressions::TypeUse;
use super::file::Spec;
use crate::span::Word;

impl Endpoint {
    /// Its body, named or inline; `None` without one, or if its name is not declared.
    pub(crate) fn body<'s>(&'s self, spec: &'s Spec) -> Option<&'s Body> {
        match self.body.as_ref()? {
            BodyUse::Named(name) => spec.inputs.get(&name.text),
            BodyUse::Inline(body) => Some(body),
        }
    }

    /// The ids of a resource that a guard can look up: those that every request has, in the path or in the body itself.
    /// If there are none, those that the body may lack.
    pub(crate) fn guarded_ids<'s>(&'s self, spec: &'s Spec, resource: &str) -> GuardedIds<'s> {
        let in_body = self.ids_in_body(spec, resource);
        let names_of = |is_optional: bool| in_body.iter().filter(move |id| id.1 == is_optional).map(|id| id.0);
        let present: Vec<&Word> = self.ids_in_path(resource).chain(names_of(false)).collect();
        match present.is_empty() {
            true => GuardedIds {
                names: names_of(true).collect(),
                are_optional: true,
            },
            false => GuardedIds {
                names: present,
                are_optional: false,
            },
        }
    }

    /// The parameters of the path that are ids of this resource.
    pub(crate) fn ids_in_path(&self, resource: &str) -> impl Iterator<Item = &Word> {
        let ids = self.path.iter().filter(move |(_, used)| is_id(used, resource));
        ids.map(|(name, _)| name)
    }

    /// The members of the body that are ids of this resource, not in a list or an object, and whether a request may lack
    /// them. The id of the body's own record is left out, since the record need not exist.
    fn ids_in_body<'s>(&'s self, spec: &'s Spec, resource: &str) -> Vec<(&'s Word, bool)> {
        let Some(body) = self.body(spec) else {
            return Vec::new();
        };
        let record = body.resource.as_ref();
        let fields = record.and_then(|record| Some(&spec.resources.get(&record.text)?.fields));
        let is_own = |name: &Word| name.text == "id" && record.is_some_and(|record| record.text == resource);
        let with_field = |name: &'s Word| Some((name, fields?.get(&name.text)?));
        let taken = |names: &'s [Word]| names.iter().filter(|name| !is_own(name)).filter_map(with_field);
        let required = taken(&body.required).map(|(name, used)| (name, used, false));
        let own = body.members.iter().map(|(name, used)| (name, used));
        let others = own.chain(taken(&body.optional)).chain(taken(&body.any));
        let others = others.map(|(name, used)| (name, used, used.optional || !body.any.is_empty()));
        // A member with a default has a value in every request, and no guard looks up the default.
        let ids = required.chain(others.filter(|(_, used, _)| used.default.is_none()));
        let ids = ids.filter(|(_, used, _)| is_id(used, resource));
        ids.map(|(name, _, is_optional)| (name, is_optional)).collect()
    }
}

/// The ids of one resource that a guard can look up.
pub(crate) struct GuardedIds<'s> {
    pub(crate) names: Vec<&'s Word>,
    /// Whether a request may lack them.
    pub(crate) are_optional: bool,
}

fn is_id(used: &TypeUse, resource: &str) -> bool {
    !used.list && used.name.text.strip_suffix(".id") == Some(resource)
}
