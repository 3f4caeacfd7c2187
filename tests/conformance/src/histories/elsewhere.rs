//! Records that no operation makes. The server has them from elsewhere, and a list may show them: then calls name them, too.

use super::call::Call;
use super::envelope;
use super::ids;
use super::known::{Knowledge, Known, Record};
use super::subject::Subject;
use super::undeclared::given;
use codegen::Model;
use codegen::model::{
    Data, Effect, Field, Filter, FilterBy, Kind, Operation, Origin, RecordId, Resource, Source, Surface, View,
};
use mock::Mock;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A record from elsewhere, as a list shows it.
pub(super) struct ExistingRecord {
    resource: &'static str,
    id: RecordId,
    /// The shown values of stored fields.
    values: Map<String, Value>,
}

/// How many records of each resource are used.
const MOST: usize = 20;

impl ExistingRecord {
    /// The model and the knowledge have the record from now on.
    pub(super) fn enter(&self, model: &'static Model, mock: &Mock, known: &mut Knowledge<'static>) {
        mock.enter(self.resource, self.id, &self.values);
        let fields = &model.resource(self.resource).fields;
        let links = fields
            .iter()
            .filter(|field| matches!(field.of.kind, Kind::Id(_)) && field.name != "id");
        let links = links.filter_map(|field| Some((field.name.as_str(), ids::of_json(self.values.get(&field.name)?)?)));
        let record = Record {
            id: self.id,
            links: links.collect(),
            values: self.values.clone().into_iter().collect(),
        };
        for (field, value) in &self.values {
            known.note(self.resource, field, value);
        }
        known.enter(self.resource, record);
    }
}

/// Reads the records that lists of the server show.
pub(super) fn read(subject: &Subject<'_>) -> Vec<ExistingRecord> {
    let lists = subject
        .model
        .resources
        .iter()
        .filter_map(|resource| list(subject.model, resource));
    lists.flat_map(|list| list.read(subject)).collect()
}

/// Whether no operation makes records of a resource.
pub(super) fn is_from_elsewhere(model: &Model, resource: &str) -> bool {
    let mut effects = model.operations().flat_map(|(_, operation)| &operation.effects);
    !effects.any(|effect| matches!(effect, Effect::Make { resource: made, .. } if made == resource))
}

/// The resources of which there is no record: no operation that can succeed makes one, and no list of the server shows one.
pub(super) fn absent(subject: &Subject<'_>) -> BTreeSet<&'static str> {
    let model = subject.model;
    let mut absent: BTreeSet<&str> = model.resources.iter().map(|resource| resource.name.as_str()).collect();
    let existing = read(subject);
    let existing = existing.iter().map(|one| one.resource);
    for name in existing.chain(given(model)) {
        absent.remove(name);
    }
    loop {
        let before = absent.len();
        for (_, operation) in model.operations() {
            if required_resources(operation).any(|name| absent.contains(name)) {
                continue;
            }
            for effect in &operation.effects {
                if let Effect::Make { resource, .. } = effect {
                    absent.remove(resource.as_str());
                }
            }
        }
        if absent.len() == before {
            return absent;
        }
    }
}

/// The resources of which each successful call of an operation names a record.
pub(super) fn required_resources(operation: &Operation) -> impl Iterator<Item = &str> {
    let guards = operation.exists().filter(|guard| !guard.is_optional);
    guards.map(|guard| guard.resource.as_str())
}

/// The fields of records from elsewhere whose values are not known.
pub(super) fn unknown_fields(model: &Model) -> impl Iterator<Item = (&str, &str)> {
    let lists = model.resources.iter().filter_map(|resource| list(model, resource));
    lists.flat_map(|list| {
        let fields = list.resource.fields.iter().chain(&list.resource.joined);
        let unknown = fields.filter(move |field| is_computed(field) || list.view.member_of(&field.name).is_none());
        unknown.map(move |field| (list.resource.name.as_str(), field.name.as_str()))
    })
}

/// Whether the value follows from others.
fn is_computed(field: &Field) -> bool {
    field
        .origin
        .as_ref()
        .is_some_and(|origin| !matches!(origin, Origin::Now))
}

/// A list of records from elsewhere.
#[derive(Clone, Copy)]
struct List<'m> {
    resource: &'m Resource,
    surface: &'m Surface,
    operation: &'m Operation,
    view: &'m View,
}

/// The list that shows all stored fields of the records of a resource that no operation makes.
fn list<'m>(model: &'m Model, resource: &'m Resource) -> Option<List<'m>> {
    let callers = model
        .credentials
        .iter()
        .filter_map(|credential| credential.caller.as_ref());
    let is_caller = callers
        .flat_map(|caller| [&caller.resource, &caller.limited_by])
        .any(|name| *name == resource.name);
    if is_caller || resource.stored_id().is_none() || !is_from_elsewhere(model, &resource.name) {
        return None;
    }
    let all = || {
        let operations = model.operations();
        operations.filter(|(_, operation)| operation.listed() == Some(resource.name.as_str()))
    };
    // What the model compares, it must know: the value of a stored field.
    let stored: Vec<&str> = resource
        .fields
        .iter()
        .filter(|field| !is_computed(field))
        .map(|field| field.name.as_str())
        .collect();
    let compares_stored = all().all(|(_, operation)| {
        let orders = operation
            .orders
            .iter()
            .flat_map(|orders| &orders.all)
            .flat_map(|order| &order.keys);
        let mut keys = operation.sort.iter().chain(orders);
        let is_stored = |filter: &Filter| {
            let is_own =
                |(source, _): (&Source, _)| matches!(source, Source::Stored(field) if stored.contains(&field.as_str()));
            filter.through.is_none() && filter.fields().all(is_own)
        };
        keys.all(|key| stored.contains(&key.field.as_str())) && operation.filters.iter().all(is_stored)
    });
    // One that an earlier run has made may be there already.
    let makes_one_for = model
        .operations()
        .flat_map(|(_, operation)| &operation.effects)
        .any(|effect| match effect {
            Effect::Make {
                resource: made,
                one_for,
                ..
            } => one_for.iter().any(
                |field| matches!(&model.resource(made).field(field).of.kind, Kind::Id(of) if *of == resource.name),
            ),
            _ => false,
        });
    if !compares_stored || makes_one_for {
        return None;
    }
    let mut lists = all().filter_map(|(surface, operation)| {
        let Some(Data::Many { view, .. }) = &operation.data else {
            return None;
        };
        let view = resource.views.iter().find(|one| one.name == *view)?;
        let needs_nothing = operation.path.is_empty()
            && operation
                .query
                .iter()
                .all(|field| field.of.optional || field.of.default.is_some())
            && operation
                .filters
                .iter()
                .all(|filter| !matches!(filter.by, FilterBy::Caller | FilterBy::Path(_)));
        let is_whole = stored.iter().all(|field| view.member_of(field).is_some());
        (needs_nothing && is_whole).then_some(List {
            resource,
            surface,
            operation,
            view,
        })
    });
    lists.next()
}

impl List<'static> {
    /// The first rows of the list; none if it cannot be read.
    fn read(&self, subject: &Subject<'_>) -> Vec<ExistingRecord> {
        let credential = match &self.surface.credential {
            None => None,
            Some(kind) => match subject.roots.iter().position(|(known, _)| known == kind) {
                Some(place) => Some(place),
                // Its callers are made by operations.
                None => return Vec::new(),
            },
        };
        let call = Call {
            operation: Some((self.surface, self.operation)),
            method: self.operation.method.text.clone(),
            credential,
            ..Call::default()
        };
        let roots = subject.roots.iter().map(|(kind, secret)| Known::root(kind, secret));
        let known = Knowledge::new(roots.collect(), String::new());
        let Ok(response) = (subject.sender)(&call.request(subject.model, &known)) else {
            return Vec::new();
        };
        if response.status >= 400 {
            return Vec::new();
        }
        // Its limit counts it, too.
        let _ = subject.passed(&call, &known);
        let body = envelope::body(&response);
        let rows = envelope::data(subject.model, &call, &body)
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let stored = self.view.members.iter().filter_map(|member| match &member.source {
            Source::Stored(field) => Some((field, &member.shown)),
            _ => None,
        });
        let stored: Vec<(&String, &String)> = stored.collect();
        let row = |row: &Value| {
            let values = stored
                .iter()
                .map(|(field, shown)| ((*field).clone(), row[shown.as_str()].clone()));
            let mut values: Map<String, Value> = values.collect();
            let id = ids::of_json(&values.remove("id")?)?;
            Some(ExistingRecord {
                resource: &self.resource.name,
                id,
                values,
            })
        };
        rows.iter().filter_map(row).take(MOST).collect()
    }
}
