//! The sections that hold for all endpoints: `api`, `envelope`, `decisions`, `errors`, `limits`, `quotas`, `credentials`.

use super::expressions::{envelope_value, rate};
use super::members::Members;
use super::words::{count, list, positive, status, table, templates, text, unique, word, words};
use crate::report::Report;
use crate::spec::{Api, Credential, Decision, Envelope, ErrorRow, Limit, Num, Quota, Table, Word};
use crate::tree::Node;

pub(super) fn api(node: &Node, reports: &mut Vec<Report>) -> Api {
    let example = "{ name: books, title: Books, statuses: [200], body: { max_bytes: 1000, max_seconds: 30 } }";
    let mut m = Members::of(node, "`api`", example, reports);
    let (body_max_bytes, body_max_seconds) = m.required("body", body_bounds);
    let api = Api {
        name: m.required("name", word),
        title: m.required("title", text),
        statuses: m.required("statuses", statuses),
        body_max_bytes,
        body_max_seconds,
        headers: m.optional("headers", templates).unwrap_or_default(),
    };
    m.done();
    api
}

fn body_bounds(node: &Node, reports: &mut Vec<Report>) -> (Num, Num) {
    let mut m = Members::of(node, "`body`", "{ max_bytes: 1000, max_seconds: 30 }", reports);
    let bounds = (m.required("max_bytes", positive), m.required("max_seconds", positive));
    m.done();
    bounds
}

fn statuses(node: &Node, reports: &mut Vec<Report>) -> Vec<Num> {
    let statuses = list(node, "[200, 400]", status, reports);
    let name = |status: &Num| Word {
        text: status.value.to_string(),
        at: status.at,
    };
    unique(statuses, name, reports)
}

pub(super) fn envelope(node: &Node, reports: &mut Vec<Report>) -> Envelope {
    let example = "{ success: { ok: true, data: $data? }, error: { ok: false, error: $text } }";
    let mut m = Members::of(node, "`envelope`", example, reports);
    let members =
        |node: &Node, reports: &mut Vec<Report>| table(node, "{ ok: true, data: $data? }", envelope_value, reports);
    let envelope = Envelope {
        success: m.required("success", members),
        error: m.required("error", members),
    };
    m.done();
    envelope
}

pub(super) fn decisions(node: &Node, reports: &mut Vec<Report>) -> Table<Decision> {
    let example = "{ loans: { gap: \"§4 how many\", choice: \"5\", at: quotas.loans } }";
    table(node, example, decision, reports)
}

fn decision(node: &Node, reports: &mut Vec<Report>) -> Decision {
    let example = "{ gap: \"§4 how many\", choice: \"5\", at: quotas.loans }";
    let mut m = Members::of(node, "a decision", example, reports);
    let decision = Decision {
        gap: m.required("gap", text),
        choice: m.required("choice", text),
        at: m.optional("at", word),
        test: m.optional("test", word),
    };
    m.done();
    decision
}

pub(super) fn errors(node: &Node, reports: &mut Vec<Report>) -> Table<ErrorRow> {
    table(
        node,
        "{ invalid: { status: 400, at: decode, text: \"{faults}\" } }",
        error_row,
        reports,
    )
}

fn error_row(node: &Node, reports: &mut Vec<Report>) -> ErrorRow {
    let example = "{ status: 400, at: decode, text: \"{faults}\" }";
    let mut m = Members::of(node, "an error row", example, reports);
    let row = ErrorRow {
        status: m.required("status", status),
        step: m.required("at", word),
        text: m.required("text", text),
        headers: m.optional("headers", templates).unwrap_or_default(),
    };
    m.done();
    row
}

pub(super) fn limits(node: &Node, reports: &mut Vec<Report>) -> Table<Limit> {
    table(
        node,
        "{ read: { methods: [GET], rate: 100/min, per: caller } }",
        limit,
        reports,
    )
}

fn limit(node: &Node, reports: &mut Vec<Report>) -> Limit {
    let example = "{ methods: [GET], rate: 100/min, per: caller }";
    let mut m = Members::of(node, "a limit", example, reports);
    let (max, window_seconds) = m.required("rate", rate);
    let limit = Limit {
        methods: m.optional("methods", words).unwrap_or_default(),
        max,
        window_seconds,
        per: m.required("per", word),
        counts: m.optional("counts", word),
    };
    m.done();
    limit
}

pub(super) fn quotas(node: &Node, reports: &mut Vec<Report>) -> Table<Quota> {
    table(
        node,
        "{ loans: { max: 3, of: Loan, per: Reader, noun: loans } }",
        quota,
        reports,
    )
}

fn quota(node: &Node, reports: &mut Vec<Report>) -> Quota {
    let example = "{ max: 3, of: Loan, per: Reader, noun: loans }";
    let mut m = Members::of(node, "a quota", example, reports);
    let quota = Quota {
        max: m.required("max", count),
        of: m.required("of", word),
        per: m.required("per", word),
        noun: m.required("noun", text),
    };
    m.done();
    quota
}

pub(super) fn credentials(node: &Node, reports: &mut Vec<Report>) -> Table<Credential> {
    table(
        node,
        "{ card: { header: X-Card, prefix: card_, random: 40 } }",
        credential,
        reports,
    )
}

fn credential(node: &Node, reports: &mut Vec<Report>) -> Credential {
    let example = "{ header: X-Card, caller: Reader, limited_by: Reader, prefix: card_, random: 40 }";
    let mut m = Members::of(node, "a credential", example, reports);
    let credential = Credential {
        header: m.required("header", word),
        caller: m.optional("caller", word),
        limited_by: m.optional("limited_by", word),
        plan: m.optional("plan", word),
        suspended: m.optional("suspended", word),
        prefix: m.required("prefix", word),
        random: m.required("random_chars", positive),
        shown: m.optional("shown_chars", positive),
    };
    m.done();
    credential
}
