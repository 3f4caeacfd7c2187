//! The trees of the store, by content.

use codegen_store::{OpenError, OpenFailure, Program, Schema, Tree};

use crate::emitted::stored;

/// Declares each tree once.
macro_rules! trees {
    ($($(#[$doc:meta])* $tree:ident $name:literal $($option:ident)?;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names are those of the constants")]
        enum Place { $($tree),* }
        $($(#[$doc])* pub(crate) const $tree: Tree = Tree::at(Tree::FIRST + Place::$tree as u8, $name)$(.$option())?;)*
        const BY_HAND: &[Tree] = &[Tree::META, $($tree),*];
        /// The place after them, for trees of emitted records.
        #[allow(dead_code, reason = "there need not be any")]
        pub(crate) const NEXT: u8 = Tree::FIRST + [$(Place::$tree),*].len() as u8;
    };
}

trees! {
    /// Digest of a skill's folded name and category → the skill.
    SKILLS "skills";
    /// Account → its record.
    ACCOUNTS "accounts";
    /// Key → its record.
    KEYS "keys";
    /// Worker → its record.
    HUMANS "humans";
    /// Bounty → its record.
    BOUNTIES "bounties";
    /// The open bounties.
    OPEN_BOUNTIES "open_bounties";
    /// Application → its record.
    APPLICATIONS "applications";
    /// Bounty, worker → the worker's application to the bounty.
    APPLIED "applied";
    /// Bounty, application.
    RECEIVED "received";
    /// Worker, application.
    SENT "sent";
    /// Conversation → its record.
    CONVERSATIONS "conversations";
    /// Account, inverted time, inverted conversation.
    AGENT_INBOX "agent_inbox";
    /// Worker, inverted time, inverted conversation.
    WORKER_INBOX "worker_inbox";
    /// Conversation, message → its record.
    MESSAGES "messages";
    /// Webhook → its record.
    WEBHOOKS "webhooks";
    /// Webhook → the state of its deliveries.
    DELIVERIES "deliveries";
    /// Idempotency key → when it expires, and what is stored for it.
    ANSWERS "answers";
    /// Expiry, idempotency key.
    ANSWER_EXPIRY "answer_expiry";
    /// Recipient → the numbers of the first and the last event in its feed.
    FEEDS "feeds";
    /// Recipient, number → the event.
    EVENTS "events";
    /// Time, account, serial number → a step of a simulated worker.
    STEPS "steps";
    /// Owner, quota → what was counted in a period. A former program, which does not know this tree, reads the directory, too;
    /// and a count that is lost costs nobody a record.
    QUOTA_USAGE "quota_usage" without_checksum;
    /// Start of a day → what there was. Without a checksum for the same reasons.
    DAYS "days" without_checksum;
    /// Worker's id in another system → the worker. Without a checksum, so that a former program reads the directory; `check`
    /// compares it with the workers.
    EXTERNAL_IDS "external_ids" without_checksum;
}

/// These and those of emitted records.
static TREES: [Tree; BY_HAND.len() + stored::TREES.len()] = {
    let mut all = [Tree::META; BY_HAND.len() + stored::TREES.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = match at < BY_HAND.len() {
            true => BY_HAND[at],
            false => stored::TREES[at - BY_HAND.len()],
        };
        at += 1;
    }
    all
};

/// The error of this program for a data directory that cannot be used.
pub(crate) fn rejected(failure: OpenFailure) -> OpenError {
    failure.in_words_of(&SCHEMA.program)
}

/// The store of this program.
pub static SCHEMA: Schema = Schema {
    program: Program {
        name: "hitode",
        data_option: "--data DIR",
        database_option: "--url URL",
        contract: "api.yaml",
    },
    layout: 1,
    trees: &TREES,
};
