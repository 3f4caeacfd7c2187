//! All kinds of what is stored.

use codegen_store::Tree;

use super::kind::Kind;
use super::{answers, deliveries, feeds, records, skills, steps, usage};

/// The kinds that are no records with ids of their own.
const OTHERS: [Kind; 8] = [
    deliveries::DELIVERIES,
    steps::STEPS,
    usage::QUOTA_USAGE,
    feeds::FEEDS,
    feeds::EVENTS,
    answers::ANSWERS,
    records::MESSAGES,
    skills::SKILLS,
];

/// The kinds, in the order in which a backup and a log of commits hold them: what changes most comes early, so that a snapshot keeps
/// few former values.
pub(crate) static KINDS: [Kind; OTHERS.len() + records::KINDS.len()] = {
    let mut kinds = [records::MESSAGES; OTHERS.len() + records::KINDS.len()];
    let mut at = 0;
    while at < kinds.len() {
        kinds[at] = if at < OTHERS.len() {
            OTHERS[at]
        } else {
            records::KINDS[at - OTHERS.len()]
        };
        at += 1;
    }
    kinds
};

/// The trees of all kinds.
pub(crate) static TREES: [Tree; KINDS.len()] = {
    let mut trees = [Tree::META; KINDS.len()];
    let mut at = 0;
    while at < trees.len() {
        trees[at] = KINDS[at].tree;
        at += 1;
    }
    trees
};

/// The kinds whose last ids are in a backup. That of events is the number after which a new feed begins.
pub(crate) fn numbered() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().filter(|kind| kind.is_numbered)
}

/// The kind in this tree.
pub(crate) fn of(tree: Tree) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.tree == tree)
}

/// The kind of this name.
pub(crate) fn named(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.tree.name() == name)
}
