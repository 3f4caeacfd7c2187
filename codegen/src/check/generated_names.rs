//! Names of Rust types that are generated from names of the contract, and collisions between them.

use super::naming::keys;
use crate::diagnostic::{Diagnostic, Rule, places};
use crate::names::GeneratedName;
use crate::syntax::{Spec, Word};
use std::collections::HashMap;
use std::fmt::{self, Display};

/// A name of the contract from which a type is generated.
#[derive(Clone, Copy)]
pub(super) struct Declaration<'s> {
    pub(super) word: &'s Word,
    what: &'static str,
    /// The resource of a view.
    of: Option<&'s Word>,
}

impl Display for Declaration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Declaration { word, what, of } = self;
        match of {
            Some(of) => write!(f, "the {what} `{}` of `{}`", word.text, of.text),
            None => write!(f, "generated from the {what} `{}`", word.text),
        }
    }
}

/// The names that become types unchanged.
pub(super) fn declared(spec: &Spec) -> impl Iterator<Item = Declaration<'_>> {
    let all = |what| move |word| Declaration { word, what, of: None };
    let parts = keys(&spec.enums).map(all("enum"));
    let parts = parts.chain(keys(&spec.objects).map(all("object")));
    let parts = parts.chain(keys(&spec.inputs).map(all("input")));
    parts.chain(keys(&spec.resources).map(all("resource")))
}

/// The other generated types, and the names that they are generated from.
pub(super) fn generated(spec: &Spec) -> Vec<(String, Declaration<'_>)> {
    let mut generated = Vec::new();
    let mut add = |names: &[GeneratedName<'_>], word, what, of| {
        let origin = Declaration { word, what, of };
        generated.extend(names.iter().map(|one| (one.name(), origin)));
    };
    for word in keys(&spec.credentials) {
        let name = &word.text;
        add(
            &[GeneratedName::Caller(name), GeneratedName::Admit(name)],
            word,
            "credential",
            None,
        );
    }
    for (word, resource) in &spec.resources {
        let name = &word.text;
        add(
            &[
                GeneratedName::Id(name),
                GeneratedName::Seed(name),
                GeneratedName::Find(name),
            ],
            word,
            "resource",
            None,
        );
        for except in resource.hidden.iter().flat_map(|hidden| &hidden.except) {
            add(&[GeneratedName::Has(&except.text, name)], word, "resource", None);
        }
        for view in keys(&resource.views) {
            add(
                &[
                    GeneratedName::View(name, &view.text),
                    GeneratedName::Row(name, &view.text),
                ],
                view,
                "view",
                Some(word),
            );
        }
    }
    for word in keys(&spec.objects) {
        add(&[GeneratedName::Seed(&word.text)], word, "object", None);
    }
    for (word, body) in &spec.inputs {
        if body.resource.is_some() && body.any.is_empty() {
            add(&[GeneratedName::Rest(&word.text)], word, "input", None);
        }
    }
    generated
}

/// `reserved-name`: two names of the contract generate the same type.
pub(super) fn generated_twice(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut reported = places(diagnostics);
    let mut seen: HashMap<String, Declaration<'_>> = HashMap::new();
    let declared = declared(spec).map(|origin| (origin.word.text.clone(), origin));
    for (name, origin) in declared.chain(generated(spec)) {
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
                "the {late_what} `{}` generates a type `{name}`, and so does the {early_what} `{}`: rename one of them",
                late.text, early.text
            );
            let diagnostic = Diagnostic::new(Rule::ReservedName, late.at, message);
            diagnostics.push(diagnostic.related(early.at, "declared here"));
        }
    }
}
