//! Who may ask for what: the entries of `surfaces`, and their endpoints.

use super::expressions::{constraint, guard, type_use};
use super::lists::{filters, pages};
use super::members::Members;
use super::types::body;
use super::words::{number, table, word, words};
use crate::language::Form;
use crate::report::Report;
use crate::spec::{BodyUse, Data, Endpoint, Guard, Success, Surface, Word};
use crate::tree::{Form as Tree, Node};

pub(super) fn surface(node: &Node, form: &'static Form, reports: &mut Vec<Report>) -> Surface {
    let mut m = Members::of(node, form, reports);
    let surface = Surface {
        doc: m.given("doc", word),
        base: m.value("base", word),
        credential: m.given("credential", word),
        limits: m.value("limits", words),
        endpoints: m.value("endpoints", table(endpoint)),
    };
    m.done();
    surface
}

fn endpoint(node: &Node, form: &'static Form, reports: &mut Vec<Report>) -> Endpoint {
    let mut m = Members::of(node, form, reports);
    let (method, route) = match m.choice(word) {
        Some((method, route)) => (method.clone(), route),
        None => (Word::default(), Word::default()),
    };
    let endpoint = Endpoint {
        doc: m.given("doc", word),
        method,
        route,
        path: m.value("path", table(type_use)),
        query: m.value("query", table(type_use)),
        constraints: m.value("constraints", constraints),
        sort: m.value("sort", words),
        filters: m.value("filters", filters),
        pages: m.given("pages", pages),
        body: m.given("body", body_use),
        max_bytes: m.given("max_bytes", number),
        waits_at_once: m.given("waits_at_once", number),
        guards: m.value("guards", guards),
        quota: m.given("quota", word),
        transitions: m.given("transitions", word),
        errors: m.value("errors", words),
        success: m.value("success", success),
    };
    m.done();
    endpoint
}

fn body_use(node: &Node, form: &'static Form, reports: &mut Vec<Report>) -> BodyUse {
    match &node.form {
        Tree::Text(_) => BodyUse::Named(word(node, form, reports)),
        _ => BodyUse::Inline(body(node, form, reports)),
    }
}

fn guards(node: &Node, form: &'static Form, reports: &mut Vec<Report>) -> Vec<Guard> {
    let written = words(node, form, reports);
    written.iter().filter_map(|word| guard(word, reports)).collect()
}

fn constraints(node: &Node, form: &'static Form, reports: &mut Vec<Report>) -> Vec<(Word, Word)> {
    let written = words(node, form, reports);
    written.iter().filter_map(|word| constraint(word, reports)).collect()
}

fn success(node: &Node, form: &'static Form, reports: &mut Vec<Report>) -> Success {
    let mut m = Members::of(node, form, reports);
    let success = Success {
        status: m.given("status", number),
        data: m.given("data", success_data),
        message: m.given("message", word),
        siblings: m.value("siblings", words),
    };
    m.done();
    success
}

fn success_data(node: &Node, form: &'static Form, reports: &mut Vec<Report>) -> Data {
    match &node.form {
        Tree::Map(_) => Data::Members(table(type_use)(node, form, reports)),
        _ => Data::View(type_use(node, form, reports)),
    }
}
