//! All kinds of what is stored.

use codegen_store::Tree;
use contract::{Account, ApiKey, Application, Bounty, Conversation, Human, Message, Webhook};

use super::kind::{Column, Kind, remove_record};
use super::mirror::Change;
use super::{answers, deliveries, feeds, skills, steps, usage};

/// The kinds, in the order in which a backup and a log of commits hold them: what changes most comes early, so that a snapshot keeps
/// few former values.
pub(crate) static KINDS: [Kind; 15] = [
    Kind::records::<Account>("account"),
    Kind::records::<ApiKey>("key").removed_by(|tx, _, key| remove_record::<ApiKey>(tx, key, Change::KeyRevoked)),
    Kind::records::<Webhook>("webhook")
        .removed_by(|tx, _, key| remove_record::<Webhook>(tx, key, Change::WebhookDeleted)),
    deliveries::DELIVERIES,
    steps::STEPS,
    usage::QUOTA_USAGE,
    feeds::FEEDS,
    Kind::records::<Conversation>("conversation"),
    Kind::records::<Bounty>("bounty"),
    Kind::records::<Application>("application"),
    feeds::EVENTS,
    answers::ANSWERS,
    Kind::records::<Message>("message").with_key(&[Column::Number("conversation_id"), Column::Number("id")]),
    skills::SKILLS,
    Kind::records::<Human>("worker"),
];

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
