//! Reads surfaces and their endpoints.

use super::expressions::{constraint, guard, type_use};
use super::lists::{filters, pages};
use super::members::Members;
use super::types::body;
use super::words::{number, table, word, words};
use crate::diagnostic::Diagnostic;
use crate::language::Form;
use crate::spec::{BodyUse, Data, Endpoint, Guard, Success, Surface, Word};
use crate::yaml::{Node, Value as Tree};

pub(super) fn surface(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Surface {
    let mut m = Members::of(node, form, diagnostics);
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

fn endpoint(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Endpoint {
    let mut m = Members::of(node, form, diagnostics);
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
        open: m.given("open", word),
        quota: m.given("quota", word),
        transitions: m.given("transitions", word),
        errors: m.value("errors", words),
        success: m.value("success", success),
    };
    m.done();
    endpoint
}

fn body_use(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> BodyUse {
    match &node.form {
        Tree::Text(_) => BodyUse::Named(word(node, form, diagnostics)),
        _ => BodyUse::Inline(body(node, form, diagnostics)),
    }
}

fn guards(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Vec<Guard> {
    let written = words(node, form, diagnostics);
    written.iter().filter_map(|word| guard(word, diagnostics)).collect()
}

fn constraints(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Vec<(Word, Word)> {
    let written = words(node, form, diagnostics);
    written
        .iter()
        .filter_map(|word| constraint(word, diagnostics))
        .collect()
}

fn success(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Success {
    let mut m = Members::of(node, form, diagnostics);
    let success = Success {
        status: m.given("status", number),
        data: m.given("data", success_data),
        message: m.given("message", word),
        siblings: m.value("siblings", words),
    };
    m.done();
    success
}

fn success_data(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Data {
    match &node.form {
        Tree::Map(_) => Data::Members(table(type_use)(node, form, diagnostics)),
        _ => Data::View(type_use(node, form, diagnostics)),
    }
}
