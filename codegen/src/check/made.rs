//! Names that the generated code makes of names of the contract, where two of them would be one.

use super::naming::keys;
use super::reserved::pascal;
use crate::report::{Report, places};
use crate::spec::{Resource, Spec, Word};
use std::collections::HashMap;

/// A name of Rust, what it is made of, and how that is called.
struct Made<'s> {
    name: String,
    of: &'s Word,
    what: &'static str,
}

/// `reserved-name`: two names of the contract make one of Rust.
pub(super) fn made_twice(spec: &Spec, reports: &mut Vec<Report>) {
    twice(types(spec), "a type", reports);
    for (_, resource) in &spec.resources {
        twice(methods(resource), "a function", reports);
    }
}

fn twice(made: Vec<Made<'_>>, kind: &str, reports: &mut Vec<Report>) {
    let mut reported = places(reports);
    let mut seen: HashMap<String, (&Word, &str)> = HashMap::new();
    for Made { name, of, what } in made {
        let Some((first, first_what)) = seen.get(name.as_str()) else {
            seen.insert(name, (of, what));
            continue;
        };
        let (one, other) = ((*first_what, *first), (what, of));
        let (early, late) = if one.1.at <= other.1.at {
            (one, other)
        } else {
            (other, one)
        };
        if !reported.contains(&late.1.at) && !reported.contains(&early.1.at) {
            reported.insert(late.1.at);
            let message = format!(
                "the {} `{}` makes {kind} `{name}`, and so does the {} `{}`: another name is needed",
                late.0, late.1.text, early.0, early.1.text
            );
            let report = Report::new("reserved-name", late.1.at, message);
            reports.push(report.related(early.1.at, "which is declared here"));
        }
    }
}

/// The types of the whole contract.
fn types(spec: &Spec) -> Vec<Made<'_>> {
    let mut made = Vec::new();
    let mut add = |name: String, of, what| made.push(Made { name, of, what });
    for (names, what) in [
        (keys(&spec.enums).collect::<Vec<_>>(), "enum"),
        (keys(&spec.objects).collect(), "object"),
        (keys(&spec.inputs).collect(), "input"),
        (keys(&spec.resources).collect(), "resource"),
    ] {
        names.into_iter().for_each(|word| add(word.text.clone(), word, what));
    }
    for (word, _) in spec
        .inputs
        .iter()
        .filter(|(_, body)| body.resource.is_some() && body.any.is_empty())
    {
        add(format!("{}Rest", word.text), word, "input");
    }
    for (word, resource) in &spec.resources {
        let name = &word.text;
        for own in [format!("{name}Id"), format!("{name}Seed"), format!("Find{name}")] {
            add(own, word, "resource");
        }
        for view in keys(&resource.views) {
            let shown = format!("{name}{}", pascal(&view.text));
            add(format!("{shown}Row"), view, "view");
            add(shown, view, "view");
        }
    }
    for word in keys(&spec.credentials) {
        let name = pascal(&word.text);
        add(format!("{name}Caller"), word, "credential");
        add(format!("Admit{name}"), word, "credential");
    }
    made
}

/// The functions of a resource: one that shows each view, one for each field that has a value when none is stored.
fn methods(resource: &Resource) -> Vec<Made<'_>> {
    let views = keys(&resource.views).map(|word| Made {
        name: word.text.clone(),
        of: word,
        what: "view",
    });
    let fields = keys(&resource.fields).map(|word| Made {
        name: format!("absent_{}", snake(&word.text)),
        of: word,
        what: "field",
    });
    views.chain(fields).collect()
}

fn snake(name: &str) -> String {
    let mut made = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !made.is_empty() && !made.ends_with('_') {
            made.push('_');
        }
        made.extend(c.to_lowercase());
    }
    made
}
