//! The contract of a service of cups.

use crate::contract::{Contract, Credential, Operation, Part};
use crate::lists::description::{Creator, Filter, FilterBy, List, Matching, Origin, Pages, SortKey, Source};
use crate::types::{Member, Type};
use std::sync::OnceLock;

static NAME: Type = Type::Text {
    min: 1,
    max: Some(20),
    chars: None,
    bidi_controls: true,
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
    comes_with: None,
    is_one_of_several: false,
    plans: &[],
    suspends: false,
    prefix: "",
    random: 0,
};
pub(super) static CONTRACT: Contract = Contract {
    errors: &[],
    success: &[("data", Part::IfAny("data")), ("...", Part::IfAny("siblings"))],
    error: &[],
    headers: &[],
    limits: &[],
    limit_headers: &[],
    credentials: &[],
};
#[expect(
    clippy::declare_interior_mutable_const,
    reason = "each use is an operation of its own"
)]
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
    list: OnceLock::new(),
    traces: OnceLock::new(),
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
        view_member: Some(field),
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

/// The list of one's own cups. Each service has a list with its own name, since items are made once for each.
pub(super) fn list(name: &'static str) -> Operation {
    Operation {
        name,
        method: "GET",
        query: &QUERY,
        data: Some(&ROWS),
        siblings: &["total"],
        pages: Some(PAGES),
        list: OnceLock::from(List {
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
