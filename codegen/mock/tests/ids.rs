//! Ids that are UUIDs: those that the mock chooses, and those that it follows.

use crate::library::{Library, NOON};
use bytes::Bytes;
use codegen::model::{Ids, RecordId};
use mock::Choices;

/// A library with one book, whose loans have UUIDs of version 7.
fn library() -> Library {
    let library = Library::with_uuids();
    let book = r#"{"books":[{"title":"a","language":"English","tags":[]}]}"#;
    library.check(
        "POST /desk/books",
        "badge",
        book,
        r#"201 {"ok":true,"data":{"ids":[1]}}"#,
    );
    library
}

/// Follows a server that has chosen this id for a loan of a new reader. Returns what is wrong with it.
fn objections(library: &Library, id: RecordId) -> Vec<String> {
    let choices = Choices {
        ids: vec![("Loan".to_owned(), id)],
        ..Choices::default()
    };
    let parts = library.request("POST /v1/books/1/loans", &library.reader("Ann"));
    let (response, objections) = library.mock.follow((&parts, Bytes::from("{}")), None, NOON, choices);
    assert_eq!(response.status(), 201, "{response:?}");
    objections
}

#[test]
fn ids_of_version_7_must_ascend() {
    let library = library();
    let id = |number| Ids::in_order(number, 0);
    assert_eq!(objections(&library, id(1 << 40)), [""; 0]);
    assert_eq!(objections(&library, id(2 << 40)), [""; 0]);
    let wanted = ["the id of a new Loan is no UUID of version 7 above all former ones"];
    assert_eq!(objections(&library, id(2 << 40)), wanted, "the same again");
    assert_eq!(objections(&library, id(3 << 39)), wanted, "an earlier one");
    let other = Ids::UuidV4.from_bits(u128::MAX);
    assert_eq!(objections(&library, other), wanted, "another version");
    assert_eq!(objections(&library, RecordId::Number(7)), wanted, "a number");
}

#[test]
fn an_id_that_the_mock_chooses_is_above_those_of_the_server() {
    let library = library();
    // The clock of the server is an hour ahead.
    let ahead = Ids::in_order((NOON + 3_600_000) << 5, 0);
    assert_eq!(objections(&library, ahead), [""; 0]);
    let made = library.call("POST /v1/books/1/loans", &library.reader("Bob"), "{}");
    let id = made.split(r#""id":""#).nth(1).and_then(|rest| rest.split('"').next());
    let id = id.and_then(|id| Ids::UuidV7.read(id));
    let id = id.unwrap_or_else(|| panic!("{made}"));
    assert!(id > ahead && id.version() == Some(7), "{id}");
}
