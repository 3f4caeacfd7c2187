//! Resolves surfaces and their operations.

use super::Resolver;
use super::lists::pages;
use super::words::{known, small, status, text, texts, whole};
use crate::model::{BodyUse, Data, Exists, IdSource, Operation, Places, Segment, Span, Surface};
use crate::syntax::{self, Guard, Word};

impl Resolver<'_> {
    pub(super) fn surface(&self, name: &Word, surface: &syntax::Surface) -> Surface {
        Surface {
            name: text(name),
            doc: surface.doc.as_ref().map(text),
            base: surface.base.text.trim_end_matches('/').to_owned(),
            credential: surface.credential.as_ref().map(text),
            limits: texts(&surface.limits),
            operations: surface
                .endpoints
                .iter()
                .map(|(name, of)| self.operation(surface, name, of))
                .collect(),
            at: name.at,
        }
    }

    fn operation(&self, surface: &syntax::Surface, name: &Word, endpoint: &syntax::Endpoint) -> Operation {
        let success = &endpoint.success;
        Operation {
            name: text(name),
            doc: endpoint.doc.as_ref().map(text),
            method: text(&endpoint.method),
            route: text(&endpoint.route),
            segments: segments(&endpoint.route.text),
            path: self.fields(&endpoint.path),
            query: self.fields(&endpoint.query),
            constraints: endpoint
                .constraints
                .iter()
                .map(|(lower, upper)| (text(lower), text(upper)))
                .collect(),
            sort: endpoint.sort.iter().map(|word| sort_key(&word.text)).collect(),
            filters: self.filters(endpoint),
            pages: endpoint.pages.as_ref().map(pages),
            body: endpoint.body.as_ref().map(|body| match body {
                syntax::BodyUse::Named(name) => BodyUse::Named(text(name)),
                syntax::BodyUse::Inline(body) => BodyUse::Inline(self.body(body)),
            }),
            max_bytes: whole(endpoint.max_bytes.unwrap_or(self.spec.api.body.max_bytes)),
            waits_at_once: endpoint.waits_at_once.map(small),
            limit: self.limit(surface, &endpoint.method.text),
            plan: plan(&endpoint.guards),
            exists: endpoint
                .guards
                .iter()
                .filter_map(|guard| self.exists(endpoint, guard))
                .collect(),
            owned: owned(&endpoint.guards),
            open: endpoint.open.as_ref().map(text),
            quota: endpoint.quota.as_ref().map(text),
            transitions: endpoint.transitions.as_ref().map(|place| self.transitions(place)),
            effects: Vec::new(),
            undeclared: endpoint.undeclared.as_ref().map(text),
            rules: texts(&endpoint.errors),
            status: success.status.map_or(200, status),
            data: success.data.as_ref().map(|data| self.data(data)),
            answers: Vec::new(),
            message: success.message.as_ref().map(text),
            siblings: texts(&success.siblings),
            places: self.places(endpoint),
            at: name.at,
        }
    }

    fn places(&self, endpoint: &syntax::Endpoint) -> Places {
        let own_bound = endpoint.max_bytes.unwrap_or(self.spec.api.body.max_bytes);
        let lowers = endpoint.constraints.iter().map(|(lower, _)| lower.at);
        Places {
            method: endpoint.method.at,
            constraints: lowers.collect(),
            max_bytes: own_bound.at,
            plan: places(endpoint, |guard| matches!(guard, Guard::Plan(_))).next(),
            exists: places(endpoint, |guard| matches!(guard, Guard::Exists { .. })).collect(),
            owned: places(endpoint, |guard| matches!(guard, Guard::Owner(_))).collect(),
            quota: endpoint.quota.as_ref().map(|word| word.at),
            transitions: endpoint.transitions.as_ref().map(|word| word.at),
            rules: endpoint.errors.iter().map(|word| word.at).collect(),
        }
    }

    fn transitions(&self, place: &Word) -> (String, String) {
        let parts = place.text.split_once('.');
        let (resource, field) = parts.expect("checked: transitions name Resource.field");
        (resource.to_owned(), self.enum_of(resource, field))
    }

    fn limit(&self, surface: &syntax::Surface, method: &str) -> Option<String> {
        surface
            .limits
            .iter()
            .find(|name| {
                known(&self.spec.limits, &name.text)
                    .methods
                    .iter()
                    .any(|word| word.text == method)
            })
            .map(text)
    }

    fn exists(&self, endpoint: &syntax::Endpoint, guard: &Guard) -> Option<Exists> {
        let Guard::Exists { resource, parent } = guard else {
            return None;
        };
        let id = format!("{}.id", resource.text);
        let in_path = endpoint.path.iter().find(|(_, used)| used.name.text == id);
        let source = match in_path {
            Some((name, _)) => IdSource::Path(text(name)),
            None => IdSource::Body(self.body_id(endpoint, &id)),
        };
        let parent = parent.as_ref().map(|parent| {
            let id = format!("{}.id", parent.text);
            let fields = &known(&self.spec.resources, &resource.text).fields;
            let field = fields.iter().find(|(_, used)| used.name.text == id);
            (text(parent), text(&field.expect("checked: the parent has a field").0))
        });
        Some(Exists {
            resource: text(resource),
            id: source,
            parent,
        })
    }

    fn body_id(&self, endpoint: &syntax::Endpoint, id: &str) -> String {
        let body = match endpoint.body.as_ref().expect("checked: the guard has a target") {
            syntax::BodyUse::Named(name) => known(&self.spec.inputs, &name.text),
            syntax::BodyUse::Inline(body) => body,
        };
        let member = body.members.iter().find(|(_, used)| used.name.text == id);
        text(&member.expect("checked: the guard has a target").0)
    }

    fn data(&self, data: &syntax::Data) -> Data {
        match data {
            syntax::Data::Members(members) => Data::Members(self.fields(members)),
            syntax::Data::View(used) => {
                let (resource, view) = used
                    .name
                    .text
                    .split_once('.')
                    .expect("checked: data names Resource.view");
                let (resource, view) = (resource.to_owned(), view.to_owned());
                if used.list {
                    Data::Many { resource, view }
                } else {
                    Data::One { resource, view }
                }
            }
        }
    }
}

/// The positions of the guards of one kind.
fn places(endpoint: &syntax::Endpoint, is_it: impl Fn(&Guard) -> bool) -> impl Iterator<Item = Span> {
    let guards = endpoint.guards.iter().filter(move |guard| is_it(guard));
    guards.map(|guard| match guard {
        Guard::Plan(word) | Guard::Owner(word) | Guard::Exists { resource: word, .. } => word.at,
    })
}

fn plan(guards: &[Guard]) -> Option<String> {
    guards.iter().find_map(|guard| match guard {
        Guard::Plan(plan) => Some(text(plan)),
        _ => None,
    })
}

fn owned(guards: &[Guard]) -> Vec<String> {
    let owners = guards.iter().filter_map(|guard| match guard {
        Guard::Owner(resource) => Some(text(resource)),
        _ => None,
    });
    owners.collect()
}

fn segments(route: &str) -> Vec<Segment> {
    route
        .split('/')
        .skip(1)
        .map(|segment| match segment.strip_prefix(':') {
            Some(name) => Segment::Parameter(name.to_owned()),
            None => Segment::Literal(segment.to_owned()),
        })
        .collect()
}

fn sort_key(words: &str) -> (String, bool) {
    match words.split_once(' ') {
        Some((field, "desc")) => (field.to_owned(), true),
        Some((field, _)) => (field.to_owned(), false),
        None => (words.to_owned(), false),
    }
}
