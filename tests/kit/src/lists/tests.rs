//! The trials of lists, held against a service that is right, and against one with each kind of mistake.

use super::described::{Creator, Filter, FilterBy, List, Matching, Origin, Pages, SortKey, Source};
use crate::attempt::Attempt;
use crate::contract::{Contract, Credential, Operation, Part};
use crate::types::{Member, Type};
use crate::world::{Arranged, Caller, Front, Request, Response, Standing, World};
use serde_json::{Map, Value as Json, json};
use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

static NAME: Type = Type::Text {
    min: 1,
    max: Some(20),
    chars: None,
};
static COUNT: Type = Type::Integer {
    min: Some(0),
    max: Some(9),
};
static SIZE: Type = Type::Integer {
    min: Some(1),
    max: Some(50),
};
static OFFSET: Type = Type::Integer {
    min: Some(0),
    max: None,
};
static COLOUR: Type = Type::Word(&["red", "green", "blue"]);
static BODY: Type = Type::Object(&[
    Member::required("name", &NAME),
    Member::required("pieces", &COUNT),
    Member::optional("colour", &COLOUR),
]);
static ROW: Type = Type::Object(&[
    Member::required("id", &Type::Id("Cup")),
    Member::required("name", &NAME),
    Member::required("pieces", &COUNT),
    Member::nullable("colour", &COLOUR),
]);
static KEY: Credential = Credential {
    name: "key",
    header: "Key",
    caller: Some("Owner"),
    plans: &[],
    suspends: false,
    prefix: "",
    random: 0,
};
static CONTRACT: Contract = Contract {
    rows: &[],
    success: &[("data", Part::IfAny("data")), ("...", Part::IfAny("siblings"))],
    error: &[],
    headers: &[],
    limits: &[],
    limit_headers: &[],
    credentials: &[],
};
const PLAIN: Operation = Operation {
    name: "",
    at: "cups.yaml:1",
    method: "",
    path: "/cups",
    allow: &[],
    credential: Some(&KEY),
    limit: None,
    plan: None,
    parameters: &[],
    query: &[],
    constraints: &[],
    body: None,
    partial: false,
    max_bytes: 1000,
    exists: &[],
    owned: &[],
    quota: None,
    transitions: None,
    status: 200,
    data: None,
    message: None,
    siblings: &[],
    sort: &[],
    pages: None,
    list: None,
    traces: &[],
};
static MAKE: Operation = Operation {
    name: "make",
    method: "POST",
    body: Some(&BODY),
    data: Some(&Type::Object(&[Member::required("id", &Type::Id("Cup"))])),
    ..PLAIN
};

const fn filter(name: &'static str, by: FilterBy, field: &'static str) -> Filter {
    Filter {
        name,
        rule: name,
        at: "cups.yaml:2",
        by,
        source: Source::of(field),
    }
}

const fn key(field: &'static str, of: &'static Type, is_reversed: bool) -> SortKey {
    SortKey {
        field,
        shown: Some(field),
        of,
        is_reversed,
    }
}

static QUERY: [Member; 4] = [
    Member::optional("colour", &COLOUR),
    Member::optional("least", &COUNT),
    Member::optional("size", &SIZE).or("5"),
    Member::optional("offset", &OFFSET).or("0"),
];
static ROWS: Type = Type::List {
    of: &ROW,
    min: 0,
    max: None,
    unique: None,
};
static SHOWS: [(&str, Source); 3] = [
    ("name", Source::of("name")),
    ("pieces", Source::of("pieces")),
    ("colour", Source::of("colour")),
];
static ORDER: [SortKey; 2] = [key("pieces", &COUNT, true), key("id", &Type::Id("Cup"), false)];
static FILTERS: [Filter; 3] = [
    filter("caller", FilterBy::Caller, "owner_id"),
    filter("colour", FilterBy::Query("colour", Matching::Equal), "colour"),
    filter("least", FilterBy::Query("least", Matching::AtLeast), "pieces"),
];
const CREATOR: Creator = Creator {
    operation: &MAKE,
    id: "id",
    fields: &[
        ("id", Origin::Id),
        ("owner_id", Origin::Caller),
        ("name", Origin::Member("name", None)),
        ("pieces", Origin::Member("pieces", None)),
        ("colour", Origin::Member("colour", Some("null"))),
    ],
    may_repeat: true,
    mover: None,
};
const PAGES: Pages = Pages {
    size: "size",
    offset: Some("offset"),
    number: None,
    total: Some("total"),
    at: "cups.yaml:3",
};

/// The list of one's own cups. Each service has a list of its own name, since rows are made once for each.
fn list(name: &'static str) -> Operation {
    Operation {
        name,
        method: "GET",
        query: &QUERY,
        data: Some(&ROWS),
        siblings: &["total"],
        pages: Some(PAGES),
        list: Some(List {
            resource: "Cup",
            id: "id",
            shows: &SHOWS,
            order: &ORDER,
            filters: Some(&FILTERS),
            creator: Some(CREATOR),
        }),
        ..PLAIN
    }
}

/// What a service of cups may do wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    OrderReversed,
    TiesReversed,
    StrangersCups,
    ColourIgnored,
    LeastIgnored,
    LeastExclusive,
    TotalTooHigh,
    TotalOfThePage,
    OffsetByOne,
    LastRowMissing,
    DefaultSizeByOne,
    SizeByOne,
    OtherName,
    ACupForgotten,
}

/// A service of cups.
struct Cups {
    mistake: Mistake,
    cups: Mutex<Vec<Json>>,
    owners: Mutex<i64>,
}

impl Cups {
    fn make(&self, owner: i64, request: &Request) -> Json {
        let mut cup: Map<String, Json> =
            serde_json::from_slice(request.body.as_deref().expect("a body")).expect("an object");
        let mut cups = self.cups.lock().unwrap();
        let id = cups.len() + 1;
        cup.entry("colour").or_insert(Json::Null);
        cup.extend([("id".to_owned(), json!(id)), ("owner".to_owned(), json!(owner))]);
        cups.push(Json::Object(cup));
        json!({ "data": { "id": id } })
    }

    fn list(&self, owner: i64, request: &Request) -> Json {
        let is = |mistake| self.mistake == mistake;
        let query = request.target.split_once('?').map_or("", |(_, query)| query);
        let given = |name: &str| {
            query
                .split('&')
                .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
        };
        let number = |name| given(name).and_then(|text| text.parse::<i64>().ok());
        let mut found = self.cups.lock().unwrap().clone();
        found.retain(|cup| {
            let pieces = cup["pieces"].as_i64();
            let enough = |least| pieces > Some(least) || (pieces == Some(least) && !is(Mistake::LeastExclusive));
            (cup["owner"] == json!(owner) || is(Mistake::StrangersCups))
                && (given("colour").is_none_or(|colour| cup["colour"] == colour) || is(Mistake::ColourIgnored))
                && (number("least").is_none_or(enough) || is(Mistake::LeastIgnored))
                && !(is(Mistake::ACupForgotten) && cup["id"] == 7)
        });
        let id = |cup: &Json| cup["id"].as_i64();
        found.sort_by_key(|cup| (Reverse(cup["pieces"].as_i64()), id(cup)));
        if is(Mistake::TiesReversed) {
            found.sort_by_key(|cup| (Reverse(cup["pieces"].as_i64()), Reverse(id(cup))));
        }
        if is(Mistake::OrderReversed) {
            found.reverse();
        }
        let default = if is(Mistake::DefaultSizeByOne) { 6 } else { 5 };
        let size = number("size").map_or(default, |size| size - i64::from(is(Mistake::SizeByOne)));
        let offset = number("offset").unwrap_or(0) + i64::from(is(Mistake::OffsetByOne) && number("offset") > Some(0));
        let total = found.len();
        let whole = |number| usize::try_from(number).unwrap();
        let mut page: Vec<Json> = found.into_iter().skip(whole(offset)).take(whole(size)).collect();
        if is(Mistake::LastRowMissing) {
            page.pop();
        }
        for cup in &mut page {
            cup.as_object_mut().unwrap().remove("owner");
            if is(Mistake::OtherName) && cup["id"] == 3 {
                cup["name"] = json!("another");
            }
        }
        let total = match self.mistake {
            Mistake::TotalTooHigh => total + 1,
            Mistake::TotalOfThePage => page.len(),
            _ => total,
        };
        json!({ "data": page, "total": total })
    }
}

impl World for Cups {
    fn call(&self, request: &Request) -> Response {
        let owner = request.headers[0].1.parse().expect("a key is the owner's id");
        let body = match request.method.as_str() {
            "POST" => self.make(owner, request),
            _ => self.list(owner, request),
        };
        Response {
            status: 200,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: body.to_string().into_bytes(),
        }
    }

    fn caller(&self, _: &'static Credential, _: Option<&str>) -> Caller {
        let mut owners = self.owners.lock().unwrap();
        *owners += 1000;
        Caller {
            secret: owners.to_string(),
            id: *owners,
            kind: "key",
        }
    }

    fn change(&self, _: &Caller, _: Standing<'_>) {}

    fn make(&self, _: &str, _: &Caller, _: Option<(&str, i64)>) -> i64 {
        0
    }

    fn held(&self, _: &str) -> u64 {
        0
    }

    fn arrange(&self, _: &str, _: &Caller, _: &Arranged) {}

    fn front(&self) -> Box<dyn Front> {
        unreachable!("no limits are tried")
    }
}

/// The trials that a service with this mistake does not pass, by name, and what the first of them says.
fn failing(mistake: Mistake) -> (Vec<&'static str>, String) {
    type Trial = (&'static str, fn(Attempt));
    const TRIALS: [Trial; 11] = [
        ("all", Attempt::lists_all),
        ("caller", |attempt| attempt.lists_filtered(&["caller"])),
        ("colour", |attempt| attempt.lists_filtered(&["colour"])),
        ("least", |attempt| attempt.lists_filtered(&["least"])),
        ("colour and least", |attempt| {
            attempt.lists_filtered(&["colour", "least"])
        }),
        ("order", Attempt::lists_in_order),
        ("written", Attempt::lists_what_was_written),
        ("default size", Attempt::pages_of_default_size),
        ("each size", Attempt::pages_of_each_size),
        ("past the end", Attempt::pages_past_the_end),
        ("together", Attempt::pages_together_are_the_whole),
    ];
    let world: &'static Cups = Box::leak(Box::new(Cups {
        mistake,
        cups: Mutex::default(),
        owners: Mutex::default(),
    }));
    static SERVICES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{mistake:?}-{}", SERVICES.fetch_add(1, Ordering::Relaxed));
    let operation: &'static Operation = Box::leak(Box::new(list(name.leak())));
    let mut said = String::new();
    let failed = TRIALS.into_iter().filter(|(_, trial)| {
        let attempt = Attempt::new(world, &CONTRACT, operation);
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| trial(attempt))) else {
            return false;
        };
        if said.is_empty() {
            said = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        }
        true
    });
    let names = failed.map(|(name, _)| name).collect();
    (names, said)
}

#[test]
fn a_list_that_is_right_passes_every_trial() {
    let (failed, said) = failing(Mistake::None);
    assert!(failed.is_empty(), "{failed:?}\n{said}");
}

#[test]
fn each_mistake_is_seen_by_the_trial_that_is_made_for_it() {
    let seen_by = [
        (Mistake::OrderReversed, "order"),
        (Mistake::TiesReversed, "order"),
        (Mistake::StrangersCups, "caller"),
        (Mistake::ColourIgnored, "colour"),
        (Mistake::ColourIgnored, "colour and least"),
        (Mistake::LeastIgnored, "least"),
        (Mistake::LeastIgnored, "colour and least"),
        (Mistake::LeastExclusive, "least"),
        (Mistake::TotalTooHigh, "all"),
        (Mistake::TotalOfThePage, "together"),
        (Mistake::OffsetByOne, "together"),
        (Mistake::LastRowMissing, "all"),
        (Mistake::DefaultSizeByOne, "default size"),
        (Mistake::SizeByOne, "each size"),
        (Mistake::OtherName, "written"),
        (Mistake::ACupForgotten, "all"),
    ];
    for (mistake, trial) in seen_by {
        let (failed, said) = failing(mistake);
        assert!(failed.contains(&trial), "{mistake:?} is seen by {failed:?}\n{said}");
    }
}

#[test]
fn a_failing_trial_tells_row_rule_and_request() {
    let (_, said) = failing(Mistake::StrangersCups);
    for part in [
        "cups.yaml:2",
        "should not be by `caller`",
        "curl -i -X GET",
        "\"owner_id\":",
    ] {
        assert!(said.contains(part), "no `{part}` in\n{said}");
    }
}
