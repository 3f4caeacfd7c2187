//! The lists of applications, conversations and messages, which are read from the trees.

use std::sync::{Arc, RwLock};

use codegen_store::Tree;
use contract::support::Batch;
use contract::{
    Application, ApplicationId, ApplicationReceived, ApplicationSent, BountyId, Conversation, ConversationId,
    ConversationItem, ConversationWorkerItem, Human, HumanId, Message, MessageId, MessageItem,
};

use super::keys::{self, Id};
use super::record::Record;
use super::rows::{ReadRows, of_each};
use super::torn;
use super::trees::Trees;
use crate::store::mirror::Mirror;
use crate::store::{PageRequest, StoreError, StoreResult, tables};

/// A page of the applications to a bounty, by id.
pub(super) fn received(trees: &Trees, bounty: BountyId, window: PageRequest) -> StoreResult<Vec<ApplicationId>> {
    let keys = trees.index(tables::RECEIVED, &keys::one(bounty), window.positions().end)?;
    window.of(keys.iter()).map(|key| last(key)).collect()
}

/// Applications in the view for the bounty's owner, with the current state of their workers.
pub(super) fn rows_of_received(ids: Vec<ApplicationId>) -> impl ReadRows<ApplicationReceived> {
    of_each(ids, |trees, mirror, id| {
        let application = at(trees, *id)?;
        let human = human_of(mirror, &application)?;
        Ok(application.received(&human))
    })
}

/// A page of a worker's applications, by id, and their total number.
pub(super) fn sent(trees: &Trees, human: HumanId, window: PageRequest) -> StoreResult<(Vec<ApplicationId>, i64)> {
    let keys = trees.index(tables::SENT, &keys::one(human), usize::MAX)?;
    let ids = window.of(keys.iter()).map(|key| last(key));
    let ids = ids.collect::<StoreResult<_>>()?;
    Ok((ids, i64::try_from(keys.len()).expect("ids are below 2^53")))
}

/// Applications in the view for their worker, with the current state of their bounties.
pub(super) fn rows_of_sent(ids: Vec<ApplicationId>) -> impl ReadRows<ApplicationSent> {
    of_each(ids, |trees, _, id| {
        let application = at(trees, *id)?;
        let bounty = trees.shown_bounty(application.bounty_id)?;
        let bounty = bounty.ok_or_else(|| StoreError::damaged("an application names a bounty that is not there"))?;
        Ok(application.sent(&bounty))
    })
}

/// Conversations in the view for their account.
pub(super) fn rows_of_agent(conversations: Vec<Conversation>) -> impl ReadRows<ConversationItem> {
    of_each(conversations, |trees, mirror, conversation| {
        let human = mirror.read().map_err(torn)?.humans.get(conversation.human_id);
        let human = human.ok_or_else(|| StoreError::damaged("a conversation without its worker"))?;
        Ok(conversation.item(&human, &last_message(trees, conversation)?))
    })
}

/// Conversations in the view for their worker.
pub(super) fn rows_of_worker(conversations: Vec<Conversation>) -> impl ReadRows<ConversationWorkerItem> {
    of_each(conversations, |trees, mirror, conversation| {
        let poster = mirror.read().map_err(torn)?.account(conversation.account_id).cloned();
        let poster = poster.ok_or_else(|| StoreError::damaged("a conversation without its account"))?;
        Ok(conversation.worker_item(&poster, &last_message(trees, conversation)?))
    })
}

/// The messages of a conversation by id, up to the last one that the conversation states.
pub(super) fn rows_of_messages(conversation: &Conversation) -> impl ReadRows<MessageItem> + use<> {
    let (id, last) = (conversation.id, conversation.last_message_id);
    let mut next = MessageId::new(0);
    move |trees: &Trees, _: &RwLock<Mirror>, batch: &mut Batch<MessageItem>| {
        // A long message is a good part of a batch.
        let mut messages = trees.scan::<Message>(keys::pair(id, next)..=keys::pair(id, last), 4);
        while !batch.is_full()
            && let Some(message) = messages.next().transpose()?
        {
            next = MessageId::new(message.id.get() + 1);
            batch.push(message.item());
        }
        Ok(())
    }
}

/// A page of the messages of a conversation, the latest first, from the last one that the conversation states.
///
/// Reads forward, in windows of ids that double: sled's way back brings a mebibyte of constants into the program.
pub(super) fn latest_messages(
    trees: &Trees,
    conversation: &Conversation,
    window: PageRequest,
) -> StoreResult<Vec<(ConversationId, MessageId)>> {
    let id = conversation.id;
    let (mut found, mut size, mut end) = (Vec::new(), 64, conversation.last_message_id.get());
    while end > 0 && found.len() < window.positions().end {
        let start = (end - size).max(0) + 1;
        let range = keys::pair(id, MessageId::new(start))..=keys::pair(id, MessageId::new(end));
        let keys = trees.keys(Message::TREE, range)?;
        let ids = keys.iter().rev().map(|key| keys::last(key));
        let ids: Option<Vec<MessageId>> = ids.collect();
        found.extend(ids.ok_or_else(|| StoreError::damaged("a message without its id"))?);
        (end, size) = (start - 1, size * 2);
    }
    Ok(window.of(found.into_iter()).map(|message| (id, message)).collect())
}

/// Messages by their ids.
pub(super) fn rows_of_ids(ids: Vec<(ConversationId, MessageId)>) -> impl ReadRows<MessageItem> {
    of_each(ids, |trees, _, id| {
        let message: Option<Message> = trees.get(*id)?;
        let message = message.ok_or_else(|| StoreError::damaged("a key of a message without the message"))?;
        Ok(message.item())
    })
}

/// A page of the conversations of an inbox, latest message first. The index must not change while it is read: a
/// conversation that moves to the front during the read would be missed.
pub(super) fn latest(
    trees: &Trees,
    inbox: Tree,
    party: impl Id,
    window: PageRequest,
) -> StoreResult<Vec<Conversation>> {
    let ids = {
        let _still = trees.engine().still();
        trees.index(inbox, &keys::one(party), window.positions().end)?
    };
    let ids = window.of(ids.iter()).map(|key| keys::conversation_of(key));
    let ids: Option<Vec<_>> = ids.collect();
    let ids = ids.ok_or_else(|| StoreError::damaged("an inbox has a key without a conversation"))?;
    let conversation = |id| {
        trees
            .get(id)?
            .ok_or_else(|| StoreError::damaged("an inbox names a conversation that is not there"))
    };
    ids.into_iter().map(conversation).collect()
}

fn last_message(trees: &Trees, conversation: &Conversation) -> StoreResult<Message> {
    trees
        .get((conversation.id, conversation.last_message_id))?
        .ok_or_else(|| StoreError::damaged("a conversation without its last message"))
}

/// The id at the end of an index key.
fn last(key: &[u8]) -> StoreResult<ApplicationId> {
    keys::last(key).ok_or_else(|| StoreError::damaged("an index has a key without an application"))
}

fn at(trees: &Trees, id: ApplicationId) -> StoreResult<Application> {
    trees
        .get(id)?
        .ok_or_else(|| StoreError::damaged("an index names an application that is not there"))
}

fn human_of(mirror: &RwLock<Mirror>, application: &Application) -> StoreResult<Arc<Human>> {
    let mirror = mirror.read().map_err(torn)?;
    let human = mirror.humans.get(application.human_id);
    human.ok_or_else(|| StoreError::damaged("an application names a worker that is not there"))
}
