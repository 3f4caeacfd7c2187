//! Limits, wrong input, and the file of the state.

use crate::library::{Library, NOON, secret};
use bytes::Bytes;
use mock::{Journal, Options};

#[test]
fn limits_count_by_card_by_reader_and_by_address() {
    let library = Library::open(Options::default());
    let ann = library.reader("Ann");
    let other = secret(&library.call("POST /v1/cards", &ann, ""));
    let rejected = |card: &str| {
        (0..12)
            .filter(|_| library.call("GET /v1/me", card, "").starts_with("429"))
            .count()
    };
    assert_eq!(
        (rejected(&ann), rejected(&other)),
        (4, 9),
        "9 of a card, and 12 of a reader"
    );
    let guess = || library.call("GET /v1/me", "guess", "");
    assert_eq!(
        [guess(), guess(), guess()].map(|answer| answer[..3].to_owned()),
        ["401", "401", "429"]
    );
    library.wait(60);
    assert!(library.call("GET /v1/me", &other, "").starts_with("200"));
    let parts = library.request("GET /v1/me", &other);
    let response = library.mock.handle(&parts, Bytes::new(), None, NOON + 61_500);
    assert_eq!(response.headers()["X-Left"], "reads 7 59");
}

#[test]
fn wrong_input_is_answered_with_all_validation_errors() {
    let (library, [ann, _]) = Library::filled();
    let check = |call: &str, body: &str, text: &str| {
        let text = format!(r#"400 {{"ok":false,"code":"invalid","error":"{text}"}}"#);
        library.check(call, if call.contains("desk") { "badge" } else { &ann }, body, &text);
    };
    check(
        "GET /v1/books?titel=x&size=0&size=1",
        "",
        "`titel` is not known here, did you mean `title`?; `size` must be given only once",
    );
    check(
        "POST /desk/readers",
        r#"{"nam":1}"#,
        "`nam` is not known here, did you mean `name`?; `name` is required",
    );
    check(
        "PATCH /desk/readers/x",
        "{}",
        "`id` must be an integer; the body must have at least one of `name`, `is_barred`",
    );
    check(
        "POST /desk/books",
        r#"{"books":[{"title":"","language":null,"tags":[{"name":"A"},{"name":"a"}]}]}"#,
        "`books[0].title` must have 1 to 20 characters, this has 0; `books[0].language` must not be null; `books[0].tags[1].name` must not be in the list twice",
    );
    library.check(
        "GET /v1/books/007",
        &ann,
        "",
        &library.call("GET /v1/books/7", &ann, "").replace('7', "007"),
    );
    assert!(
        library
            .call("POST /desk/readers", "badge", &"x".repeat(1001))
            .starts_with("413")
    );
    for odd in [
        "GET /",
        "GET /v1",
        "GET /v1/",
        "GET /v1/books/",
        "POST /v1/books/%ff/loans",
        "GET /v1/books/%00",
    ] {
        let answer = library.call(odd, &ann, "\u{0}");
        assert!(!answer.starts_with('5'), "{odd}: {answer}");
    }
    library.check("BREW /", &ann, "", "405 this can only be read: GET or HEAD\n");
    library.check(
        "PUT /v1/me",
        &ann,
        "",
        r#"405 {"ok":false,"code":"no_method","error":"use GET"}"#,
    );
}

#[test]
fn the_state_is_kept_in_a_file_and_a_torn_line_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state");
    let open = || {
        Library::open(Options {
            journal: Some(Journal::open(&file, "library").unwrap()),
            ..Options::default()
        })
    };
    let library = open();
    let ann = library.reader("Ann");
    let me = library.call("GET /v1/me", &ann, "");
    drop(library);
    let mut kept = std::fs::read(&file).unwrap();
    kept.extend_from_slice(b"{\"last\":{\"Reader\":7");
    std::fs::write(&file, kept).unwrap();
    let library = open();
    assert_eq!(library.call("GET /v1/me", &ann, ""), me);
    assert!(Journal::open(&file, "library").is_err(), "it is in use");
    assert!(
        library
            .call("POST /desk/readers", "badge", r#"{"name":"Bob"}"#)
            .contains(r#""id":2"#)
    );
    drop(library);
    assert!(Journal::open(&file, "other").is_err(), "it is of another contract");
}
