//! `codegen explain`: explains a rule: its reason, and how to fix an error or announce a change. Or lists all rules.

use crate::output::{Output, RIGHT, STRONG, WRONG, style, styled};
use codegen::rules::{self, Explanation, Severity};

pub(crate) fn run(name: Option<&str>) -> Output {
    match name {
        None => Output::from_text(catalogue()),
        Some(name) => {
            let name = bare(name);
            match rules::find(name) {
                Some(rule) => Output::from_text(explained(rule.explanation())),
                None => Output::failed(&unknown(name)),
            }
        }
    }
}

/// The name in `error[unknown-type]` or `breaking[limit-lowered]`, as a user copies it from a diagnostic.
fn bare(name: &str) -> &str {
    let inside = name.trim_end_matches(':').split_once('[');
    inside.and_then(|(_, rest)| rest.strip_suffix(']')).unwrap_or(name)
}

fn unknown(name: &str) -> String {
    let near = rules::nearest(name).map(|rule| format!(", did you mean `{rule}`?"));
    format!(
        "there is no rule `{name}`{} `codegen explain` lists all rules",
        near.as_deref().unwrap_or(":")
    )
}

/// All rules by theme, each with its summary; those that are no errors also with their severity.
fn catalogue() -> String {
    let widths = rules::all().iter().map(|rule| rule.name.len());
    let widest = widths.max().unwrap_or_default();
    let mut text = String::new();
    let mut theme = "";
    for rule in rules::all() {
        if theme != rule.theme {
            let blank = if theme.is_empty() { "" } else { "\n" };
            theme = rule.theme;
            text.push_str(&format!("{blank}{}\n", styled(STRONG, theme)));
        }
        let severity = match rule.rule.severity() {
            Severity::Mistake => String::new(),
            severity => styled(style(severity), &format!("{:10}  ", severity.label())),
        };
        text.push_str(&format!("  {:widest$}  {severity}{}\n", rule.name, rule.summary));
    }
    text
}

const TELL: &str = "Whom to tell, and what";
const CHANGE: &str = "`-` is the old contract, `+` the new one";

fn explained(rule: &Explanation) -> String {
    let heading = |text: &str| styled(STRONG, text);
    let example: String = dedented(rule.example).lines().map(example_line).collect();
    let (why, remedy, marks) = match rule.rule.severity() {
        Severity::Mistake | Severity::Warning => ("Why", "How to fix it", "`-` is the error, `+` the fix"),
        Severity::Breaking => ("Why it is breaking", TELL, CHANGE),
        Severity::Risky => ("Why it is risky", TELL, CHANGE),
        Severity::Compatible => ("Why it is compatible", TELL, CHANGE),
    };
    format!(
        "{}: {}\n\n{}\n{}\n\n{}\n{}\n\n{}\n{example}",
        heading(rule.name),
        rule.summary,
        heading(why),
        rule.why,
        heading(remedy),
        rule.remedy,
        heading(&format!("Example: {marks}")),
    )
}

fn example_line(line: &str) -> String {
    let style = match line.as_bytes().first() {
        Some(b'-') => WRONG,
        Some(b'+') => RIGHT,
        _ => return format!("{line}\n"),
    };
    format!("{}\n", styled(style, line))
}

/// The example with one blank after the markers, whatever its depth in the contract.
fn dedented(example: &str) -> String {
    let lines = || example.lines().filter_map(|line| line.split_at_checked(1));
    let depth = |text: &str| text.len() - text.trim_start().len();
    let least = lines().map(|(_, text)| depth(text)).min().unwrap_or_default();
    let render = |line: &str| match line.split_at_checked(1) {
        Some((mark, text)) => format!("{mark} {}\n", &text[least..]),
        None => "  …\n".to_owned(),
    };
    example.lines().map(render).collect()
}
