//! Who may ask for what: `surfaces` and their endpoints.

use super::expressions::{constraint, guard, type_use};
use super::members::Members;
use super::types::{body, typed};
use super::words::{positive, status, table, text, word, words};
use crate::report::Report;
use crate::spec::{BodyUse, Data, Endpoint, Guard, Success, Surface, Table, Word};
use crate::tree::{Form, Node};

/// The methods that an endpoint may have.
pub(crate) const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

pub(super) fn surfaces(node: &Node, reports: &mut Vec<Report>) -> Table<Surface> {
    table(node, "{ public: { base: /v1, endpoints: { ... } } }", surface, reports)
}

fn surface(node: &Node, reports: &mut Vec<Report>) -> Surface {
    let example = "{ base: /v1, endpoints: { list_books: { ... } } }";
    let mut m = Members::of(node, "a surface", example, reports);
    let endpoints = |node: &Node, reports: &mut Vec<Report>| {
        table(
            node,
            "{ list_books: { GET: /books, success: { ... } } }",
            endpoint,
            reports,
        )
    };
    let surface = Surface {
        base: m.required("base", word),
        credential: m.optional("credential", word),
        limits: m.optional("limits", words).unwrap_or_default(),
        endpoints: m.required("endpoints", endpoints),
    };
    m.done();
    surface
}

fn endpoint(node: &Node, reports: &mut Vec<Report>) -> Endpoint {
    let example = "{ GET: /books, success: { data: \"[Book.item]\" } }";
    let mut m = Members::of(node, "an endpoint", example, reports);
    let (method, route) = match m.one_of(&METHODS) {
        Some((method, route)) => (method.clone(), word(route, m.reports())),
        None => (Word::default(), Word::default()),
    };
    let endpoint = Endpoint {
        doc: m.optional("doc", text),
        method,
        route,
        path: m.optional("path", typed).unwrap_or_default(),
        query: m.optional("query", typed).unwrap_or_default(),
        constraints: m.optional("constraints", constraints).unwrap_or_default(),
        sort: m.optional("sort", words).unwrap_or_default(),
        body: m.optional("body", body_use),
        max_bytes: m.optional("max_bytes", positive),
        guards: m.optional("guards", guards).unwrap_or_default(),
        quota: m.optional("quota", word),
        transitions: m.optional("transitions", word),
        errors: m.optional("errors", words).unwrap_or_default(),
        success: m.required("success", success),
    };
    m.done();
    endpoint
}

fn body_use(node: &Node, reports: &mut Vec<Report>) -> BodyUse {
    match &node.form {
        Form::Text(_) => BodyUse::Named(word(node, reports)),
        _ => BodyUse::Inline(body(node, reports)),
    }
}

fn guards(node: &Node, reports: &mut Vec<Report>) -> Vec<Guard> {
    let written = words(node, reports);
    written.iter().filter_map(|word| guard(word, reports)).collect()
}

fn constraints(node: &Node, reports: &mut Vec<Report>) -> Vec<(Word, Word)> {
    let written = words(node, reports);
    written.iter().filter_map(|word| constraint(word, reports)).collect()
}

fn success(node: &Node, reports: &mut Vec<Report>) -> Success {
    let example = "{ data: Book.item, message: Book added }";
    let mut m = Members::of(node, "`success`", example, reports);
    let success = Success {
        status: m.optional("status", status),
        data: m.optional("data", success_data),
        message: m.optional("message", text),
        siblings: m.optional("siblings", words).unwrap_or_default(),
    };
    m.done();
    success
}

fn success_data(node: &Node, reports: &mut Vec<Report>) -> Data {
    match &node.form {
        Form::Map(_) => Data::Members(typed(node, reports)),
        _ => Data::View(type_use(node, reports)),
    }
}
