//! Contracts of other shapes than the library.

use bytes::Bytes;
use http::Request;
use mock::{Mock, Options};

const CLINIC: &str = include_str!("../../cli/tests/shapes/petclinic.yaml");
const SHELF: &str = include_str!("../../cli/tests/shapes/deleted_record_returned.yaml");
const LINKS: &str = include_str!("../../cli/tests/shapes/guarded_field.yaml");

fn start(contract: &str) -> Mock {
    let model = codegen::compile(contract).unwrap_or_else(|errors| panic!("{errors:?}"));
    Mock::new(Box::leak(Box::new(model)), Options::default())
}

/// The status and the body of an answer to a caller with this key.
fn call(mock: &Mock, call: &str, key: &str, body: &str) -> String {
    let (method, target) = call.split_once(' ').expect("a method and a target");
    let request = Request::builder().method(method).uri(target);
    let request = request.header("Content-Type", "application/json").header("X-Key", key);
    let (parts, ()) = request.body(()).expect("it can be sent").into_parts();
    let response = mock.handle(&parts, Bytes::from(body.to_owned()), "127.0.0.1".parse().ok(), 0);
    let text = String::from_utf8_lossy(response.body());
    format!("{} {text}", response.status().as_u16())
}

const ANN: &str = r#"{"firstName":"Ann","lastName":"Bee","address":"1 Sea Road","city":"Hull","telephone":"123"}"#;

fn clinic() -> Mock {
    let mock = start(CLINIC);
    assert!(call(&mock, "POST /api/owners", "", ANN).starts_with("201"));
    mock
}

#[test]
fn a_deleted_record_is_shown_as_it_was() {
    let mock = clinic();
    assert!(call(&mock, "POST /api/pettypes", "", r#"{"name":"cat"}"#).starts_with("200"));
    let pet = r#"{"name":"Tom","birthDate":"2020-01-31","typeId":1}"#;
    assert!(call(&mock, "POST /api/owners/1/pets", "", pet).starts_with("201"));
    let shown = call(&mock, "GET /api/owners/1", "", "");
    assert!(shown.contains(r#""typeName":"cat""#), "{shown}");
    assert_eq!(call(&mock, "DELETE /api/owners/1", "", ""), shown);
    assert!(call(&mock, "GET /api/owners/1", "", "").starts_with("404"));
    assert_eq!(call(&mock, "GET /api/owners", "", ""), r#"200 {"data":[]}"#);
}

#[test]
fn members_of_an_answer_are_those_of_the_deleted_record() {
    let members = "ends: Book\n        success:\n          data: { id: Book.id, title: title }";
    let contract = SHELF.replace("ends: Book\n        success:\n          data: Book.item", members);
    assert_ne!(contract, SHELF);
    let mock = start(&contract);
    call(&mock, "POST /v1/books", "", r#"{"title":"Dune"}"#);
    let deleted = call(&mock, "DELETE /v1/books/1", "", "");
    assert_eq!(deleted, r#"200 {"ok":true,"data":{"id":1,"title":"Dune"}}"#);
}

#[test]
fn a_joined_member_that_cannot_be_null_has_a_value_for_an_unknown_id() {
    let mock = clinic();
    let pet = r#"{"name":"Tom","birthDate":"2020-01-31","typeId":999}"#;
    let made = call(&mock, "POST /api/owners/1/pets", "", pet);
    assert!(made.contains(r#""typeId":999,"typeName":""#), "{made}");
    let shown = call(&mock, "GET /api/owners/1/pets/1", "", "");
    assert_eq!(shown.strip_prefix("200"), made.strip_prefix("201"), "it stays");
}

#[test]
fn a_guard_finds_the_id_in_a_field_of_the_bodys_resource() {
    let mock = start(LINKS);
    let [ann, bob] = ["Ann", "Bob"].map(|name| {
        let made = call(&mock, "POST /admin/users", "", &format!(r#"{{"name":"{name}"}}"#));
        let (_, rest) = made.split_once(r#""key":""#).expect("a key");
        rest.split('"').next().unwrap_or_default().to_owned()
    });
    assert!(call(&mock, "POST /v1/notes", &ann, r#"{"text":"tea"}"#).starts_with("201"));
    let link = |key: &str, note: u32| {
        call(
            &mock,
            "POST /v1/links",
            key,
            &format!(r#"{{"note_id":{note},"label":"x"}}"#),
        )
    };
    assert_eq!(link(&ann, 999), r#"404 {"ok":false,"error":"there is no note 999"}"#);
    assert_eq!(link(&bob, 1), r#"404 {"ok":false,"error":"there is no note 1"}"#);
    assert_eq!(link(&ann, 1), r#"201 {"ok":true,"data":{"id":1}}"#);
}
