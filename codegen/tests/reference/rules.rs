//! The rules by theme, each with its summary.

use super::page::Page;
use codegen::rules::{self, Severity};

pub(super) fn write(page: &mut Page) {
    page.heading(2, "The rules");
    page.paragraph(
        "A report has the name of its rule in brackets. `codegen explain NAME` tells why there is such a rule and what to do, \
         with an example; `codegen explain` lists them all. A contract with a mistake makes no code; a change between two \
         contracts (`codegen diff`) is breaking, risky or compatible.",
    );
    let mut theme = "";
    for rule in rules::all() {
        if rule.theme != theme {
            if !theme.is_empty() {
                page.end_of_list();
            }
            theme = rule.theme;
            page.heading(3, theme);
        }
        let severity = match rule.severity {
            Severity::Mistake => String::new(),
            severity => format!(" ({})", severity.label()),
        };
        page.item(0, &format!("`{}`{severity}: {}", rule.name, rule.summary));
    }
    page.end_of_list();
}
