//! Which ids of a request a guard can look up: those that every request has.

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

    /// The parameters of the path that are ids of this resource.
    pub(crate) fn ids_in_path(&self, resource: &str) -> impl Iterator<Item = &Word> {
        let ids = self.path.iter().filter(move |(_, used)| is_id(used, resource));
        ids.map(|(name, _)| name)
    }

    /// The members of the body that are ids of this resource: declared by the body or taken from its resource, required,
    /// and not in a list or an object. The id of the body's own record is left out, since the record need not exist.
    pub(crate) fn ids_in_body<'s>(&'s self, spec: &'s Spec, resource: &str) -> Vec<&'s Word> {
        let Some(body) = self.body(spec).filter(|body| body.any.is_empty()) else {
            return Vec::new();
        };
        let record = body.resource.as_ref();
        let fields = record.and_then(|record| Some(&spec.resources.get(&record.text)?.fields));
        let is_own = |name: &Word| name.text == "id" && record.is_some_and(|record| record.text == resource);
        let is_taken = |name: &&Word| {
            let used = fields.and_then(|fields| fields.get(&name.text));
            used.is_some_and(|used| is_id(used, resource)) && !is_own(name)
        };
        let is_present = |used: &TypeUse| !used.optional && used.default.is_none();
        let taken = body.required.iter().filter(is_taken);
        let own = body.members.iter();
        let own = own.filter(|(_, used)| is_id(used, resource) && is_present(used));
        taken.chain(own.map(|(name, _)| name)).collect()
    }
}

fn is_id(used: &TypeUse, resource: &str) -> bool {
    !used.list && used.name.text.strip_suffix(".id") == Some(resource)
}
