//! Compares headers of answers, wherever they are declared.

use crate::diff::matching::match_by;
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::Template;
use std::collections::BTreeSet;

type Headers = [(String, Template)];

/// Compares the headers at one place. Header names are case-insensitive.
pub(crate) fn compare(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    (old, new): (&Headers, &Headers),
    operations: &BTreeSet<String>,
) {
    let mut headers = match_by(old, new, |(name, _)| name.to_lowercase());
    let renamed = headers.take_renamed(
        |(_, value)| Some(value.to_string()),
        |(_, value)| Some(value.to_string()),
    );
    for ((old_name, was), (new_name, is)) in headers.kept {
        if was != is {
            let rule = match has_placeholders(was) || has_placeholders(is) {
                true => Rule::AnswerHeaderChanged,
                false => Rule::AnswerHeaderTextChanged,
            };
            let message = format!("the header `{new_name}` is `{is}`, was `{was}`");
            comparison.between(rule, &place.under(old_name, new_name), operations.clone(), message);
        }
    }
    for ((old_name, _), (new_name, _)) in renamed {
        let message = format!("the header `{old_name}` is renamed to `{new_name}`");
        let place = place.under(old_name, new_name);
        comparison.between(Rule::AnswerHeaderRenamed, &place, operations.clone(), message);
    }
    for (name, value) in headers.removed {
        let message = format!("the header `{name}` is no longer sent, was `{value}`");
        let path = place.join(name).old;
        comparison.removed(Rule::AnswerHeaderRemoved, &path, operations.clone(), message);
    }
    for (name, value) in headers.added {
        let message = format!("the header `{name}` is now sent: `{value}`");
        let path = place.join(name).new;
        comparison.added(Rule::AnswerHeaderAdded, &path, operations.clone(), message);
    }
}

fn has_placeholders(template: &Template) -> bool {
    !template.placeholders().is_empty()
}
