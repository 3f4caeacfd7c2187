//! The members of a map being taken out one by one; what is missing, unknown or given twice is reported.

use crate::foreign;
use crate::nearest::nearest;
use crate::read::words::wrong_form;
use crate::report::Report;
use crate::spec::{Span, Word};
use crate::tree::{Form, Node};

/// Stands in for a member that is missing: readers make a value at no place of it and report nothing.
static ABSENT: Node = Node {
    at: NOWHERE,
    head: NOWHERE,
    form: Form::Absent,
};

const NOWHERE: Span = Span {
    line: 0,
    column: 0,
    start: 0,
    end: 0,
};

/// The members of a map.
pub(super) struct Members<'t, 'r> {
    what: &'static str,
    /// What one looks like; empty for the whole file.
    example: String,
    at: Span,
    entries: Vec<(&'t Word, &'t Node)>,
    known: Vec<&'static str>,
    missing: Vec<&'static str>,
    /// Keys of which one is missing.
    choice: Vec<&'static str>,
    reports: &'r mut Vec<Report>,
}

impl<'t, 'r> Members<'t, 'r> {
    /// The members of `node`, which is `what`. If it is no map, that is reported, and nothing more.
    pub(super) fn of(node: &'t Node, what: &'static str, example: &str, reports: &'r mut Vec<Report>) -> Self {
        let entries = match &node.form {
            Form::Map(entries) => without_duplicates(entries, reports),
            _ => {
                wrong_form(node, &format!("a map ({what})"), example, reports);
                Vec::new()
            }
        };
        Members {
            what,
            example: example.to_owned(),
            at: match node.form {
                Form::Map(_) => node.head,
                _ => NOWHERE,
            },
            entries,
            known: Vec::new(),
            missing: Vec::new(),
            choice: Vec::new(),
            reports,
        }
    }

    /// Takes a member that must be there.
    pub(super) fn required<T>(&mut self, name: &'static str, read: impl FnOnce(&'t Node, &mut Vec<Report>) -> T) -> T {
        let node = self.take(name).map(|(_, node)| node);
        if node.is_none() {
            self.missing.push(name);
        }
        read(node.unwrap_or(&ABSENT), self.reports)
    }

    /// Takes a member that may be there.
    pub(super) fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&'t Node, &mut Vec<Report>) -> T,
    ) -> Option<T> {
        let (_, node) = self.take(name)?;
        Some(read(node, self.reports))
    }

    /// Takes exactly one of several members, with its name as it stands there.
    pub(super) fn one_of(&mut self, names: &[&'static str]) -> Option<(&'t Word, &'t Node)> {
        let mut found: Vec<_> = names.iter().filter_map(|name| self.take(name)).collect();
        found.sort_by_key(|(name, _)| name.at);
        for (name, _) in found.iter().skip(1) {
            let (first, _) = found[0];
            let message = format!("{} has one of `{}`, not two", self.what, names.join("`, `"));
            let report = Report::new("duplicate-key", name.at, message);
            self.reports
                .push(report.related(first.at, format!("`{}` is given already", first.text)));
        }
        if found.is_empty() {
            self.choice = names.to_vec();
        }
        found.into_iter().next()
    }

    /// Where further mistakes go.
    pub(super) fn reports(&mut self) -> &mut Vec<Report> {
        self.reports
    }

    /// Reports the members that are missing and those that nobody took.
    pub(super) fn done(mut self) {
        for (name, _) in std::mem::take(&mut self.entries) {
            let report = Report::new(
                "unknown-key",
                name.at,
                format!("{} has no key `{}`", self.what, name.text),
            );
            let report = match (foreign::key(self.what, &name.text), name.text.split_once(':')) {
                (Some(help), _) => report.help(help),
                (None, Some((key, _))) if self.known.contains(&key) => {
                    report.help("a space is needed behind the colon")
                }
                (None, _) => report.propose(&name.text, self.known.iter().copied()),
            };
            self.reports.push(report);
            if foreign::replaces(self.what, &name.text) {
                self.missing.clear();
                self.choice.clear();
            }
            let meant = nearest(&name.text, self.missing.iter().copied());
            self.missing.retain(|missing| Some(*missing) != meant);
            if nearest(&name.text, self.choice.iter().copied()).is_some() {
                self.choice.clear();
            }
        }
        let keys = match self.missing.as_slice() {
            [] => None,
            [key] => Some(format!("the key `{key}`")),
            [keys @ .., last] => Some(format!("the keys `{}` and `{last}`", keys.join("`, `"))),
        };
        let choice = (!self.choice.is_empty()).then(|| format!("one of `{}`", self.choice.join("`, `")));
        for needed in keys.into_iter().chain(choice).filter(|_| !self.at.is_nowhere()) {
            let message = format!("{} needs {needed}", self.what);
            let report = Report::new("missing-key", self.at, message);
            self.reports.push(if self.example.is_empty() {
                report
            } else {
                report.help(format!("for example `{}`", self.example))
            });
        }
    }

    fn take(&mut self, name: &'static str) -> Option<(&'t Word, &'t Node)> {
        self.known.push(name);
        let index = self.entries.iter().position(|(key, _)| key.text == name)?;
        Some(self.entries.remove(index))
    }
}

/// The entries of a map, the first of each name; the others are reported.
pub(super) fn without_duplicates<'t>(
    entries: &'t [(Word, Node)],
    reports: &mut Vec<Report>,
) -> Vec<(&'t Word, &'t Node)> {
    let mut first = std::collections::HashMap::new();
    let mut kept = Vec::new();
    for (key, node) in entries {
        match first.get(key.text.as_str()) {
            None => {
                first.insert(key.text.as_str(), key.at);
                kept.push((key, node));
            }
            Some(first) => {
                let report = Report::new("duplicate-key", key.at, format!("`{}` is given twice", key.text));
                reports.push(report.related(*first, "first given here"));
            }
        }
    }
    kept
}
