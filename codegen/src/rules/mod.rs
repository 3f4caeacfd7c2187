//! The catalogue of rules: what each one asks for, why, and how a mistake is mended, with an example.
//!
//! Everything that is said of a rule beyond the report at hand is said here, once: `codegen explain` and whatever else
//! describes rules reads it. The text stands in the pages beside this file, one a theme: a new rule is a section there,
//! in the form of the others. The example is a difference against `tests/mistakes/base.yaml`: `-` is the mistake, `+`
//! what mends it. Tests hold the pages against the reports that are made.

use crate::nearest::nearest as nearest_name;
use std::sync::LazyLock;

/// What is known of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, such as `unknown-type`: what [`crate::Report::rule`] holds.
    pub name: &'static str,
    /// What it is about, together with its neighbours: the title of its page.
    pub theme: &'static str,
    /// What is wrong where it is broken, in a line.
    pub summary: &'static str,
    /// What would go wrong without it, and for whom. Markdown, in short lines.
    pub why: &'static str,
    /// What to do. Markdown, in short lines.
    pub mend: &'static str,
    /// A mistake and how it is mended: lines that stay (` `), that are wrong (`-`) and that are right (`+`), with a
    /// blank line where something is left out.
    pub example: &'static str,
}

/// The pages, in the order in which a contract is looked at.
const PAGES: [&str; 9] = [
    include_str!("form.md"),
    include_str!("names.md"),
    include_str!("naming.md"),
    include_str!("types.md"),
    include_str!("requests.md"),
    include_str!("rights.md"),
    include_str!("answers.md"),
    include_str!("errors.md"),
    include_str!("unused.md"),
];

/// Every rule, those of a theme beside each other.
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
    let (summary, rest) = rest.split_once("**Why.**")?;
    let (why, rest) = rest.split_once("**Mend.**")?;
    let (mend, rest) = rest.split_once("```diff\n")?;
    let (example, rest) = rest.split_once("```")?;
    let [name, summary, why, mend] = [name, summary, why, mend].map(str::trim);
    let is_whole = rest.trim().is_empty() && ![name, summary, why, mend, example].contains(&"");
    is_whole.then_some(Rule {
        name,
        theme,
        summary,
        why,
        mend,
        example,
    })
}
