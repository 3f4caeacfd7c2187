//! Links from the ids of an answer to other operations.

use super::{everywhere, openapi_json, operations};
use crate::language::MODELS;
use codegen::documents::openapi::Version;
use serde_json::{Value, json};

/// The successes of a document that have links: the path, the operation, and the answer.
fn successes(document: &Value) -> Vec<(&str, &Value, &Value)> {
    let operations = operations(document).into_iter();
    let successes = operations.flat_map(|(path, operation)| {
        let responses = operation["responses"].as_object().into_iter().flatten();
        responses.map(move |(_, response)| (path, operation, response))
    });
    successes
        .filter(|(.., response)| response.get("links").is_some())
        .collect()
}

/// The sources of the ids in the links of an operation of the lockers.
fn links(surface: &str, id: &str) -> Value {
    let document = openapi_json(&MODELS[1], Version::V3_1, Some(surface));
    let found = successes(&document)
        .into_iter()
        .find(|(_, operation, _)| operation["operationId"] == id);
    let links = found.map(|(.., response)| response["links"].as_object().expect("it is an object").clone());
    let parameters = links
        .into_iter()
        .flatten()
        .map(|(name, link)| (name, link["parameters"].clone()));
    parameters.collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn a_created_resource_has_links_to_its_operations() {
    let parameters = json!({ "path.id": "$response.body#/result/id" });
    assert_eq!(
        links("courier", "courier_announce_parcel"),
        json!({ "get_parcel": parameters, "move_parcel": parameters, "store_parcel": parameters })
    );
}

#[test]
fn of_a_list_the_first_item_is_followed() {
    let first = json!({ "path.id": "$response.body#/result/0/id" });
    assert_eq!(
        links("courier", "courier_list_reservations"),
        json!({ "delete_reservation": first })
    );
}

#[test]
fn other_ids_of_a_path_are_those_of_the_request() {
    let both = json!({ "path.station": "$request.path.station", "path.compartment": "$response.body#/result/ids/0" });
    assert_eq!(
        links("depot", "depot_create_compartments"),
        json!({ "update_compartment": both, "delete_compartment": both })
    );
}

#[test]
fn a_link_gives_each_parameter_of_the_path_and_finds_it_in_the_example() {
    let mut number = 0;
    for (name, document) in everywhere() {
        for (path, _, answer) in successes(document) {
            for link in answer["links"].as_object().expect("it is an object").values() {
                let mut targets = operations(document).into_iter();
                let target = targets.find(|(_, one)| one["operationId"] == link["operationId"]);
                let (there, _) = target.unwrap_or_else(|| panic!("{name} {path}: {link}"));
                let parameters = link["parameters"].as_object().expect("they are an object");
                assert_eq!(parameters.len(), there.matches('{').count(), "{name} {path}: {link}");
                for (parameter, from) in parameters {
                    let named = parameter.replace("path.", "{") + "}";
                    assert!(there.contains(&named), "{name} {path}: {link}");
                    assert!(is_found(from, path, answer), "{name} {path}: {link}");
                    number += 1;
                }
            }
        }
    }
    assert!(number > 100, "{number}");
}

/// Whether an expression names a parameter of the request's path, or something in the answer's example.
fn is_found(expression: &Value, path: &str, answer: &Value) -> bool {
    let expression = expression.as_str().unwrap_or_default();
    match (
        expression.strip_prefix("$request.path."),
        expression.strip_prefix("$response.body#"),
    ) {
        (Some(name), _) => path.contains(&format!("{{{name}}}")),
        (_, Some(place)) => answer["content"]["application/json"]["example"]
            .pointer(place)
            .is_some(),
        _ => false,
    }
}
