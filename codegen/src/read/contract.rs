//! Reads the sections that apply to all endpoints: `api`, `envelope`, `decisions`, `errors`, `limits`, `quotas`,
//! `credentials`.

use super::expressions::{envelope_value, rate};
use super::members::Members;
use super::words::{formed, list, number, table, unique, word, words};
use crate::diagnostic::Diagnostic;
use crate::language::Form;
use crate::spec::{
    Api, Contact, Credential, Decision, Envelope, ErrorEntry, License, Limit, MinRate, Num, Quota, Untestable, Word,
};
use crate::yaml::Node;

pub(super) fn api(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Api {
    let mut m = Members::of(node, form, diagnostics);
    let (body_max_bytes, body_max_seconds, body_min_rate) = m.value("body", body_bounds);
    let api = Api {
        name: m.value("name", word),
        title: m.value("title", word),
        version: m.given("version", formed),
        doc: m.given("doc", word),
        contact: m.given("contact", contact),
        license: m.given("license", license),
        statuses: m.value("statuses", statuses),
        body_max_bytes,
        body_max_seconds,
        body_min_rate,
        in_flight: m.given("in_flight", number),
        headers: m.value("headers", table(word)),
    };
    m.done();
    api
}

fn contact(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Contact {
    let mut m = Members::of(node, form, diagnostics);
    let contact = Contact {
        name: m.value("name", word),
        url: m.given("url", formed),
        email: m.given("email", formed),
    };
    m.done();
    contact
}

fn license(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> License {
    let mut m = Members::of(node, form, diagnostics);
    let license = License {
        name: m.value("name", word),
        identifier: m.given("identifier", word),
        url: m.given("url", formed),
    };
    m.done();
    license
}

fn body_bounds(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> (Num, Num, Option<MinRate>) {
    let mut m = Members::of(node, form, diagnostics);
    let bounds = (
        m.value("max_bytes", number),
        m.value("max_seconds", number),
        m.given("min_rate", min_rate),
    );
    m.done();
    bounds
}

fn min_rate(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> MinRate {
    let mut m = Members::of(node, form, diagnostics);
    let rate = MinRate {
        bytes_per_second: m.value("bytes_per_second", number),
        grace_seconds: m.value("grace_seconds", number),
    };
    m.done();
    rate
}

fn statuses(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Vec<Num> {
    let statuses = list(node, form, number, diagnostics);
    let name = |status: &Num| Word {
        text: status.value.to_string(),
        at: status.at,
    };
    unique(statuses, name, diagnostics)
}

pub(super) fn envelope(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Envelope {
    let mut m = Members::of(node, form, diagnostics);
    let envelope = Envelope {
        success: m.value("success", table(envelope_value)),
        error: m.value("error", table(envelope_value)),
    };
    m.done();
    envelope
}

pub(super) fn decision(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Decision {
    let mut m = Members::of(node, form, diagnostics);
    let decision = Decision {
        gap: m.value("gap", word),
        choice: m.value("choice", word),
        at: m.given("at", word),
        test: m.given("test", word),
    };
    m.done();
    decision
}

pub(super) fn error_row(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> ErrorEntry {
    let mut m = Members::of(node, form, diagnostics);
    let error = ErrorEntry {
        status: m.value("status", number),
        step: m.value("at", word),
        text: m.value("text", word),
        help: m.given("help", word),
        headers: m.value("headers", table(word)),
        untestable: m.given("untestable", untestable),
    };
    m.done();
    error
}

fn untestable(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Untestable {
    let mut m = Members::of(node, form, diagnostics);
    let untestable = Untestable {
        reason: m.value("reason", word),
        test: m.value("test", word),
        at: node.head,
    };
    m.done();
    untestable
}

pub(super) fn limit(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Limit {
    let mut m = Members::of(node, form, diagnostics);
    let (max, window_seconds) = m.value("rate", rate);
    let limit = Limit {
        methods: m.value("methods", words),
        max,
        window_seconds,
        per: m.value("per", word),
        owner_rate: m.given("owner_rate", rate),
        counts: m.given("counts", word),
    };
    m.done();
    limit
}

pub(super) fn quota(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Quota {
    let mut m = Members::of(node, form, diagnostics);
    let quota = Quota {
        max: m.value("max", number),
        of: m.value("of", word),
        per: m.value("per", word),
        noun: m.value("noun", word),
    };
    m.done();
    quota
}

pub(super) fn credential(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Credential {
    let mut m = Members::of(node, form, diagnostics);
    let credential = Credential {
        doc: m.given("doc", word),
        header: m.value("header", word),
        caller: m.given("caller", word),
        limited_by: m.given("limited_by", word),
        plan: m.given("plan", word),
        suspended: m.given("suspended", word),
        prefix: m.value("prefix", word),
        random: m.value("random_chars", number),
        shown: m.given("shown_chars", number),
    };
    m.done();
    credential
}
