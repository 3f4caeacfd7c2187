//! The catalogue of rules, for errors in a contract and for changes between two contracts. Each rule has a severity,
//! a reason, a remedy and an example; `codegen explain`, `codegen diff` and the reference take them from here.

use crate::nearest::nearest as nearest_name;
use std::sync::LazyLock;

/// The severity of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A change: correct clients stay correct.
    Compatible,
    /// A change: clients that rely on more than the contract states may fail.
    Risky,
    /// A change: a correct client, worker or operator may fail.
    Breaking,
    /// An error: the contract is invalid.
    Mistake,
}

impl Severity {
    /// The severities, with the word that marks each in a page.
    const MARKS: [(Severity, &'static str); 4] = [
        (Severity::Mistake, "**Why.**"),
        (Severity::Breaking, "**Breaking.**"),
        (Severity::Risky, "**Risky.**"),
        (Severity::Compatible, "**Compatible.**"),
    ];

    /// Its name in diagnostics: `error`, `breaking`, `risky`, `compatible`.
    pub fn label(self) -> &'static str {
        match self {
            Severity::Compatible => "compatible",
            Severity::Risky => "risky",
            Severity::Breaking => "breaking",
            Severity::Mistake => "error",
        }
    }
}

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, such as `unknown-type`, as in [`crate::Diagnostic::rule`] or [`crate::diff::Change::rule`].
    pub name: &'static str,
    /// Its severity.
    pub severity: Severity,
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
/// The word before the reason is the severity: `**Why.**` for an error; `**Breaking.**`, `**Risky.**` or
/// `**Compatible.**` for a change. The example is a diff against `tests/ui/base.yaml`, for a change with
/// `tests/diff/base.diff`. For an error, `-` is wrong and `+` is the base; for a change, `-` is the old contract and `+` the
/// new one. The expected diagnostic follows: tests compare it, and `REWRITE=1` writes it (`tests/cases.rs`).
const PAGES: [&str; 21] = [
    include_str!("form.md"),
    include_str!("names.md"),
    include_str!("naming.md"),
    include_str!("types.md"),
    include_str!("requests.md"),
    include_str!("rights.md"),
    include_str!("answers.md"),
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
];

/// Every rule, grouped by theme: first those for errors, then those for changes.
pub fn all() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| PAGES.into_iter().flat_map(read_page).collect());
    &RULES
}

/// The rule with this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().iter().find(|rule| rule.name == name)
}

/// The rule whose name is most similar to an unknown one.
pub fn nearest(name: &str) -> Option<&'static Rule> {
    nearest_name(name, all().iter().map(|rule| rule.name)).and_then(find)
}

fn read_page(page: &'static str) -> Vec<Rule> {
    let mut sections = page.split("\n## ");
    let theme = sections.next().and_then(|title| title.strip_prefix("# "));
    let theme = theme.expect("a page begins with its title").trim();
    let read = |section| read_section(theme, section).unwrap_or_else(|| panic!("not in the form of a rule: {section}"));
    sections.map(read).collect()
}

fn read_section(theme: &'static str, section: &'static str) -> Option<Rule> {
    let (name, rest) = section.split_once('\n')?;
    let marked = |(severity, mark)| Some((severity, rest.split_once(mark)?));
    let (severity, (summary, rest)) = Severity::MARKS.into_iter().find_map(marked)?;
    let remedy = match severity {
        Severity::Mistake => "**Fix.**",
        _ => "**Tell.**",
    };
    let (why, rest) = rest.split_once(remedy)?;
    let (remedy, rest) = rest.split_once("```diff\n")?;
    let (example, _) = rest.split_once("```")?;
    let [name, summary, why, remedy] = [name, summary, why, remedy].map(str::trim);
    let is_whole = ![name, summary, why, remedy, example].contains(&"");
    is_whole.then_some(Rule {
        name,
        severity,
        theme,
        summary,
        why,
        remedy,
        example,
    })
}
