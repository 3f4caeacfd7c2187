//! Descriptions of fields, parameters and values in documents.

use super::details::{lockers, operation};
use super::openapi_json;
use crate::language::MODELS;
use codegen::documents::openapi::Version;
use serde_json::json;

#[test]
fn a_field_is_described_wherever_it_is_sent_or_shown() {
    let document = lockers("courier");
    let body = operation(&document, "courier_announce_parcel")["requestBody"].clone();
    let sent = &body["content"]["application/json"]["schema"]["properties"]["weight"];
    let in_view = &document["components"]["schemas"]["ParcelRow"]["properties"]["weight"];
    for member in [sent, in_view] {
        assert_eq!(member["description"], "Its weight in kilograms.");
        assert_eq!(member["$ref"], "#/components/schemas/Kilograms");
    }
}

#[test]
fn a_text_stands_beside_a_reference_in_one_version_and_around_it_in_the_other() {
    let lockers = &MODELS[1];
    let weight = |version| {
        let document = openapi_json(lockers, version, None);
        document["components"]["schemas"]["ParcelRow"]["properties"]["weight"].clone()
    };
    let (target, text) = ("#/components/schemas/Kilograms", "Its weight in kilograms.");
    assert_eq!(weight(Version::V3_1), json!({ "$ref": target, "description": text }));
    let around = json!({ "allOf": [{ "$ref": target }], "description": text });
    assert_eq!(weight(Version::V3_0), around);
}

#[test]
fn a_parameter_is_described_once() {
    let document = openapi_json(&MODELS[1], Version::V3_1, None);
    let described = |id: &str, name: &str| {
        let parameters = operation(&document, id)["parameters"].clone();
        let mut parameters = parameters.as_array().cloned().unwrap_or_default().into_iter();
        let found = parameters.find(|one| one["name"] == name).expect("it is there");
        found["description"].as_str().map(str::to_owned)
    };
    for (id, name, text) in [
        (
            "finder_list_stations",
            "city",
            "The name of a city or a part of it. Only items whose `city` contains this text. Case is ignored. Names of one value \
             are the same: `Frankfurt (Oder)`, `Frankfurt an der Oder`; also those of 1 more.",
        ),
        (
            "finder_list_stations",
            "code",
            "Only items with this `code`. Names of one value are the same: `HBF`, `MAIN`, `CENTRAL`.",
        ),
        (
            "finder_list_stations",
            "page_size",
            "The maximum number of items on a page.",
        ),
        ("finder_get_station", "station", "The id of the station."),
    ] {
        assert_eq!(described(id, name).as_deref(), Some(text), "{id}, {name}");
    }
}

#[test]
fn values_are_described_with_their_enum_and_for_generators_of_clients() {
    let document = openapi_json(&MODELS[1], Version::V3_1, None);
    let schemas = &document["components"]["schemas"];
    let whole = schemas["ParcelStatus"]["description"].as_str().unwrap_or_default();
    assert!(
        whole.starts_with("The initial value is `announced`.") && whole.contains("\n\n- `announced`: Announced, and ")
    );
    assert_eq!(
        schemas["CourierMove"]["x-enum-descriptions"],
        json!([
            "On its way.",
            "Returned to its sender.",
            "Cancelled before it was sent."
        ])
    );
    let kinds = json!(["", "", "", "Described in the note."]);
    assert_eq!(schemas["DefectKind"]["x-enum-descriptions"], kinds);
    assert!(schemas["Position"].get("x-enum-descriptions").is_none());
}
