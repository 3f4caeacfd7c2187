//! The rules, for errors in a contract and for changes between two contracts. What the compiler must know of them
//! stands in one table; the pages explain them, each with a reason, a remedy and an example. `codegen explain`,
//! `codegen diff` and the reference take the explanations from here.

mod table;

pub(crate) use table::{Class, Needs, Side};
pub use table::{Rule, Severity};

use crate::nearest::nearest as nearest_name;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The section of a rule in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The rule.
    pub rule: Rule,
    /// Its name, such as `unknown-type`.
    pub name: &'static str,
    /// Its theme: the title of its page.
    pub theme: &'static str,
    /// What is wrong, or what has changed, in one line.
    pub summary: &'static str,
    /// Who is affected, and how. Markdown, in short lines.
    pub why: &'static str,
    /// How to correct the error, or what those affected by the change must do. Markdown, in short lines.
    pub remedy: &'static str,
    /// Lines that stay (` `), are removed (`-`) and are added (`+`). A blank line marks an omission.
    pub example: &'static str,
}

/// The pages: rules for errors first, then rules for changes. Each rule is a section of a page.
///
/// The example is a diff against `tests/ui/base.yaml`, for a change with `tests/diff/base.diff`. For an error, `-` is
/// wrong and `+` is the base; for a change, `-` is the old contract and `+` the new one. The expected diagnostic
/// follows: tests compare it, and `REWRITE=1` writes it (`tests/cases.rs`).
const PAGES: [&str; 26] = [
    include_str!("form.md"),
    include_str!("names.md"),
    include_str!("naming.md"),
    include_str!("types.md"),
    include_str!("requests.md"),
    include_str!("rights.md"),
    include_str!("answers.md"),
    include_str!("meaning.md"),
    include_str!("events.md"),
    include_str!("errors.md"),
    include_str!("unused.md"),
    include_str!("changes/service.md"),
    include_str!("changes/envelope.md"),
    include_str!("changes/decisions.md"),
    include_str!("changes/errors.md"),
    include_str!("changes/limits.md"),
    include_str!("changes/values.md"),
    include_str!("changes/requests.md"),
    include_str!("changes/answers.md"),
    include_str!("changes/stored.md"),
    include_str!("changes/rights.md"),
    include_str!("changes/states.md"),
    include_str!("changes/operations.md"),
    include_str!("changes/idempotency.md"),
    include_str!("changes/meaning.md"),
    include_str!("changes/events.md"),
];

/// The explanation of every rule, grouped by theme: first those for errors, then those for changes.
pub fn all() -> &'static [Explanation] {
    static EXPLANATIONS: LazyLock<Vec<Explanation>> = LazyLock::new(|| {
        let rules: HashMap<String, Rule> = Rule::ALL
            .iter()
            .map(|rule| (format!("{rule:?}").to_lowercase(), *rule))
            .collect();
        let read = |page| read_page(page, &rules);
        let explanations: Vec<Explanation> = PAGES.into_iter().flat_map(read).collect();
        assert_eq!(explanations.len(), rules.len(), "each rule has one section");
        explanations
    });
    &EXPLANATIONS
}

/// The rule with this name.
pub fn find(name: &str) -> Option<Rule> {
    let mut all = all().iter();
    all.find(|explanation| explanation.name == name).map(|found| found.rule)
}

/// The rule whose name is most similar to an unknown one.
pub fn nearest(name: &str) -> Option<Rule> {
    nearest_name(name, all().iter().map(|explanation| explanation.name)).and_then(find)
}

impl Rule {
    /// Its name, such as `unknown-type`.
    pub fn name(self) -> &'static str {
        self.explanation().name
    }

    /// Its section in a page.
    pub fn explanation(self) -> &'static Explanation {
        let mut all = all().iter();
        all.find(|explanation| explanation.rule == self)
            .expect("each rule has one section")
    }
}

fn read_page(page: &'static str, rules: &HashMap<String, Rule>) -> Vec<Explanation> {
    let mut sections = page.split("\n## ");
    let title = sections.next().and_then(|above| above.lines().next());
    let theme = title.and_then(|title| title.strip_prefix("# "));
    let theme = theme.expect("a page begins with its title").trim();
    let read = |section| {
        let explanation = read_section(theme, section, rules);
        explanation.unwrap_or_else(|| panic!("not in the form of a rule, or not in the table: {section}"))
    };
    sections.map(read).collect()
}

fn read_section(theme: &'static str, section: &'static str, rules: &HashMap<String, Rule>) -> Option<Explanation> {
    let (name, rest) = section.split_once('\n')?;
    let rule = *rules.get(&name.replace('-', ""))?;
    let remedy = match rule.severity().is_of_contract() {
        true => "**Fix.**",
        false => "**Tell.**",
    };
    let (summary, rest) = rest.split_once("**Why.**")?;
    let (why, rest) = rest.split_once(remedy)?;
    let (remedy, rest) = rest.split_once("```diff\n")?;
    let (example, _) = rest.split_once("```")?;
    let [name, summary, why, remedy] = [name, summary, why, remedy].map(str::trim);
    let is_whole = ![summary, why, remedy, example].contains(&"");
    is_whole.then_some(Explanation {
        rule,
        name,
        theme,
        summary,
        why,
        remedy,
        example,
    })
}
