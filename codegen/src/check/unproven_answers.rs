//! `unproven-answer`: owned resources in answers.

use super::lookup::{TypeTarget, entry, field, find, type_target};
use super::rights::{Stands, id_of, lies_in, parent_field};
use super::unproven::{Asked, OPEN};
use crate::diagnostic::{Diagnostic, Rule};
use crate::matching::Matching;
use crate::syntax::{Data, FilterBy, Resource, TypeUse, Word};
use std::collections::HashSet;

impl<'s> Asked<'_, 's> {
    pub(super) fn unproven_answer(&self) -> Option<Diagnostic> {
        let Some(Data::View(shown)) = &self.operation.endpoint.success.data else {
            return None;
        };
        let (name, _) = shown.name.text.split_once('.')?;
        let (declared, resource) = entry(&self.operation.spec.resources, name)?;
        let is_own = !shown.list && (self.caller == Some(name) || self.makes()) && !self.is_named(name);
        let is_proven = match shown.list {
            true => self.is_bound(resource),
            false => self.is_always_proven(name) || is_own,
        };
        if self.belongings.holds(name) && !is_proven {
            return Some(self.shown_to_others(shown, (declared, resource)));
        }
        // Resources that belong to the caller's resources are the caller's. So is the caller's own record.
        let is_proven = self.belongings.holds(name) || is_own;
        self.embedded(shown, is_proven)
    }

    fn shown_to_others(&self, shown: &TypeUse, (name, resource): (&Word, &Resource)) -> Diagnostic {
        let (name, spec) = (&name.text, self.operation.spec);
        let owner = self.caller.and_then(|caller| find(&resource.owner, caller));
        let (message, help) = if shown.list {
            let message = format!("{} can see every `{name}`, including those of other owners", self.who());
            let in_path = self.ids.iter().filter(|id| id.stands == Stands::Path);
            let proven = in_path.filter(|id| self.proven.contains(id.resource));
            let within = proven.filter_map(|id| Some((id.name, parent_field(spec, name, id.resource)?)));
            let mut within =
                within.map(|(id, field)| format!("add `{} = {}` to `filters`, or {OPEN}", id.text, field.text));
            let own = owner.map(|owner| format!("add `$caller = {}` to `filters`, or {OPEN}", owner.text));
            let other = || format!("filter it by the caller, or by a proven parent in the path, or {OPEN}");
            (message, within.next().or(own).unwrap_or_else(other))
        } else {
            let message = format!("nothing proves that the caller owns the `{name}` that is shown");
            let help = match owner {
                Some(_) => format!("add `exists {name}, owner {name}` with its id in the request, or {OPEN}"),
                None => format!("look it up in a proven parent, or {OPEN}"),
            };
            (message, help)
        };
        Diagnostic::new(Rule::UnprovenAnswer, shown.name.at, message).help(help)
    }

    /// Rows of other resources in a view. They are proven if they belong to a proven resource or are its proven parent.
    fn embedded(&self, shown: &'s TypeUse, is_proven: bool) -> Option<Diagnostic> {
        let spec = self.operation.spec;
        let mut seen = HashSet::from([(shown.name.text.as_str(), is_proven)]);
        let mut waiting: Vec<(&str, bool)> = seen.iter().copied().collect();
        while let Some((view, is_proven)) = waiting.pop() {
            let Some((name, view)) = view.split_once('.') else {
                continue;
            };
            let resource = find(&spec.resources, name)?;
            let members = find(&resource.views, view).into_iter().flatten();
            let sources = members.filter_map(|member| field(resource, &member.source.text));
            for used in sources.filter(|used| matches!(type_target(spec, &used.name.text), TypeTarget::View)) {
                let inner = used.name.text.split_once('.').map_or("", |(inner, _)| inner);
                let is_parent = !used.list && self.is_always_proven(inner) && lies_in(spec, name, inner);
                let is_inside = is_proven && (lies_in(spec, inner, name) || is_parent);
                if self.belongings.holds(inner) && !is_inside {
                    let message =
                        format!("the response contains a `{inner}`, and nothing proves that the caller owns it");
                    let help = format!(
                        "leave it out, let it belong to a record that is proven to be the caller's, or \
                        {OPEN}"
                    );
                    let diagnostic = Diagnostic::new(Rule::UnprovenAnswer, shown.name.at, message).help(help);
                    return Some(diagnostic.related(used.name.at, "contained here"));
                }
                let next = (used.name.text.as_str(), is_inside);
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        None
    }

    /// Whether a filter restricts the list to rows of the caller or of a proven parent. A filter that
    /// has another diagnostic counts, because its correction may be such a restriction.
    fn is_bound(&self, resource: &Resource) -> bool {
        let endpoint = self.operation.endpoint;
        endpoint.filters.iter().any(|filter| {
            let compared = &filter.field.text;
            let Some(used) = field(resource, compared) else {
                return !compared.contains('.');
            };
            match &filter.by {
                FilterBy::Caller(_) => {
                    let is_caller = |used: &TypeUse| id_of(used) == self.caller;
                    let owner = self.caller.and_then(|caller| find(&resource.owner, caller));
                    let is_owner =
                        |owner: &Word| owner.text == *compared || !field(resource, &owner.text).is_some_and(is_caller);
                    !is_caller(used) || owner.is_none_or(is_owner)
                }
                FilterBy::Parameter(name, Matching::Equal) => match find(&endpoint.path, &name.text).and_then(id_of) {
                    Some(parent) => self.proven.contains(parent) && !used.list && id_of(used) == Some(parent),
                    None => find(&endpoint.query, &name.text).is_none(),
                },
                _ => false,
            }
        })
    }

    /// Whether ownership is proven in every request: no guard proves it of an id that is absent.
    fn is_always_proven(&self, resource: &str) -> bool {
        self.proven.contains(resource) && self.operation.optional_id(resource).is_none()
    }

    fn is_named(&self, resource: &str) -> bool {
        self.ids.iter().any(|id| id.resource == resource)
    }

    /// Whether the answer may show a resource that the request has created.
    fn makes(&self) -> bool {
        matches!(self.operation.endpoint.method.text.as_str(), "POST" | "PUT")
    }
}
