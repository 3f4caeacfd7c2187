//! The catalogue of rules: for mistakes in a contract and for changes between two, with severity, reason, what to do, and an example.
//!
//! `codegen explain`, `codegen diff` and the reference take all texts about a rule from here. The texts are the pages beside this
//! file; a new rule is a section there. The word before the reason is the severity: `**Why.**` for a mistake, `**Breaking.**`,
//! `**Risky.**` or `**Compatible.**` for a change. The example is a diff against `tests/ui/base.yaml`: for a mistake `-` is wrong
//! and `+` is the base; for a change `-` is the old contract and `+` the new one. The expected diagnostic follows it; tests compare
//! it, and `REWRITE=1` writes it (`tests/cases.rs`).

use crate::nearest::nearest as nearest_name;
use std::sync::LazyLock;

/// How grave it is to fall under a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A change: whoever was right before is right after.
    Compatible,
    /// A change: who relied on more than was said may be wrong after.
    Risky,
    /// A change: a client, a worker or an operator who was right before may be wrong after.
    Breaking,
    /// The contract is none.
    Mistake,
}

impl Severity {
    /// All severities with the word that opens the reason in a section of a page.
    const MARKS: [(Severity, &'static str); 4] = [
        (Severity::Mistake, "**Why.**"),
        (Severity::Breaking, "**Breaking.**"),
        (Severity::Risky, "**Risky.**"),
        (Severity::Compatible, "**Compatible.**"),
    ];

    /// What a report is called: `error`, `breaking`, `risky`, `compatible`.
    pub fn label(self) -> &'static str {
        match self {
            Severity::Compatible => "compatible",
            Severity::Risky => "risky",
            Severity::Breaking => "breaking",
            Severity::Mistake => "error",
        }
    }
}

/// What is known of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, such as `unknown-type`: what [`crate::Diagnostic::rule`] or [`crate::diff::Change::rule`] holds.
    pub name: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// What it is about, together with its neighbours: the title of its page.
    pub theme: &'static str,
    /// What is wrong, or what has changed, in a line.
    pub summary: &'static str,
    /// Who would notice, and what. Markdown, in short lines.
    pub why: &'static str,
    /// What to do: to mend the mistake, or for those whom the change concerns. Markdown, in short lines.
    pub remedy: &'static str,
    /// Lines that stay (` `), that go (`-`) and that come (`+`), with a blank line where something is left out.
    pub example: &'static str,
}

/// The pages, in the order in which a contract is looked at.
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

/// Every rule, those of a theme beside each other; first those of mistakes, then those of changes.
pub fn all() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| PAGES.into_iter().flat_map(read_page).collect());
    &RULES
}

/// The rule of this name.
pub fn find(name: &str) -> Option<&'static Rule> {
    all().iter().find(|rule| rule.name == name)
}

/// The rule that was probably meant by a name that none has.
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
        Severity::Mistake => "**Mend.**",
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
