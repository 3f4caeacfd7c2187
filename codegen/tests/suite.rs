//! What is tried of a small contract, and what the verifier knows of each operation.

use codegen::model::IdSource;
use conformance::{Level, Probes, Suite};
use std::collections::BTreeSet;
use std::sync::LazyLock;

const LIBRARY: &str = include_str!("ui/base.yaml");
static SUITE: LazyLock<&Suite> = LazyLock::new(|| Suite::from_source(LIBRARY, "library.yaml"));
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let tests = SUITE.tests().map(|(name, _)| name);
    tests.chain(Probes::names(SUITE.contract.model, Level::Texts)).collect()
});

#[track_caller]
fn has(tests: &[&str]) {
    for test in tests {
        assert!(NAMES.contains(*test), "no {test} in {:#?}", *NAMES);
    }
}

#[track_caller]
fn has_no(tests: &[&str]) {
    for test in tests {
        assert!(!NAMES.contains(*test), "there is {test}");
    }
}

#[test]
fn both_sides_of_each_bound_are_tried() {
    let longest = |length: usize| {
        let start = format!("desk::create_book::title is \"{}", "😀".repeat(19));
        let end = format!("({} characters)", length + 2);
        NAMES
            .iter()
            .any(|name| name.starts_with(&start) && name.ends_with(&end))
    };
    assert!(longest(100) && longest(101), "{:#?}", *NAMES);
    has(&[
        "desk::create_book::price is 1000",
        "desk::create_book::price is 1000.01",
        "desk::create_book::price is 0",
        "desk::create_book::price is 0.01",
        "desk::create_book::authors is []",
        "reading::list_books::size is 50",
        "reading::list_books::size is 51",
        "reading::list_books::size is 0",
    ]);
}

#[test]
fn presence_is_tried_as_the_body_says() {
    has(&[
        "desk::create_book::no title",
        "desk::create_book::title is null",
        "desk::create_book::price is null",
        "desk::update_book::title alone",
        "desk::update_book::body {}",
    ]);
}

#[test]
fn errors_and_limits_are_tried_where_they_are_declared() {
    has(&[
        "reading::create_loan::error missing",
        "reading::create_loan::error missing and decode",
        "reading::create_loan::error missing and another method",
        "reading::create_loan::quota",
        "reading::create_loan::limit_writes",
        "reading::create_loan::too_many_failed_credentials",
        "reading::limits::reads_is_exact",
        "reading::limits::reads_is_apart_from_writes",
    ]);
    // An item that no filter names is decided by the handler.
    has_no(&["reading::list_books::is_lent of the rows, in other forms"]);
}

#[test]
fn an_operation_is_described_with_its_line() {
    let operation = |name: &str| SUITE.operation(name).expect(name);
    let loan = operation("reading::create_loan");
    assert!(loan.at.starts_with("library.yaml:"), "{}", loan.at);
    assert_eq!(
        (loan.declared.method.as_str(), loan.path),
        ("POST", "/v1/volumes/:id/loans")
    );
    assert_eq!(operation("reading::end_loan").allow, ["PATCH", "DELETE"]);
    let exists = loan.exists.iter().map(|one| (&*one.resource.name, one.id, one.within));
    let id = IdSource::Path("id".to_owned());
    assert_eq!(exists.collect::<Vec<_>>(), [("Volume", &id, None)]);
    let books = operation("reading::list_books");
    let size = books.query.iter().find(|member| member.name == "size");
    assert_eq!(size.and_then(|size| size.default), Some("20"));
}
