//! Intended breaking changes: each is named by its rule and its path, with a reason.
//!
//! An allowance that allows nothing is an error, so that none is left over.

use crate::input::Input;
use codegen::diff::Change;
use codegen::nearest::nearest;
use codegen::rules::{self, Severity};
use std::path::Path;
use visible::visible;

const FORM: &str = "an allowance is `RULE@PATH: REASON`";

/// The allowed changes.
#[derive(Debug)]
pub(super) struct Allowances(Vec<Allowance>);

#[derive(Debug)]
struct Allowance {
    rule: &'static str,
    /// `PATH: REASON`, not split: a path may contain colons, so it is matched against the paths of changes.
    rest: String,
    /// Where it was read from.
    source: String,
}

impl Allowances {
    /// Reads the allowances of the command line and those of a file.
    ///
    /// # Errors
    /// All invalid allowances, one line each.
    pub(super) fn read(arguments: &[String], file: Option<&Path>) -> Result<Self, Vec<String>> {
        let mut lines: Vec<(String, String)> = arguments
            .iter()
            .map(|text| (format!("--allow '{text}'"), text.clone()))
            .collect();
        if let Some(file) = file {
            let input = Input::read(file).map_err(|message| vec![message])?;
            let numbered = input.text.lines().enumerate();
            let meant = numbered.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            lines.extend(meant.map(|(number, line)| (format!("{}:{}", input.name, number + 1), line.to_owned())));
        }
        let mut allowances = Vec::new();
        let mut wrong = Vec::new();
        for (source, text) in lines {
            match allowance(text.trim()) {
                Ok((rule, rest)) => allowances.push(Allowance { rule, rest, source }),
                Err(message) => wrong.push(format!("{source}: {message}")),
            }
        }
        if wrong.is_empty() {
            Ok(Allowances(allowances))
        } else {
            Err(wrong)
        }
    }

    /// The reason for which a change is allowed.
    pub(super) fn reason(&self, change: &Change) -> Option<&str> {
        self.0.iter().find_map(|allowance| allowance.reason(change))
    }

    /// The allowances that allow nothing, or the same as another one: one line each, with what to do.
    pub(super) fn unused(&self, changes: &[Change]) -> Vec<String> {
        let mut wrong = Vec::new();
        for (index, allowance) in self.0.iter().enumerate() {
            let Some(change) = changes.iter().find(|change| allowance.reason(change).is_some()) else {
                wrong.push(allowance.matches_nothing(changes));
                continue;
            };
            let mut before = self.0[..index].iter();
            if let Some(first) = before.find(|other| other.reason(change).is_some()) {
                let message = format!("{} already allows this change: remove one of the two", first.source);
                wrong.push(format!("{}: {message}", allowance.source));
            }
        }
        wrong
    }
}

impl Allowance {
    fn reason(&self, change: &Change) -> Option<&str> {
        // Paths are displayed like this, too.
        let path = visible(change.path());
        let rest = (change.rule.name() == self.rule).then(|| self.rest.strip_prefix(&path))??;
        Some(rest.strip_prefix(": ")?.trim())
    }

    fn matches_nothing(&self, changes: &[Change]) -> String {
        let Allowance { rule, rest, source } = self;
        let path = rest.split_once(": ").map_or(rest.as_str(), |(path, _)| path);
        let same = changes.iter().filter(|change| change.rule.name() == *rule);
        let help = match nearest(path, same.map(Change::path)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "remove it".to_owned(),
        };
        format!("{source}: there is no change `{rule}` at `{path}`: {help}")
    }
}

/// The rule and the rest of an allowance.
fn allowance(text: &str) -> Result<(&'static str, String), String> {
    let Some((name, rest)) = text.split_once('@') else {
        return Err(FORM.to_owned());
    };
    let Some(rule) = rules::find(name) else {
        let near = rules::nearest(name).map(|rule| format!(", did you mean `{rule}`?"));
        return Err(format!("there is no rule `{name}`{}", near.unwrap_or_default()));
    };
    match rule.severity() {
        Severity::Breaking => {}
        Severity::Mistake | Severity::Warning => {
            return Err(format!(
                "`{name}` is a rule of errors and not of changes: correct the contract"
            ));
        }
        Severity::Risky | Severity::Compatible => {
            return Err(format!(
                "a change of the rule `{name}` is {} and needs no allowance",
                rule.severity().label()
            ));
        }
    }
    match rest.split_once(": ") {
        Some((path, reason)) if !path.trim().is_empty() && !reason.trim().is_empty() => {
            Ok((rule.name(), visible(rest)))
        }
        _ => Err(format!("the reason is missing: {FORM}")),
    }
}
