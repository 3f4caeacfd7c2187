//! From the model to OpenAPI: documents for viewers, linters, fuzzers and client generators.
//!
//! ```text
//! Model ─ types, answers, operations ─▶ Schema, Json ─ schema (3.1 or 3.0) ─▶ text
//! ```
//!
//! A document of one surface is for its callers: it has their credential and their errors. A document of all surfaces
//! is for the operator: one file to keep, to compare, to browse. Operations and schemas have the same names in both, so
//! a client can switch between them.
//!
//! Knows the model and no other stage. A document states only what the contract states.

mod answers;
mod dialect;
mod envelope;
mod error_examples;
mod events;
mod extensions;
mod file_answers;
mod files;
mod headers;
mod info;
mod links;
mod names;
mod operations;
mod people;
mod schema;
mod types;
mod validation_errors;

pub(super) use self::files::files;

use self::dialect::Writer;
use self::names::ComponentNames;
use self::operations::SharedParameters;
use self::schema::Schema;
use crate::documents::shared::selection::Selection;
use crate::json::{self, Json, JsonObject, list};
use crate::model::Model;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

/// A version of OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 3.1.0, whose schemas are JSON Schema.
    V3_1,
    /// 3.0.3, for tools that know no later version.
    V3_0,
}

/// An OpenAPI document.
#[derive(Clone, Debug)]
pub struct Document(Json);

impl Document {
    /// For people: indented JSON, in a stable order.
    pub fn pretty(&self) -> String {
        json::pretty(&self.0)
    }

    /// For programs: JSON without white space.
    pub fn compact(&self) -> String {
        self.0.compact()
    }
}

/// The document of a surface, or of all; `None` where no surface has this name.
pub fn document(model: &Model, version: Version, surface: Option<&str>) -> Option<Document> {
    let part = Selection::for_surface(model, surface)?;
    let names = ComponentNames::new(model);
    let scope = Scope { part, version, names };
    Some(scope.document())
}

/// The scope of a document.
struct Scope<'m> {
    part: Selection<'m>,
    version: Version,
    names: ComponentNames<'m>,
}

impl<'m> Deref for Scope<'m> {
    type Target = Selection<'m>;

    fn deref(&self) -> &Self::Target {
        &self.part
    }
}

impl Scope<'_> {
    fn document(&self) -> Document {
        let (shared, responses) = self.shared_answers();
        let paths = self.paths(&shared);
        let headers = self.header_components();
        let (webhooks, events) = (self.webhooks(), self.events_of_feeds());
        let used = [&paths, &responses, &webhooks, &events].map(|part| Json::from(part.clone()));
        let schemas = self.components(&used);
        let header_names: BTreeSet<String> = used.iter().flat_map(|part| references(part, "headers")).collect();
        let headers = headers
            .iter()
            .filter(|(name, _)| header_names.contains(name))
            .cloned()
            .collect();
        let components = [("schemas", schemas), ("responses", responses), ("headers", headers)];
        let components = components
            .into_iter()
            .chain([("securitySchemes", self.security_schemes())]);
        let components = components.filter(|(_, part)| !part.is_empty());
        let components: JsonObject = components.map(|(name, part)| (name.to_owned(), part.into())).collect();
        let server = JsonObject::new()
            .with("url", "/")
            .with("description", "The server that serves this document.");
        let version = match self.version {
            Version::V3_1 => "3.1.0",
            Version::V3_0 => "3.0.3",
        };
        let document = JsonObject::new()
            .with("openapi", version)
            .with("info", self.info())
            .with("servers", list(vec![server]))
            .with("tags", list(self.tags()))
            .with("paths", paths)
            .maybe(
                self.webhooks_member(),
                Some(webhooks).filter(|webhooks| !webhooks.is_empty()),
            )
            .with("components", components)
            .maybe("x-events", Some(events).filter(|events| !events.is_empty()));
        Document(document.and(self.document_extensions()).into())
    }

    /// A schema in the document's version.
    fn write(&self, schema: &Schema) -> Json {
        let component = |name: &str| self.component(self.names.part(name));
        Writer {
            version: self.version,
            component: &component,
        }
        .write(schema)
    }

    /// The schemas that these parts refer to, directly or through other schemas, by name.
    fn components(&self, used: &[Json]) -> JsonObject {
        let mut by_name: BTreeMap<String, Json> = BTreeMap::new();
        let mut open: Vec<String> = used.iter().flat_map(|part| references(part, "schemas")).collect();
        while let Some(name) = open.pop() {
            if let Entry::Vacant(place) = by_name.entry(name) {
                let schema = self.write(&self.component(self.names.part(place.key())));
                open.extend(references(&schema, "schemas"));
                place.insert(schema);
            }
        }
        by_name.into_iter().collect()
    }

    /// The error responses that several operations share: the name of each by its text, and all of them by name.
    fn shared_answers(&self) -> (SharedParameters, JsonObject) {
        let operations = self.operations();
        let answers: Vec<_> = operations
            .flat_map(|(surface, one)| self.error_responses(surface, one))
            .collect();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for answer in &answers {
            *counts.entry(answer.json.compact()).or_default() += 1;
        }
        let (mut shared, mut by_name) = (SharedParameters::new(), BTreeMap::new());
        for answer in answers {
            let text = answer.json.compact();
            if counts[&text] > 1 && !shared.contains_key(&text) {
                let others = (2..).map(|number: usize| format!("{}{number}", answer.name));
                let mut names = std::iter::once(answer.name.clone()).chain(others);
                let name = names
                    .find(|name| !by_name.contains_key(name))
                    .expect("there is always another number");
                by_name.insert(name.clone(), answer.json);
                shared.insert(text, name);
            }
        }
        (shared, by_name.into_iter().collect())
    }
}

/// The names of the components of a kind that a part of a document refers to.
fn references(part: &Json, kind: &str) -> Vec<String> {
    match part {
        Json::Plain(_) | Json::Text(_) => Vec::new(),
        Json::List(items) => items.iter().flat_map(|item| references(item, kind)).collect(),
        Json::Object(members) => {
            let found = members.iter().flat_map(|(name, value)| match value {
                Json::Text(target) if name == "$ref" => {
                    let target = target.strip_prefix(&format!("#/components/{kind}/"));
                    target.map(str::to_owned).into_iter().collect()
                }
                value => references(value, kind),
            });
            found.collect()
        }
    }
}
