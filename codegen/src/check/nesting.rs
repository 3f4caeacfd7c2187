//! Limits on nesting. Values of deeply nested types are hard to write and read, and code that is generated for each
//! nested member would grow without end.

use super::shapes::parts;
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Spec, Word};
use std::collections::{HashMap, HashSet};

/// Maximum levels of types within types.
const DEEPEST: usize = 12;
/// Maximum members of a type, including nested ones.
const MOST: usize = 1_000;

/// `deep-nesting`: types that are nested too deeply, or have too many nested members.
pub(super) fn deep_nesting(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics
        .iter()
        .any(|diagnostic| diagnostic.rule == Rule::CyclicObject)
    {
        return;
    }
    let types = spec.types.iter().map(|(name, _)| name);
    let objects = spec.objects.iter().map(|(name, _)| name);
    let declared: Vec<&Word> = types
        .chain(objects)
        .chain(spec.inputs.iter().map(|(name, _)| name))
        .collect();
    let names: HashSet<&str> = declared.iter().map(|word| word.text.as_str()).collect();
    let parts: HashMap<&str, Vec<&str>> = names.iter().map(|name| (*name, parts(spec, name))).collect();
    // Types with `n` levels are counted after `n` rounds.
    let mut members: HashMap<&str, usize> = HashMap::new();
    for _ in 0..DEEPEST {
        let next = declared.iter().map(|word| word.text.as_str());
        let next: Vec<_> = next
            .filter(|name| !members.contains_key(name))
            .filter_map(|name| Some((name, count(&parts[name], &names, &members)?)))
            .collect();
        members.extend(next);
    }
    for word in declared {
        let parts = &parts[word.text.as_str()];
        let message = match (members.get(word.text.as_str()), count(parts, &names, &members)) {
            (None, Some(_)) => format!("`{}` has more than {DEEPEST} levels of nested types", word.text),
            (Some(all), _)
                if *all > MOST
                    && parts
                        .iter()
                        .all(|part| members.get(part).is_none_or(|all| *all <= MOST)) =>
            {
                format!("`{}` has {all} members, including those of nested types", word.text)
            }
            _ => continue,
        };
        let help = format!(
            "at most {DEEPEST} levels and {MOST} members are allowed: hold an id instead of the whole \
            record"
        );
        diagnostics.push(Diagnostic::new(Rule::DeepNesting, word.at, message).help(help));
    }
}

/// The number of nested members of these types. `None` if one of them is not counted yet.
fn count(parts: &[&str], names: &HashSet<&str>, members: &HashMap<&str, usize>) -> Option<usize> {
    parts.iter().try_fold(0_usize, |all, part| {
        let own = if names.contains(part) { *members.get(part)? } else { 0 };
        Some(all.saturating_add(own).saturating_add(1))
    })
}
