//! Resolves `synonyms`.

use super::{field, resource};
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{Kind, Model, Synonyms, TypeRule};
use crate::syntax::Spec;
use std::collections::HashMap;

pub(super) fn declare(spec: &Spec, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    for (place, groups) in &spec.synonyms {
        let Some((of, name)) = place.text.split_once('.') else {
            let message = format!("`{}` is no field of a resource", place.text);
            let diagnostic = Diagnostic::new(Rule::UnknownField, place.at, message);
            diagnostics.push(diagnostic.help("write `Resource.field`"));
            continue;
        };
        let Some(found) = resource(model, &place.part(of), diagnostics) else {
            continue;
        };
        let Some(found) = field(found, &place.part(name), diagnostics) else {
            continue;
        };
        let is_text = matches!(&found.of.kind, Kind::Named(name)
            if matches!(model.named_type(name).rule, TypeRule::Text { .. }));
        if !is_text || found.of.list {
            let message = format!("`{}` is not a text, so it has no synonyms", place.text);
            diagnostics.push(Diagnostic::new(Rule::OriginType, place.at, message));
        }
        let mut seen = HashMap::new();
        let texts = groups
            .iter()
            .flat_map(|(text, others)| std::iter::once(text).chain(others));
        for text in texts {
            if let Some(first) = seen.insert(&text.text, text.at) {
                let message = format!("`{}` is in two groups", text.text);
                let diagnostic = Diagnostic::new(Rule::SynonymTwice, text.at, message);
                diagnostics.push(
                    diagnostic
                        .related(first, "first given here")
                        .help("make one group of both"),
                );
            }
        }
        let groups = groups.iter();
        let groups = groups.map(|(text, others)| {
            std::iter::once(text)
                .chain(others)
                .map(|text| text.text.clone())
                .collect()
        });
        model.synonyms.push(Synonyms {
            resource: of.to_owned(),
            field: name.to_owned(),
            groups: groups.collect(),
            at: place.at,
        });
    }
}
