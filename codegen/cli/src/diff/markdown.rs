//! Renders changes as a page of Markdown for the affected callers: what has changed, what it affects, and what to do.
//!
//! Changes of a rule are grouped, so that the rule is explained once. Texts of a contract are escaped.

mod escape;

use super::affected::Affected;
use super::{Comparison, Contract, Count, Found, SourceLocation};
use codegen::rules::{Rule, Severity};
use escape::{anchor, cell, code, fenced, prose};
use std::collections::BTreeSet;

/// Maximum number of quoted lines of an element.
const MOST_LINES: usize = 12;
/// Maximum number of operations, or whole surfaces, in a line of the table.
const MOST_IN_TABLE: usize = 3;
/// Maximum number of a rule's changes in its line of the table. If there are more, the line describes the rule.
const MOST_TOLD: usize = 3;

/// The heading and the meaning of each severity.
const SECTIONS: [(Severity, &str, &str); 3] = [
    (
        Severity::Breaking,
        "Breaking",
        "A client, worker or operator that relies on the old contract can fail. Announce these changes before they take effect.",
    ),
    (
        Severity::Risky,
        "Risky",
        "The new contract keeps what the old one promised. A client that relies on more than that can fail.",
    ),
    (
        Severity::Compatible,
        "Compatible",
        "Everything that relies on the old contract keeps working.",
    ),
];

/// The changes of a rule.
struct Group<'f> {
    rule: Rule,
    found: Vec<&'f Found>,
}

/// The whole page.
pub(super) fn page(comparison: &Comparison<'_>) -> String {
    let [old, new] = [comparison.old, comparison.new].map(|contract| code(&contract.input.name));
    let title = prose(&comparison.new.model.title);
    let mut page = format!(
        "# {title}: what changes\n\nFrom {old} to {new}: {}.\n",
        verdict(comparison)
    );
    if comparison.found.is_empty() {
        return page;
    }
    page.push_str("\n| Severity | What changes | Changes | Affects |\n|---|---|--:|---|\n");
    let groups = groups(comparison);
    let row = |group: &Group<'_>| row(comparison, group);
    page.extend(groups.iter().map(row));
    for (severity, heading, meaning) in SECTIONS {
        let mut meant = groups
            .iter()
            .filter(|group| group.rule.severity() == severity)
            .peekable();
        if meant.peek().is_some() {
            page.push_str(&format!("\n## {heading}\n\n{meaning}\n"));
            page.extend(meant.map(|group| section(comparison, group)));
        }
    }
    page
}

fn groups<'f>(comparison: &'f Comparison<'_>) -> Vec<Group<'f>> {
    let mut groups: Vec<Group<'f>> = Vec::new();
    for found in &comparison.found {
        match groups.iter_mut().find(|group| group.rule == found.rule) {
            Some(group) => group.found.push(found),
            None => groups.push(Group {
                rule: found.rule,
                found: vec![found],
            }),
        }
    }
    groups
}

/// `**2 breaking changes** (1 allowed), 3 compatible changes`
fn verdict(comparison: &Comparison<'_>) -> String {
    let verdict = comparison.verdict(|severity, changes| match severity {
        Severity::Breaking => format!("**{changes}**"),
        _ => changes.to_owned(),
    });
    verdict.unwrap_or_else(|| "no change".to_owned())
}

/// A line of the table.
fn row(comparison: &Comparison<'_>, group: &Group<'_>) -> String {
    let Group { rule, found } = group;
    let names: BTreeSet<String> = found
        .iter()
        .flat_map(|found| found.change.operations.iter().cloned())
        .collect();
    let affected = Affected::from_names(&names, &comparison.old.model, &comparison.new.model);
    let count = Count::from_changes(found.iter().copied());
    let title = heading(*rule);
    let severity = match rule.severity() {
        Severity::Breaking => "**breaking**",
        severity => severity.label(),
    };
    format!(
        "| {severity} | [{title}](#{}){} | {}{} | {} |\n",
        anchor(title),
        cell(&details(found)),
        count.all,
        count.allowed_in_brackets(),
        cell(
            &affected
                .words(MOST_IN_TABLE)
                .map(|words| prose(&words))
                .unwrap_or_default()
        ),
    )
}

/// The changes of a rule, if they are few, so that the table names them.
fn details(found: &[&Found]) -> String {
    if found.len() > MOST_TOLD {
        return String::new();
    }
    let mut messages: Vec<_> = found.iter().map(|found| prose(&found.change.message())).collect();
    messages.dedup();
    format!(": {}", messages.join("; "))
}

/// The summary of a rule without its full stop.
fn heading(rule: Rule) -> &'static str {
    rule.explanation().summary.trim_end_matches('.')
}

/// The section of a rule and its changes.
fn section(comparison: &Comparison<'_>, group: &Group<'_>) -> String {
    let Group { rule, found } = group;
    let mut text = format!(
        "\n### {}\n\n**Why.** {}\n\n**Tell.** {}\n",
        heading(*rule),
        rule.explanation().why,
        rule.explanation().remedy
    );
    let is_same = |found: &&Found| found.affected == group.found[0].affected;
    let is_for_all = found.len() > 1 && found.iter().all(is_same);
    if let Some(words) = found[0].affected.words(usize::MAX).filter(|_| is_for_all) {
        text.push_str(&format!("\nAffects {}.\n", prose(&words)));
    }
    for found in found {
        text.push_str(&item(comparison, found, is_for_all));
    }
    text
}

/// A change: the old and the new value, the affected operations, and the place.
fn item(comparison: &Comparison<'_>, found: &Found, is_said: bool) -> String {
    let mut parts = Vec::new();
    let concerns = found.concerns(usize::MAX).filter(|_| !is_said);
    parts.extend(concerns.map(|words| format!("Affects {}.", prose(&words))));
    parts.extend(
        found
            .allowed
            .as_ref()
            .map(|reason| format!("**Allowed:** {}.", prose(reason.trim_end_matches('.')))),
    );
    let places = comparison.places(found).into_iter().flatten();
    let places = places.map(|(place, contract)| format!("{} line {}", code(&contract.input.name), place.at.line));
    let places: Vec<String> = places.collect();
    let [rule, path] = [found.rule.name(), found.change.path()].map(code);
    parts.push(format!("{rule} at {path}, {}.", places.join(" → ")));
    let quoted = fenced(&quoted(comparison, found));
    let indented = quoted.lines().map(|line| format!("  {line}\n"));
    format!(
        "\n- **{}**  \n  {}\n\n{}",
        prose(&sentence(&found.change.message())),
        parts.join("  \n  "),
        indented.collect::<String>()
    )
}

/// The text with a capital first letter.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

/// The lines of both contracts as a diff. For an element that only one contract has, the other contract may show the
/// line around it.
fn quoted(comparison: &Comparison<'_>, found: &Found) -> Vec<String> {
    let lines = |place: &Option<SourceLocation>, contract: &Contract| {
        let around = || SourceLocation::around(found.change.path(), contract);
        match place {
            Some(place) => place.lines(contract, MOST_LINES),
            None => around().map_or_else(Vec::new, |place| place.lines(contract, MOST_LINES)),
        }
    };
    let old = lines(&found.old, comparison.old);
    let new = lines(&found.new, comparison.new);
    let marked = |mark: char, lines: &[String]| {
        let lines = lines.iter().map(|line| format!("{mark} {line}"));
        lines.collect::<Vec<_>>()
    };
    if old == new {
        return marked(' ', &new);
    }
    [marked('-', &old), marked('+', &new)].concat()
}
