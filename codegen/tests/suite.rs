//! The suite of a small contract: what its tests send, and what it knows of each operation.

use codegen::model::{Filter, FilterBy, IdSource, Matching};
use conformance::{
    Access, Caller, Credential, IdOrigin, LimitedService, Origin, Reader, Request, RequestedResources, Response, Suite,
    World,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex};

const LIBRARY: &str = include_str!("ui/base.yaml");
static SUITE: LazyLock<&Suite> = LazyLock::new(|| Suite::from_source(LIBRARY, "library.yaml"));
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| SUITE.tests().map(|(name, _)| name).collect());

/// A world that keeps the first request of a test and answers nothing of use.
#[derive(Default)]
struct Recorder(Mutex<Option<Request>>);

impl World for Recorder {
    fn call(&self, request: &Request) -> Response {
        self.0
            .lock()
            .expect("no test panics in here")
            .get_or_insert_with(|| request.clone());
        Response {
            status: 500,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    fn call_held(&self, request: &Request, _: &mut dyn FnMut()) -> Response {
        self.call(request)
    }

    fn caller(&self, credential: &'static Credential, _: Option<&str>) -> Caller {
        Caller {
            secret: "secret".to_owned(),
            id: 1,
            kind: &credential.name,
        }
    }

    fn set_access(&self, _: &Caller, _: Access<'_>) {}

    fn create(&self, _: &str, _: &Caller, _: Option<(&str, i64)>) -> i64 {
        1
    }

    fn quota_usage(&self, _: &str) -> u64 {
        0
    }

    fn arrange_error(&self, _: &str, _: &Caller, _: &mut RequestedResources) {}

    fn limited_service(&self) -> Box<dyn LimitedService> {
        unimplemented!()
    }
}

/// The first request of a test.
#[track_caller]
fn sent(name: &str) -> Request {
    let (_, test) = SUITE.tests().find(|(known, _)| known == name).expect(name);
    let world: &'static Recorder = Box::leak(Box::default());
    test.run(world).failure().expect("the answer is wrong");
    world
        .0
        .lock()
        .expect("no test panics in here")
        .take()
        .expect("it sends something")
}

#[track_caller]
fn body(name: &str) -> Value {
    serde_json::from_slice(&sent(name).body.expect("it has a body")).expect("it is JSON")
}

#[track_caller]
fn sends(name: &str, member: &str, value: Value) {
    assert_eq!(body(&format!("desk::create_book::{name}"))[member], value, "{name}");
}

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
    let length = |name: &str, member: &str| body(name)[member].as_str().expect("a text").chars().count();
    assert_eq!(length("desk::create_book::title_at_max", "title"), 100);
    assert_eq!(length("desk::create_book::title_above_max", "title"), 101);
    sends("price_at_max", "price", json!(1000));
    sends("price_above_max", "price", json!(1000.01));
    sends("price_at_excluded_min", "price", json!(0));
    sends("price_just_above_min", "price", json!(0.01));
    sends("price_with_a_decimal_too_many", "price", json!(0.125));
    sends("authors_below_min", "authors", json!([]));
    let authors = &body("desk::create_book::authors_with_duplicates")["authors"];
    assert_eq!(authors[0]["name"], authors[1]["name"]);
    for (name, query) in [("size_above_max", "size=51"), ("size_below_min", "size=0")] {
        let target = sent(&format!("reading::list_books::{name}")).target;
        assert!(target.contains(query), "{target}");
    }
}

#[test]
fn presence_is_tried_as_the_body_says() {
    assert!(body("desk::create_book::title_missing").get("title").is_none());
    sends("title_null", "title", json!(null));
    sends("price_null", "price", json!(null));
    let alone = body("desk::update_book::title_alone");
    assert_eq!(
        alone.as_object().expect("an object").keys().collect::<Vec<_>>(),
        ["title"]
    );
    assert_eq!(body("desk::update_book::no_member_at_all"), json!({}));
    assert_eq!(
        body("desk::create_book::authors_name_misspelt")["authors"][0]["namee"],
        json!(1)
    );
    has_no(&["desk::create_book::price_missing"]);
}

#[test]
fn guards_moves_lists_and_limits_are_tried_where_they_are_declared() {
    has(&[
        "reading::create_loan::plan_child",
        "reading::create_loan::rule_lent",
        "reading::create_loan::quota",
        "reading::create_loan::limit_writes",
        "reading::create_loan::too_many_failed_credentials",
        "reading::create_loan::adults_comes_first",
        "reading::get_volume::volume_of_another_parent",
        "reading::end_loan::move_out_to_back",
        "reading::limits::reads_is_exact",
        "reading::limits::reads_is_apart_from_writes",
        "reading::list_books::filters_none",
        "reading::list_books::filters_tag_and_max_price",
        "reading::list_books::pages_of_default_size",
        "reading::list_loans::filter_caller",
    ]);
    // There is only the first page; and an item that no filter names is decided by the handler.
    has_no(&[
        "reading::list_books::pages_past_the_end",
        "reading::list_books::filter_is_lent",
    ]);
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
    let order = books.order.iter().map(|key| (key.view_member, key.is_reversed));
    assert_eq!(order.collect::<Vec<_>>(), [(Some("title"), false), (Some("id"), true)]);
    let size = books.query.iter().find(|member| member.name == "size");
    assert_eq!(size.and_then(|size| size.default), Some("20"));
}

#[test]
fn written_values_are_read_by_other_operations() {
    let write = SUITE.operation("desk::create_book").expect("it is there");
    let read = write
        .traces()
        .iter()
        .find(|trace| trace.operation.name == "reading::get_book");
    let read = read.expect("it shows the book");
    assert_eq!((read.reader, read.id_origin), (Reader::Anyone, IdOrigin::InData("id")));
    assert_eq!(read.named, [("Book", IdOrigin::InData("id"))]);
    let members = read.members.iter().map(|one| (one.member, one.otherwise));
    assert_eq!(
        members.collect::<Vec<_>>(),
        [
            (Some("title"), None),
            (Some("tags"), Some("[]")),
            (Some("price"), Some("null")),
            (Some("cover"), Some("null")),
        ]
    );
}

#[test]
fn a_list_is_tested_with_items_that_another_operation_creates() {
    let list = |name: &str| SUITE.operation(name).and_then(|one| one.list()).expect(name);
    let books = list("reading::list_books");
    let shown: Vec<_> = books.shows.iter().map(|(name, of)| (*name, of.to_string())).collect();
    assert!(shown.contains(&("by", "authors[].name".to_owned())), "{shown:?}");
    let filters = books.filters.as_ref().expect("they are known");
    let least = FilterBy::Query("min_price".to_owned(), Matching::AtLeast);
    let is_least = |filter: &Filter| filter.by == least && filter.field.field() == "price";
    assert!(filters.iter().any(|filter| is_least(filter.declared)));
    let fields = |name| format!("{:?}", list(name).creator.as_ref().expect("it is known").fields);
    let price = format!("{:?}", ("price", Origin::Member("price", Some("null"))));
    assert!(fields("reading::list_books").contains(&price));
    for (field, origin) in [("reader_id", Origin::Caller), ("status", Origin::Always("\"out\""))] {
        let wanted = format!("{:?}", (field, origin));
        assert!(fields("reading::list_loans").contains(&wanted), "{wanted}");
    }
}

/// For all characters of a text and all notations of a number in the contract.
#[test]
fn a_default_is_json() {
    let members = r#"{ until: date, note: 'name = Café''s "best"', copies: count = +07 }"#;
    let suite = Suite::from_source(&LIBRARY.replace("{ until: date }", members), "library.yaml");
    let body = suite.operation("reading::create_loan").and_then(|loan| loan.body);
    let Some(conformance::Type::Object(members)) = body else {
        panic!("{body:?}")
    };
    let note = serde_json::to_string(r#"Café's "best""#).expect("a text");
    for (name, json) in [("note", note.as_str()), ("copies", "7")] {
        let member = members.iter().find(|member| member.name == name).expect(name);
        assert_eq!(member.default, Some(json));
    }
}
