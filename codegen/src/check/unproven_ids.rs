//! `unproven-id`: ids of owned resources in requests.

use super::lookup::find;
use super::rights::{IdUse, Stands, id_of, parent_field};
use super::routes::parameters;
use super::unguarded::is_needed;
use super::unproven::{Asked, OPEN};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{FilterBy, Guard, Resource, Word};

impl<'s> Asked<'_, 's> {
    pub(super) fn unproven_id(&self, id: &IdUse<'s>) -> Option<Diagnostic> {
        let resource = id.resource;
        if !self.belongings.holds(resource) {
            return self.other_caller(id).or_else(|| self.elsewhere(id));
        }
        let is_proven = match id.stands {
            // Query parameters that a filter compares are checked as part of the list.
            Stands::Query => self.is_filtered_by(id.name),
            Stands::Path | Stands::Body => id.is_found && self.proven.contains(resource),
        };
        if is_proven || self.is_asked_for(id) {
            return None;
        }
        let (who, verb) = (self.who(), self.verb());
        let message = format!(
            "{who} can {verb} any `{resource}` by `{}`, even one of another owner",
            id.name.text
        );
        let diagnostic = Diagnostic::new(Rule::UnprovenId, id.at, message).help(self.mend_id(id));
        Some(if id.at == id.name.at || id.stands != Stands::Body {
            diagnostic
        } else {
            diagnostic.related(id.name.at, "its member")
        })
    }

    /// The id of another account in a request that changes or creates something.
    fn other_caller(&self, id: &IdUse<'s>) -> Option<Diagnostic> {
        let is_other = self.caller == Some(id.resource) && id.stands == Stands::Path && !self.operation.is_read();
        is_other.then(|| {
            let message = format!("any `{0}` can {1} any other `{0}` here", id.resource, self.verb());
            let help = format!("remove the id from the path (the handler knows the caller), or {OPEN}");
            Diagnostic::new(Rule::UnprovenId, id.at, message).help(help)
        })
    }

    /// An unowned resource whose path has a parent that it need not belong to.
    fn elsewhere(&self, id: &IdUse<'s>) -> Option<Diagnostic> {
        let (spec, endpoint, resource) = (self.operation.spec, self.operation.endpoint, id.resource);
        let is_guard = |of: &str, within: Option<&str>| {
            endpoint.guards.iter().any(|guard| {
                matches!(guard, Guard::Exists { resource, parent }
                    if resource.text == of && parent.as_ref().map(|parent| parent.text.as_str()) == within)
            })
        };
        if id.stands != Stands::Path || !is_guard(resource, None) {
            return None;
        }
        let mut before = parameters(&endpoint.route.text).take_while(|name| *name != id.name.text);
        let (outer, parent) = before.find_map(|name| {
            let parent = id_of(find(&endpoint.path, name)?)?;
            let fields = &find(&spec.resources, resource)?.fields;
            let field = find(fields, &parent_field(spec, resource, parent)?.text)?;
            // The reverse relation has been reported already.
            let is_it = !field.optional && !is_guard(parent, Some(resource));
            is_it.then_some((name, parent))
        })?;
        let message = format!(
            "the `{resource}` of `:{}` may belong to another `{parent}` than that of `:{outer}`",
            id.name.text
        );
        let help = format!("write `exists {resource} in {parent}`, or {OPEN}");
        Some(Diagnostic::new(Rule::UnprovenId, id.at, message).help(help))
    }

    /// Whether another rule requires the guard: `guard-private`, or a rule that needs the resource to be found.
    fn is_asked_for(&self, id: &IdUse<'s>) -> bool {
        let is_private = |resource: &Resource| resource.private && !resource.owner.is_empty();
        let exists = self.operation.existing().any(|existing| existing.text == id.resource);
        id.is_found
            && match exists {
                true => {
                    self.caller.is_some() && find(&self.operation.spec.resources, id.resource).is_some_and(is_private)
                }
                false => is_needed(self.operation, id.resource),
            }
    }

    fn mend_id(&self, id: &IdUse<'s>) -> String {
        let (spec, resource) = (self.operation.spec, id.resource);
        if !id.is_found || self.operation.ids_of(resource).len() > 1 {
            return format!(
                "a guard looks up one id of each resource, in the path or in a member of the body: name it \
                 there, or {OPEN}"
            );
        }
        let Some(caller) = self.caller else {
            return format!("this surface has no credential, so no caller can be its owner: {OPEN}");
        };
        let is_owner = |name: &str| find(&spec.resources, name).is_some_and(|of| find(&of.owner, caller).is_some());
        let exists = match self.operation.existing().any(|existing| existing.text == resource) {
            true => String::new(),
            false => format!("`exists {resource}` and "),
        };
        if is_owner(resource) {
            return format!("add {exists}`owner {resource}` to `guards`, or {OPEN}");
        }
        let parents = self.belongings.parents(spec, resource);
        let named = |parent: &&&str| self.ids.iter().any(|id| id.resource == **parent && id.is_found);
        match parents.iter().find(named).or(parents.first()) {
            Some(parent) if self.proven.contains(parent) => {
                format!("look it up in its proven parent, `exists {resource} in {parent}`, or {OPEN}")
            }
            Some(parent) if is_owner(parent) => format!(
                "look it up in a `{parent}` that the caller owns, `exists {parent}, exists {resource} in {parent}, \
                 owner {parent}`, or {OPEN}"
            ),
            Some(parent) => format!("look it up in a proven `{parent}`, or {OPEN}"),
            None => format!("a `{caller}` does not own a `{resource}`: {OPEN}"),
        }
    }

    /// Whether a filter of a list of owned resources compares this parameter.
    fn is_filtered_by(&self, name: &Word) -> bool {
        let endpoint = self.operation.endpoint;
        let listed = super::success::listed(endpoint).and_then(|view| view.text.split_once('.'));
        let is_compared =
            |by: &FilterBy| matches!(by, FilterBy::Parameter(parameter, _) if parameter.text == name.text);
        listed.is_some_and(|(resource, _)| self.belongings.holds(resource))
            && endpoint.filters.iter().any(|filter| is_compared(&filter.by))
    }

    fn verb(&self) -> &'static str {
        match self.operation.endpoint.method.text.as_str() {
            "GET" => "read",
            "POST" => "use",
            _ => "change",
        }
    }
}
