//! The report as a page that needs no other file: the causes, the outcomes of each operation, and what was not tried.

use super::report::{Failure, Group, Report, Row};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("html.css");

pub(super) fn html(report: &Report, notes: &[String]) -> String {
    let groups = report.groups();
    let title = format!("Conformance of {}", report.contract);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    p { "The server " code { (report.url) } " was compared with " code { (report.file) } ", level "
                        (report.level) ", seed " (report.seed) ", in " (format!("{:.1}", report.seconds)) " s." }
                    (counts(report))
                }
                main {
                    (causes(&groups, notes))
                    (table(report))
                    (coverage(report))
                    (not_tried(report))
                }
            }
        }
    };
    page.into_string()
}

fn counts(report: &Report) -> Markup {
    let counts = report.counts();
    html! {
        ul .counts {
            li .passed { b { (counts.passed) } " passed" }
            li .failed[counts.failed > 0] { b { (counts.failed) } " failed" }
            @if counts.expected > 0 { li { b { (counts.expected) } " failed as expected" } }
            li { b { (counts.not_tried) } " not tried" }
        }
    }
}

fn causes(groups: &[Group], notes: &[String]) -> Markup {
    html! {
        section aria-labelledby="causes" {
            h2 #causes { "Differences" }
            @for note in notes { p .note { (note) } }
            @if groups.is_empty() && notes.is_empty() { p { "None: the server does what the contract says." } }
            @for group in groups {
                details open[groups.len() < 4] {
                    summary { (group.cause) " " span .number { (group.trials.len()) } }
                    @if let Some((_, failure)) = group.trials.first() { (shown(failure)) }
                    p .tests {
                        @for (trial, _) in &group.trials { code { (trial.name) } " " }
                    }
                }
            }
        }
    }
}

fn shown(failure: &Failure) -> Markup {
    html! {
        dl {
            dt { "Call" } dd { pre { (failure.script) } }
            dt { "Came" } dd { pre { (failure.came) } }
            dt { "Wanted" } dd { pre { (failure.wanted) } }
            dt { "Contract" } dd { code { (failure.place) } }
        }
    }
}

/// Which outcomes of which operation random histories met.
fn table(report: &Report) -> Markup {
    let mut columns: Vec<&str> = Vec::new();
    for outcome in report.table.iter().flat_map(|row| &row.outcomes) {
        if !columns.contains(&outcome.as_str()) {
            columns.push(outcome);
        }
    }
    html! {
        section aria-labelledby="outcomes" {
            h2 #outcomes { "Outcomes" }
            p { "Each cell: how often a random history met the outcome. An empty cell is an outcome that the operation does not have." }
            div .wide tabindex="0" role="region" aria-labelledby="outcomes" {
                table {
                    thead { tr { th scope="col" { "Operation" } @for column in &columns { th scope="col" { (column) } } } }
                    tbody {
                        @for row in &report.table {
                            tr {
                                th scope="row" { code { (row.operation) } br; span .quiet { (row.route) } }
                                @for column in &columns { (cell(report, row, column)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cell(report: &Report, row: &Row, outcome: &str) -> Markup {
    if !row.outcomes.iter().any(|known| known == outcome) {
        return html! { td {} };
    }
    let met = report
        .histories
        .as_ref()
        .and_then(|histories| histories.met.get(&row.operation));
    let met = met.and_then(|met| met.get(outcome)).copied().unwrap_or_default();
    html! {
        td .passed[met > 0] .quiet[met == 0] {
            @if met > 0 { (met) "×" } @else { "–" }
        }
    }
}

fn coverage(report: &Report) -> Markup {
    let Some(histories) = &report.histories else {
        return html! {};
    };
    html! {
        section aria-labelledby="histories" {
            h2 #histories { "Random histories" }
            p { (histories.calls) " calls were sent to the server and to the interpreter of the contract, and the answers compared." }
            @if histories.never_met.is_empty() {
                p { "Every outcome that a call can bring about was met." }
            } @else {
                p { "Never met: " @for name in &histories.never_met { code { (name) } " " } }
            }
        }
    }
}

fn not_tried(report: &Report) -> Markup {
    let reasons = report.reasons();
    html! {
        @if !reasons.is_empty() {
            section aria-labelledby="not-tried" {
                h2 #not-tried { "Not tried" }
                ul { @for (reason, count) in reasons { li { (count) ": " (reason) } } }
            }
        }
    }
}
