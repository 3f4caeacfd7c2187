//! What probes try of a small contract.

use conformance::{Contract, Level, Probes};
use std::collections::BTreeSet;
use std::sync::LazyLock;

const LIBRARY: &str = include_str!("ui/base.yaml");
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let contract = Contract::from_source(LIBRARY, "library.yaml");
    Probes::names(contract.model, Level::Texts).into_iter().collect()
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
        "reading::create_loan::quota open_loans",
        "reading::create_loan::limits: writes",
        "reading::create_loan::limits: guesses",
    ]);
    // An item that no filter names is decided by the handler.
    has_no(&["reading::list_books::is_lent of the rows, in other forms"]);
}
