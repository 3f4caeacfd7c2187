//! Common errors in OpenAPI, checked on contracts that show them.

use super::{openapi_json, operations};
use crate::language::{CONTRACTS, MODELS, understood};
use codegen::documents::openapi::{Version, document};
use codegen::syntax::BUILT_IN_TYPES;
use serde_json::{Value, json};

/// The media type of errors of the lockers.
const OF_ERRORS: &str = "application/vnd.lockers.error+json";

pub(super) fn lockers(surface: &str) -> Value {
    openapi_json(&MODELS[1], Version::V3_1, Some(surface))
}

/// The operation with this id.
pub(super) fn operation(document: &Value, id: &str) -> Value {
    let mut operations = operations(document).into_iter();
    let found = operations.find(|(_, operation)| operation["operationId"] == id);
    found.unwrap_or_else(|| panic!("there is no {id}")).1.clone()
}

/// The schema of an operation's request body.
fn body(document: &Value, id: &str) -> Value {
    operation(document, id)["requestBody"]["content"]["application/json"]["schema"].clone()
}

/// The schema of an operation's answer.
fn answer(document: &Value, id: &str, status: &str) -> Value {
    operation(document, id)["responses"][status]["content"]["application/json"]["schema"].clone()
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

#[test]
fn the_example_of_an_endpoint_comes_before_that_of_a_description_and_that_of_a_type() {
    let described = r#""phone -- A number, such as `030123456`.""#;
    for (phone, own, expected) in [
        ("phone", "", "+494215550123"),
        (described, "", "030123456"),
        (described, r#"example: { phone: "040123456" }"#, "040123456"),
    ] {
        let endpoint = format!(
            "  phones:
    base: /phones
    endpoints:
      dial:
        POST: /calls
        body: {{ members: {{ phone: {phone} }} }}
        undeclared: It makes a call.
        event: none
        success: {{}}
        {own}\n"
        );
        let contract = format!("{}{endpoint}", CONTRACTS[1].1);
        let document = openapi_json(&understood(&contract), Version::V3_1, Some("phones"));
        let content = operation(&document, "phones_dial")["requestBody"]["content"].clone();
        assert_eq!(content["application/json"]["example"]["phone"], expected);
    }
}

#[test]
fn a_surface_that_there_is_not_has_no_document() {
    assert!(document(&MODELS[1], Version::V3_1, Some("nobody")).is_none());
}

#[test]
fn the_envelope_has_what_the_operation_says_and_nothing_else() {
    let (courier, depot) = (lockers("courier"), lockers("depot"));
    let list = answer(&courier, "courier_list_parcels", "200");
    assert_eq!(
        list["required"],
        json!(["ok", "version", "result", "total", "limit", "offset"])
    );
    assert_eq!(list["properties"]["limit"], reference("PageSize"));
    let changed = answer(&depot, "depot_update_courier", "200");
    assert_eq!(changed["properties"]["result"], json!({ "type": "null" }));
    assert_eq!(changed["required"], json!(["ok", "version", "result", "message"]));
}

#[test]
fn a_partial_body_has_at_least_one_member_and_null_where_the_field_can_be() {
    let body = body(&lockers("recipient"), "recipient_update_me");
    assert_eq!((&body["minProperties"], body.get("required")), (&json!(1), None));
    let (name, phone) = (&body["properties"]["name"], &body["properties"]["phone"]);
    assert_eq!(name["$ref"], reference("Name")["$ref"]);
    assert_eq!(phone["anyOf"], json!([reference("Phone"), { "type": "null" }]));
}

#[test]
fn what_a_body_may_leave_out_may_be_null_and_has_its_default() {
    let body = body(&lockers("courier"), "courier_announce_parcel");
    let required = ["weight", "contents", "collect_by", "station_id", "recipient_id"];
    assert_eq!(body["required"], json!(required));
    let size = &body["properties"]["size"];
    assert_eq!(size["anyOf"], json!([reference("Size"), { "type": "null" }]));
    assert_eq!(size["default"], "small");
}

#[test]
fn an_object_that_may_be_sent_in_part_is_shown_in_full() {
    let depot = openapi_json(&MODELS[1], Version::V3_1, None);
    let schemas = &depot["components"]["schemas"];
    assert_eq!(schemas["OpeningHours"]["required"], json!(["days", "opens", "closes"]));
    assert_eq!(schemas["OpeningHoursInput"]["required"], json!(["days"]));
    assert_eq!(schemas["WeekInput"]["items"], reference("OpeningHoursInput"));
    // Without an object inside, the input and the output form are the same.
    assert!(schemas.get("Name").is_some() && schemas.get("NameInput").is_none());
}

#[test]
fn what_is_picked_from_each_item_may_be_null_and_the_list_may_not() {
    let contract = CONTRACTS[1].1.replace("what: name --", "what: name? --");
    let document = openapi_json(&understood(&contract), Version::V3_1, Some("recipient"));
    let things = &document["components"]["schemas"]["ParcelReceived"]["properties"]["things"];
    let pick = json!({ "anyOf": [reference("Name"), { "type": "null" }], "description": "The name of the item." });
    assert_eq!(*things, json!({ "type": "array", "items": pick }));
}

#[test]
fn ids_have_bounds_and_points_in_time_no_offset() {
    let schemas = lockers("courier")["components"]["schemas"].clone();
    assert_eq!(schemas["ParcelId"]["maximum"], json!(9_007_199_254_740_991_i64));
    let timestamp = &schemas["Timestamp"];
    assert!(
        timestamp["pattern"]
            .as_str()
            .is_some_and(|pattern| pattern.ends_with("[0-5][0-9]$"))
    );
    assert!(timestamp.get("format").is_none());
}

#[test]
fn a_secret_has_the_form_of_the_credential_that_it_is() {
    let depot = lockers("depot");
    for (id, member, pattern) in [
        (
            "depot_create_courier",
            "key",
            "^(term_training_[0-9A-Za-z]{32}|term_[0-9A-Za-z]{32})$",
        ),
        ("depot_create_recipient", "pass", "^pass_[0-9A-Za-z]{24}$"),
    ] {
        let answer = answer(&depot, id, "201");
        assert_eq!(answer["properties"]["result"]["properties"][member]["pattern"], pattern);
    }
}

#[test]
fn a_query_has_nothing_empty_though_a_body_may() {
    let contract = CONTRACTS[1]
        .1
        .replace("code: code?\n", "code: code?\n          note: note?\n");
    let document = openapi_json(&understood(&contract), Version::V3_1, Some("finder"));
    let parameters = operation(&document, "finder_list_stations")["parameters"].clone();
    let mut parameters = parameters.as_array().cloned().unwrap_or_default().into_iter();
    let note = parameters.find(|one| one["name"] == "note").expect("it is there");
    assert_eq!(note["schema"]["minLength"], 1);
}

#[test]
fn paths_that_differ_in_the_names_of_parameters_are_one() {
    let contract = CONTRACTS[1].1.replace(
        "GET: /stations/:station\n        path: { station: Station.id }\n        guards: [exists Station]\n        success: { data: Station.whole }",
        "GET: /stations/:station\n        path: { station: Station.id }\n        guards: [exists Station]\n        success: { data: Station.whole }\n\n      look_closer:\n        POST: /stations/:id\n        path: { id: Station.id }\n        guards: [exists Station]\n        undeclared: It only looks.\n        event: none\n        success: { data: Station.whole }",
    );
    let contract = contract.replace("searches: { methods: [GET]", "searches: { methods: [GET, POST]");
    let document = openapi_json(&understood(&contract), Version::V3_1, Some("finder"));
    let item = &document["paths"]["/find/stations/{station}"];
    assert_eq!(item["post"]["parameters"][0]["name"], "station");
    assert_eq!(item["x-other-methods"]["headers"]["Allow"], "GET, POST");
    assert!(document["paths"].get("/find/stations/{id}").is_none());
}

#[test]
fn an_error_example_has_the_text_of_its_operation() {
    let document = lockers("courier");
    let moved = operation(&document, "courier_move_parcel")["responses"]["409"].clone();
    let error = &moved["content"][OF_ERRORS]["examples"]["wrong_turn"]["value"]["error"];
    assert_eq!(error["detail"], "parcel 7 is cancelled and cannot be in_transit next");
    assert_eq!((&error["title"], &error["status"]), (&json!("Wrong Turn"), &json!(409)));
    let absent = operation(&document, "courier_store_parcel")["responses"]["404"].clone();
    let examples = absent["content"][OF_ERRORS]["examples"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    let names: Vec<&String> = examples.keys().collect();
    assert_eq!(names, ["unknown_compartment", "unknown_parcel"]);
}

#[test]
fn an_invalid_request_has_an_example_of_its_faults() {
    let document = lockers("courier");
    let invalid = operation(&document, "courier_announce_parcel")["responses"]["422"].clone();
    let examples = invalid["content"][OF_ERRORS]["examples"].as_object();
    let example = examples.and_then(|all| all.values().find(|one| one["value"].get("faults").is_some()));
    let example = &example.expect("one lists faults")["value"];
    let fault = &example["faults"][0];
    assert_eq!(
        (&fault["of"], &fault["text"]),
        (&json!("request"), &example["error"]["detail"])
    );
    assert!(
        fault["text"]
            .as_str()
            .is_some_and(|text| text.contains(fault["place"].as_str().expect("a place")))
    );
    assert_eq!(example["at"]["path"], "/courier/v1");
}

#[test]
fn a_move_is_no_error_where_any_state_may_follow_any() {
    let errors = operation(&lockers("depot"), "depot_set_station_status")["x-errors"].clone();
    assert!(
        !errors
            .as_array()
            .is_some_and(|errors| errors.contains(&"wrong_turn".into())),
        "{errors}"
    );
}

#[test]
fn a_limit_reports_itself_only_where_it_has_counted() {
    let document = lockers("courier");
    let headers = |status: &str| {
        let response = operation(&document, "courier_list_parcels")["responses"][status].clone();
        let place = response["$ref"]
            .as_str()
            .map(|place| place.trim_start_matches('#').to_owned());
        let response = place
            .and_then(|place| document.pointer(&place).cloned())
            .unwrap_or(response);
        response["headers"].clone()
    };
    assert!(headers("401").get("Lockers-Remaining").is_none());
    for status in ["200", "422", "429"] {
        assert!(headers(status).get("Lockers-Remaining").is_some(), "{status}");
    }
    assert_eq!(headers("429")["Retry-After"]["schema"]["type"], "integer");
}

#[test]
fn a_decision_about_another_surface_is_left_out() {
    let hitode = &MODELS[0];
    let decided = |surface| {
        let document = openapi_json(hitode, Version::V3_1, surface);
        let decisions = document["x-decisions"].as_array().cloned().unwrap_or_default();
        decisions
            .into_iter()
            .filter_map(|one| one["at"].as_str().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let is_of_agent = |at: &String| at.starts_with("surfaces.agent.");
    assert!(decided(None).iter().any(is_of_agent) && decided(Some("agent")).iter().any(is_of_agent));
    assert!(!decided(Some("worker")).iter().any(is_of_agent));
}

#[test]
fn a_decision_that_opens_operations_is_described_at_them() {
    let hitode = &MODELS[0];
    let is_said = |surface: &str| {
        let document = openapi_json(hitode, Version::V3_1, Some(surface));
        let decisions = document["x-decisions"].as_array().cloned().unwrap_or_default();
        decisions.iter().any(|one| one["name"] == "bounty-workers")
    };
    assert_eq!(["worker", "agent"].map(is_said), [true, false]);
    let document = openapi_json(hitode, Version::V3_1, Some("worker"));
    let open = document["paths"]["/worker/v1/bounties/{id}"]["get"]["x-open"].clone();
    assert_eq!(open, "bounty-workers");
}

#[test]
fn an_id_names_its_resource_and_a_view_the_member_with_its_own() {
    let schemas = &lockers("recipient")["components"]["schemas"];
    assert_eq!(schemas["ParcelId"]["x-ref"], "Parcel");
    assert_eq!(schemas["ParcelArrival"]["x-id"], "id");
}

/// The credentials of the first surface come first, wherever the contract declares them.
#[test]
fn credentials_stand_in_the_order_of_the_surfaces() {
    let (_, contract) = CONTRACTS[1];
    let first = contract.lines().find(|line| line.starts_with("  terminal_key: "));
    let first = format!("{}\n", first.expect("couriers have a credential"));
    let moved = contract
        .replace(&first, "")
        .replacen("\n\ntypes:\n", &format!("\n{first}\ntypes:\n"), 1);
    assert_ne!(moved, contract);
    let document = document(&understood(&moved), Version::V3_1, None)
        .expect("all surfaces")
        .compact();
    let (_, schemes) = document
        .split_once("\"securitySchemes\":")
        .expect("there are credentials");
    let at = |name: &str| schemes.find(&format!("\"{name}\":{{\"type\"")).expect(name);
    assert!(at("terminal_key") < at("pass") && at("pass") < at("badge"));
}

#[test]
fn the_language_describes_a_timestamp_as_it_is_sent() {
    let form = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "0");
    let choice = BUILT_IN_TYPES.iter().find(|choice| choice.word == "timestamp");
    let described = choice.expect("it is built in").doc.split('`').nth(1).map(form);
    let schema = &lockers("courier")["components"]["schemas"]["Timestamp"];
    assert_eq!(described, schema["examples"][0].as_str().map(form));
}
