//! The rules by theme, each with its summary.

use super::page::Page;
use codegen::rules::{self, Severity};

pub(super) fn write(page: &mut Page) {
    page.heading(2, "The rules");
    page.paragraph(
        "Each diagnostic has the name of its rule in brackets. `codegen explain NAME` shows why the rule exists and \
         what to do, with an example; `codegen explain` lists all rules. A contract with an error generates no \
         code; a warning is printed, and code is generated. A change between two contracts (`codegen diff`) is breaking, risky or compatible.",
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
        let severity = match rule.rule.severity() {
            Severity::Mistake => String::new(),
            severity => format!(" ({})", severity.label()),
        };
        page.item(0, &format!("`{}`{severity}: {}", rule.name, rule.summary));
    }
    page.end_of_list();
}
