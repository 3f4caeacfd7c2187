//! OpenAPI documents of every contract: what always holds, and common errors. (CI runs external checks: validators,
//! linters and generators of clients.)

mod descriptions;
mod details;
mod examples;
mod links;
mod members;

use crate::language::{MODELS, models};
use codegen::Model;
use codegen::documents::openapi::{Version, document};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The document of one surface, or of all.
pub(crate) fn openapi_json(model: &Model, version: Version, surface: Option<&str>) -> Value {
    let document = document(model, version, surface).expect("there is such a surface");
    serde_json::from_str(&document.pretty()).expect("it is JSON")
}

static ALL: LazyLock<[Documents; 2]> = LazyLock::new(|| [Version::V3_1, Version::V3_0].map(made));

/// Documents with their names.
type Documents = Vec<(String, Value)>;

fn made(version: Version) -> Documents {
    let documents = models().flat_map(|(name, model)| {
        let surfaces = model.surfaces.iter().map(|surface| Some(surface.name.as_str()));
        let documents = surfaces.chain([None]).map(|surface| {
            let name = format!("{name}, {}", surface.unwrap_or("all surfaces"));
            (name, openapi_json(model, version, surface))
        });
        documents.collect::<Vec<_>>()
    });
    documents.collect()
}

/// Every document of every contract, each with its name.
fn all(version: Version) -> &'static Documents {
    match version {
        Version::V3_1 => &ALL[0],
        Version::V3_0 => &ALL[1],
    }
}

fn everywhere() -> impl Iterator<Item = &'static (String, Value)> {
    ALL.iter().flatten()
}

/// The operations of a document with their paths.
pub(crate) fn operations(document: &Value) -> Vec<(&str, &Value)> {
    let paths = document["paths"].as_object().expect("there are paths").iter();
    let operations = paths.flat_map(|(path, item)| {
        let methods = METHODS.into_iter().filter_map(|method| item.get(method));
        methods.map(|operation| (path.as_str(), operation))
    });
    operations.collect()
}

/// Every object of a document except the examples.
fn objects<'d>(value: &'d Value, place: &str, see: &mut dyn FnMut(&str, &'d Value)) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{place}/{index}"), see);
            }
        }
        Value::Object(members) => {
            see(place, value);
            for (name, member) in members {
                // Members of schemas can have these names.
                let is_example = matches!(name.as_str(), "example" | "examples") && !place.ends_with("/properties");
                if !is_example && !name.starts_with("x-") {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    objects(member, &format!("{place}/{name}"), see);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_operation_has_a_name_of_its_own() {
    for (name, model) in models() {
        let document = openapi_json(model, Version::V3_1, None);
        let ids = operations(&document);
        let ids: Vec<&str> = ids
            .iter()
            .filter_map(|(_, operation)| operation["operationId"].as_str())
            .collect();
        let declared: usize = model.surfaces.iter().map(|surface| surface.operations.len()).sum();
        assert_eq!(ids.len(), declared, "{name}");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), declared, "{name}");
    }
}

#[test]
fn an_operation_is_the_same_whatever_document_it_stands_in() {
    let model = &MODELS[1];
    let whole = openapi_json(model, Version::V3_1, None);
    for surface in &model.surfaces {
        let part = openapi_json(model, Version::V3_1, Some(&surface.name));
        for (path, operation) in operations(&part) {
            let mut whole = operations(&whole).into_iter();
            let same = whole.find(|(_, one)| one["operationId"] == operation["operationId"]);
            let (other, same) = same.expect("it is in both");
            assert_eq!(path, other);
            for member in ["summary", "description", "parameters", "requestBody", "x-errors"] {
                assert_eq!(operation[member], same[member], "{path} {member}");
            }
        }
    }
}

#[test]
fn whatever_is_referred_to_is_there_and_whatever_is_there_is_referred_to() {
    for (name, document) in everywhere() {
        let mut used = BTreeSet::new();
        objects(document, "", &mut |_, object| {
            used.extend(object.get("$ref").and_then(Value::as_str))
        });
        for kind in ["schemas", "responses", "headers"] {
            for component in document["components"][kind]
                .as_object()
                .into_iter()
                .flat_map(|all| all.keys())
            {
                let place = format!("#/components/{kind}/{component}");
                assert!(used.remove(place.as_str()), "{name}: nothing refers to {place}");
            }
        }
        assert!(used.is_empty(), "{name}: there is no {used:?}");
    }
}

#[test]
fn the_parameters_of_a_path_are_those_in_braces() {
    for (name, document) in everywhere() {
        for (path, operation) in operations(document) {
            let named = operation["parameters"].as_array().into_iter().flatten();
            let named = named
                .filter(|one| one["in"] == "path")
                .filter_map(|one| one["name"].as_str());
            let braces = path
                .split('/')
                .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
            assert_eq!(named.collect::<Vec<_>>(), braces.collect::<Vec<_>>(), "{name} {path}");
        }
    }
}

#[test]
fn every_error_of_an_operation_has_its_status_and_an_example() {
    for (name, document) in everywhere() {
        let status_of = |error: &str| {
            let mut errors = document["x-errors"].as_array().into_iter().flatten();
            errors.find(|one| one["name"] == error).expect("it is in the table")["status"].to_string()
        };
        for (path, operation) in operations(document) {
            for error in operation["x-errors"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                let response = &operation["responses"][status_of(error)];
                let response = match response["$ref"].as_str() {
                    Some(place) => document.pointer(place.trim_start_matches('#')).expect("it is there"),
                    None => response,
                };
                let contents = response["content"].as_object().into_iter().flatten();
                let examples = contents
                    .map(|(_, content)| &content["examples"])
                    .find_map(Value::as_object);
                let mut names = examples.into_iter().flat_map(|examples| examples.keys());
                assert!(names.any(|example| example.starts_with(error)), "{name} {path} {error}");
            }
        }
    }
}

#[test]
fn what_later_versions_have_is_not_in_earlier_ones() {
    for (name, document) in all(Version::V3_0) {
        objects(&document["components"]["schemas"], "/schemas", &mut |place, object| {
            let is_members = place.ends_with("/properties");
            for keyword in ["const", "examples"].iter().filter(|_| !is_members) {
                assert!(object.get(*keyword).is_none(), "{name} {place} has {keyword}");
            }
            let excluded = object.get("exclusiveMinimum").filter(|_| !is_members);
            assert!(excluded.is_none_or(Value::is_boolean), "{name} {place}");
            let of = object.get("type").filter(|_| !is_members);
            assert!(of.is_none_or(|of| of.is_string() && of != "null"), "{name} {place}");
            let is_lonely = object.get("nullable").is_none() || object.get("type").is_some();
            assert!(
                is_members || is_lonely,
                "{name} {place}: `nullable` counts only beside a type"
            );
            let is_reference = object.get("$ref").is_some();
            assert!(
                !is_reference || object.as_object().is_some_and(|one| one.len() == 1),
                "{name} {place}"
            );
        });
    }
}
