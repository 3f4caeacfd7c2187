//! Types that the generated code makes of names of the contract, and those of which two would be one.

use super::naming::keys;
use crate::names::Made;
use crate::report::{Report, places};
use crate::spec::{Spec, Word};
use std::collections::HashMap;
use std::fmt::{self, Display};

/// A name of the contract, of which a type is made.
#[derive(Clone, Copy)]
pub(super) struct Origin<'s> {
    pub(super) word: &'s Word,
    what: &'static str,
    /// The resource that a view shows.
    of: Option<&'s Word>,
}

impl Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin { word, what, of } = self;
        match of {
            Some(of) => write!(f, "the {what} `{}` of `{}`", word.text, of.text),
            None => write!(f, "what is made of the {what} `{}`", word.text),
        }
    }
}

/// The names that are types as they stand.
pub(super) fn declared(spec: &Spec) -> impl Iterator<Item = Origin<'_>> {
    let all = |what| move |word| Origin { word, what, of: None };
    let parts = keys(&spec.enums).map(all("enum"));
    let parts = parts.chain(keys(&spec.objects).map(all("object")));
    let parts = parts.chain(keys(&spec.inputs).map(all("input")));
    parts.chain(keys(&spec.resources).map(all("resource")))
}

/// The other types, and what they are made of.
pub(super) fn made(spec: &Spec) -> Vec<(String, Origin<'_>)> {
    let mut made = Vec::new();
    let mut add = |names: &[Made<'_>], word, what, of| {
        let origin = Origin { word, what, of };
        made.extend(names.iter().map(|one| (one.name(), origin)));
    };
    for word in keys(&spec.credentials) {
        let name = &word.text;
        add(&[Made::Caller(name), Made::Admit(name)], word, "credential", None);
    }
    for (word, resource) in &spec.resources {
        let name = &word.text;
        add(
            &[Made::Id(name), Made::Seed(name), Made::Find(name)],
            word,
            "resource",
            None,
        );
        for view in keys(&resource.views) {
            add(
                &[Made::View(name, &view.text), Made::Row(name, &view.text)],
                view,
                "view",
                Some(word),
            );
        }
    }
    for word in keys(&spec.objects) {
        add(&[Made::Seed(&word.text)], word, "object", None);
    }
    for (word, body) in &spec.inputs {
        if body.resource.is_some() && body.any.is_empty() {
            add(&[Made::Rest(&word.text)], word, "input", None);
        }
    }
    made
}

/// `reserved-name`: two names of the contract make one type.
pub(super) fn made_twice(spec: &Spec, reports: &mut Vec<Report>) {
    let mut reported = places(reports);
    let mut seen: HashMap<String, Origin<'_>> = HashMap::new();
    let declared = declared(spec).map(|origin| (origin.word.text.clone(), origin));
    for (name, origin) in declared.chain(made(spec)) {
        let Some(first) = seen.get(&name) else {
            seen.insert(name, origin);
            continue;
        };
        let (early, late) = if first.word.at <= origin.word.at {
            (*first, origin)
        } else {
            (origin, *first)
        };
        let (early, early_what, late, late_what) = (early.word, early.what, late.word, late.what);
        if !reported.contains(&late.at) && !reported.contains(&early.at) {
            reported.insert(late.at);
            let message = format!(
                "the {late_what} `{}` makes a type `{name}`, and so does the {early_what} `{}`: another name is needed",
                late.text, early.text
            );
            let report = Report::new("reserved-name", late.at, message);
            reports.push(report.related(early.at, "which is declared here"));
        }
    }
}
