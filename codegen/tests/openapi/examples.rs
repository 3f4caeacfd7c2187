//! Every example is valid by its schema. The validator is an independent crate.

use super::{all, objects};
use boon::{Compiler, Schemas};
use codegen::documents::openapi::Version;
use serde_json::Value;

const URL: &str = "https://localhost/openapi.json";

/// Every example of a document: the place of its schema, and the value.
fn examples(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    objects(document, "", &mut |place, object| {
        let schema = format!("{place}/schema");
        if object.get("schema").is_some() {
            found.extend(object.get("example").map(|value| (schema.clone(), value)));
            let several = object.get("examples").and_then(Value::as_object);
            found.extend(
                several
                    .into_iter()
                    .flat_map(|all| all.values())
                    .map(|one| (schema.clone(), &one["value"])),
            );
        } else if let Some(Value::Array(values)) = object.get("examples") {
            found.extend(values.iter().map(|value| (place.to_owned(), value)));
        }
    });
    found
}

/// The schemas of a document, with answers as closed as requests: an example has no undeclared members.
fn closed(document: &mut Value) {
    match document {
        Value::Array(items) => items.iter_mut().for_each(closed),
        Value::Object(members) => {
            if members.contains_key("properties") && members.get("type").is_some_and(|of| *of == "object") {
                members.insert("additionalProperties".to_owned(), false.into());
            }
            members.values_mut().for_each(closed);
        }
        _ => {}
    }
}

/// A place of a document as a part of its address.
fn fragment(place: &str) -> String {
    place.replace('%', "%25").replace('{', "%7B").replace('}', "%7D")
}

#[test]
fn every_example_is_what_its_schema_says() {
    let mut number = 0;
    for (name, document) in all(Version::V3_1) {
        let mut document = document.clone();
        closed(&mut document);
        let mut compiler = Compiler::new();
        compiler.enable_format_assertions();
        compiler
            .add_resource(URL, document.clone())
            .expect("it has this address");
        let mut schemas = Schemas::new();
        for (place, value) in examples(&document) {
            let schema = compiler.compile(&format!("{URL}#{}", fragment(&place)), &mut schemas);
            let schema = schema.unwrap_or_else(|error| panic!("{name} {place} is no schema: {error:#}"));
            let judged = schemas.validate(value, schema);
            judged.unwrap_or_else(|error| panic!("{name} {place}: {value}\n{error:#}"));
            number += 1;
        }
    }
    assert!(number > 900, "only {number} examples were found");
}
