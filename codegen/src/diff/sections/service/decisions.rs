//! Compares `decisions`: the decisions on points that the specification leaves open.

use crate::diff::matching::match_by;
use crate::diff::output::{Change, Comparison, PathPair, Rule};
use crate::model::{Decision, Word};
use std::collections::{BTreeSet, HashMap};

/// Must be called last: a decision that names a renamed element by its new name has not changed.
pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let renamed = renamed(&comparison.changes);
    let mut decisions = match_by(&comparison.old.decisions, &comparison.new.decisions, |(name, _)| {
        name.as_str()
    });
    let called = decisions.take_renamed(|(_, old)| Some(content(old)), |(_, new)| Some(content(new)));
    let section = PathPair::same("decisions");
    for ((old, _), (new, _)) in &called {
        let message = format!("the decision `{old}` is renamed to `{new}`");
        let place = section.under(old, new);
        comparison.between(Rule::DecisionRenamed, &place, BTreeSet::new(), message);
    }
    for (old, new) in decisions.kept.into_iter().chain(called) {
        compare_decision(comparison, (old, new), &renamed);
    }
    for (name, old) in decisions.removed {
        let message = format!(
            "there is no longer a decision on {}, was {}",
            quoted(&old.gap),
            quoted(&old.choice)
        );
        let path = section.join(name).old;
        comparison.removed(Rule::DecisionRemoved, &path, BTreeSet::new(), message);
    }
    for (name, new) in decisions.added {
        let message = format!("there is a decision on {}: {}", quoted(&new.gap), quoted(&new.choice));
        let path = section.join(name).new;
        comparison.added(Rule::DecisionAdded, &path, BTreeSet::new(), message);
    }
}

fn compare_decision(
    comparison: &mut Comparison<'_>,
    ((old_name, old), (name, new)): (&(Word, Decision), &(Word, Decision)),
    renamed: &HashMap<String, String>,
) {
    let place = PathPair::same("decisions").under(old_name, name);
    let Decision { gap, choice, at, test } = new;
    let mut tell = |rule, key, message| comparison.between(rule, &place.join(key), BTreeSet::new(), message);
    if *choice != old.choice {
        let message = format!(
            "the decision on {} is {}, was {}",
            quoted(gap),
            quoted(choice),
            quoted(&old.choice)
        );
        tell(Rule::DecisionChanged, "choice", message);
    }
    if *gap != old.gap {
        let message = format!(
            "the gap of the decision `{name}` is {}, was {}",
            quoted(gap),
            quoted(&old.gap)
        );
        tell(Rule::DecisionGapChanged, "gap", message);
    }
    let followed = old.at.as_ref().map(|path| followed(path, renamed));
    let both = [
        ("at", followed.as_ref(), at.as_deref()),
        ("test", old.test.as_deref(), test.as_deref()),
    ];
    for (key, was, is) in both {
        if was != is {
            let message = format!(
                "`{key}` of the decision `{name}` is {}, was {}",
                or_nothing(is),
                or_nothing(was)
            );
            tell(Rule::DecisionProofChanged, key, message);
        }
    }
}

fn content(decision: &Decision) -> (&str, &str) {
    (&decision.gap, &decision.choice)
}

fn quoted(text: &str) -> String {
    format!("`{text}`")
}

fn or_nothing(path: Option<&String>) -> String {
    path.map_or_else(|| "not given".to_owned(), |path| quoted(path))
}

/// The renamed paths, by their old ones.
fn renamed(changes: &[Change]) -> HashMap<String, String> {
    let both = changes
        .iter()
        .filter_map(|change| change.old.clone().zip(change.new.clone()));
    both.filter(|(old, new)| old != new).collect()
}

/// A path of the old contract in the new one, after all renames on it.
fn followed(path: &str, renamed: &HashMap<String, String>) -> String {
    let ends = path.match_indices('.').map(|(dot, _)| dot).chain([path.len()]);
    let ends: Vec<usize> = ends.collect();
    let begins = ends
        .into_iter()
        .rev()
        .find_map(|end| Some((end, renamed.get(&path[..end])?)));
    begins.map_or_else(|| path.to_owned(), |(end, new)| format!("{new}{}", &path[end..]))
}
