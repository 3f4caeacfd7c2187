//! All kinds of what is stored.

use codegen_store::Tree;

use super::kind::Kind;
use super::{answers, deliveries, feeds, records, skills, steps, usage};

/// Few and often changed.
const SMALL: [Kind; 4] = [deliveries::DELIVERIES, steps::STEPS, usage::QUOTA_USAGE, feeds::FEEDS];

/// Many, and seldom changed.
const LARGE: [Kind; 4] = [feeds::EVENTS, answers::ANSWERS, records::MESSAGES, skills::SKILLS];

/// The kinds, in the order in which a backup holds them: what changes most comes early, so that a snapshot keeps few former
/// values.
pub(crate) static KINDS: [Kind; SMALL.len() + LARGE.len() + records::KINDS.len()] = {
    let mut kinds = [records::MESSAGES; SMALL.len() + LARGE.len() + records::KINDS.len()];
    let mut at = add(&SMALL, false, &mut kinds, 0);
    at = add(&records::KINDS, false, &mut kinds, at);
    at = add(&LARGE, false, &mut kinds, at);
    at = add(&records::KINDS, true, &mut kinds, at);
    assert!(at == kinds.len());
    kinds
};

/// Adds those of `more` that come last, or that do not. Returns the place after them.
const fn add(more: &[Kind], last: bool, kinds: &mut [Kind], mut at: usize) -> usize {
    let mut next = 0;
    while next < more.len() {
        if more[next].comes_last == last {
            kinds[at] = more[next];
            at += 1;
        }
        next += 1;
    }
    at
}

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
