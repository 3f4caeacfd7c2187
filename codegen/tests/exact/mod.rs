//! What `codegen openapi` says of operations of public APIs, compared with descriptions that were written by hand from the
//! public documents. The contracts are services of `tests/durability`, where they are also served and tested, and a contract that
//! the mock serves.

use crate::language::understood;
use crate::openapi::openapi_json;
use codegen::documents::openapi::Version;
use serde_json::Value;
use std::collections::BTreeSet;

const PUBLIC: &str = include_str!("../../../tests/durability/services/public.yaml");
const CLINIC: &str = include_str!("../../../tests/durability/services/clinic.yaml");
const BOOKINGS: &str = include_str!("../../cli/tests/shapes/bookings.yaml");
const DESCRIBED: &str = include_str!("described.json");

/// The documents of both sides: references lead into them.
struct Documents {
    ours: Value,
    described: Value,
}

/// The surface that stands for a document has its name.
fn documents(document: &str, path: &str) -> Documents {
    let contract = match document {
        "petclinic" => CLINIC,
        _ if path.starts_with("/bookings") => BOOKINGS,
        _ => PUBLIC,
    };
    Documents {
        ours: openapi_json(&understood(contract), Version::V3_1, Some(document)),
        described: serde_json::from_str(DESCRIBED).expect("it is JSON"),
    }
}

fn resolve<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(to) => resolve(document, document.pointer(&to[1..]).expect("it leads somewhere")),
        None => value,
    }
}

/// The differences between the schema of ours and the described one.
fn schemas(of: &Documents, (ours, wanted): (&Value, &Value), place: &str, differences: &mut Vec<String>) {
    let (ours, wanted) = (resolve(&of.ours, ours), resolve(&of.described, wanted));
    let (is, should) = (types(&of.ours, ours), types(&of.described, wanted));
    if is != should {
        differences.push(format!("{place}: {is:?}, should be {should:?}"));
    }
    let names = |schema: &Value| -> BTreeSet<String> {
        let properties = schema["properties"].as_object().into_iter().flatten();
        properties.map(|(name, _)| name.clone()).collect()
    };
    if names(ours) != names(wanted) {
        differences.push(format!(
            "{place}: members {:?}, should be {:?}",
            names(ours),
            names(wanted)
        ));
        return;
    }
    for name in names(wanted) {
        let both = (&ours["properties"][&name], &wanted["properties"][&name]);
        schemas(of, both, &format!("{place}.{name}"), differences);
    }
    if wanted.get("items").is_some() {
        schemas(
            of,
            (&ours["items"], &wanted["items"]),
            &format!("{place}[]"),
            differences,
        );
    }
    if wanted.get("format").is_some() && ours.get("format") != wanted.get("format") {
        differences.push(format!(
            "{place}: format {}, should be {}",
            ours["format"], wanted["format"]
        ));
    }
}

/// The JSON types of the values of a schema. A constant has the type of its value.
fn types<'d>(document: &'d Value, schema: &'d Value) -> BTreeSet<&'d str> {
    let schema = resolve(document, schema);
    let listed = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let constant = match &schema["const"] {
        Value::Bool(_) => Some("boolean"),
        Value::String(_) => Some("string"),
        _ => None,
    };
    let either = schema["anyOf"].as_array().into_iter().flatten();
    let either = either.flat_map(|one| types(document, one));
    listed.into_iter().chain(constant).chain(either).collect()
}

/// The differences between bodies: their media types, and their schemas. Without a described content ours may have any.
fn contents(of: &Documents, (ours, wanted): (&Value, &Value), place: &str, differences: &mut Vec<String>) {
    let media_types = |content: &Value| -> Vec<String> {
        let all = content.as_object().into_iter().flatten();
        all.map(|(name, _)| name.clone()).collect()
    };
    if media_types(ours) != media_types(wanted) {
        let (is, should) = (media_types(ours), media_types(wanted));
        differences.push(format!("{place}: {is:?}, should be {should:?}"));
        return;
    }
    for name in media_types(wanted) {
        schemas(of, (&ours[&name]["schema"], &wanted[&name]), place, differences);
        examples(of, (&ours[&name], &wanted[&name]), place, differences);
    }
}

/// What ours shows of members that have few values in the description: one of those.
fn examples(of: &Documents, (ours, wanted): (&Value, &Value), place: &str, differences: &mut Vec<String>) {
    let several = ours["examples"].as_object().into_iter().flatten();
    let shown: Vec<&Value> = several
        .map(|(_, one)| &one["value"])
        .chain(ours.get("example"))
        .collect();
    let wanted = resolve(&of.described, wanted);
    for (name, member) in wanted["properties"].as_object().into_iter().flatten() {
        let Some(values) = member["enum"].as_array() else {
            continue;
        };
        for one in shown.iter().filter(|one| !values.contains(&one[name])) {
            differences.push(format!("{place}.{name}: {}, should be one of {values:?}", one[name]));
        }
    }
}

/// Why an operation is not exact.
fn differences(described: &Value) -> Vec<String> {
    let [document, method, wanted_path] =
        ["document", "method", "path"].map(|name| described[name].as_str().expect("a text"));
    let of = documents(document, wanted_path);
    let paths = of.ours["paths"].as_object().expect("there are paths");
    // The base of the surface stands for the server's address.
    let found = paths
        .iter()
        .find(|(path, item)| path.ends_with(wanted_path) && item.get(method).is_some());
    let Some((_, item)) = found else {
        return vec![format!("{method} {wanted_path}: there is none")];
    };
    let (ours, mut found) = (&item[method], Vec::new());
    let parameter = |one: &Value| {
        let schema = types(&of.ours, &one["schema"]).into_iter().map(str::to_owned);
        (
            one["name"].to_string(),
            one["in"].to_string(),
            schema.collect::<Vec<_>>(),
        )
    };
    let parameters = |all: &Value| -> BTreeSet<_> { all.as_array().into_iter().flatten().map(parameter).collect() };
    if parameters(&ours["parameters"]) != parameters(&described["parameters"]) {
        found.push(format!(
            "parameters {}, should be {}",
            ours["parameters"], described["parameters"]
        ));
    }
    contents(
        &of,
        (&ours["requestBody"]["content"], &described["request"]),
        "request",
        &mut found,
    );
    let statuses = |all: &Value| -> BTreeSet<String> { all.as_object().expect("statuses").keys().cloned().collect() };
    let (is, should) = (statuses(&ours["responses"]), statuses(&described["responses"]));
    found.extend(should.difference(&is).map(|status| format!("{status}: missing")));
    let others = is.difference(&should).filter(|status| !status.starts_with(['4', '5']));
    found.extend(others.map(|status| format!("{status}: not described")));
    for status in should.intersection(&is) {
        let (answer, wanted) = (
            resolve(&of.ours, &ours["responses"][status]),
            &described["responses"][status],
        );
        let is_success = status.starts_with('2');
        // A document that describes an error by its status alone leaves its body open.
        if is_success || !wanted.is_null() {
            contents(&of, (&answer["content"], wanted), status, &mut found);
        }
    }
    found
}

#[test]
fn operations_of_public_apis_are_described_as_their_own_documents_describe_them() {
    let described: Value = serde_json::from_str(DESCRIBED).expect("it is JSON");
    let operations = described["operations"].as_array().expect("operations");
    let wrong: Vec<String> = operations
        .iter()
        .flat_map(|one| {
            let name = format!("{} {} {}", one["document"], one["method"], one["path"]);
            differences(one).into_iter().map(move |why| format!("{name}: {why}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(operations.len(), 10, "the operations of 110 that are exact");
}

#[test]
fn a_difference_is_found() {
    let described: Value = serde_json::from_str(DESCRIBED).expect("it is JSON");
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut one = described["operations"][1].clone();
        change(&mut one);
        !differences(&one).is_empty()
    };
    assert!(!changed(&|_| ()));
    assert!(changed(&|one| one["responses"]["200"] = Value::Null));
    assert!(changed(&|one| one["responses"]["201"] = Value::Null));
    assert!(changed(
        &|one| one["responses"]["400"]["application/json"]["properties"]["code"]["enum"][0] = "other".into()
    ));
    assert!(changed(
        &|one| one["request"]["application/json"] = serde_json::json!({ "type": "object" })
    ));
    assert!(changed(
        &|one| one["parameters"] = serde_json::json!([{ "name": "a", "in": "query", "schema": {} }])
    ));
    assert!(changed(&|one| one["method"] = "put".into()));
}
