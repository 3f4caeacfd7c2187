//! Conversations and their messages: the writes, and the lists, which are read from disk.

use std::sync::RwLock;

use contract::support::Batch;
use contract::{
    Account, Conversation, ConversationId, ConversationItem, ConversationSeed, ConversationWorkerItem, Human, Message,
    MessageId, MessageItem, MessageSeed, Sender, Timestamp,
};

use super::keys::{self, Id};
use super::rows::{ReadRows, of_each};
use super::torn;
use super::transaction::{Abort, TransactionError, Tx};
use super::trees::{Tree, Trees};
use crate::store::memory::Memory;
use crate::store::{Absent, NewConversation, NewMessage, Party, StoreError, StoreResult};

/// Creates a conversation with its first message.
pub(super) fn create(tx: &mut Tx<'_>, new: &NewConversation) -> Result<(ConversationId, MessageId), Abort<Absent>> {
    tx.get::<Account>(new.account_id)?.ok_or(Abort::Rejected(Absent))?;
    tx.get::<Human>(new.human_id)?.ok_or(Abort::Rejected(Absent))?;
    let id = tx.next_id::<Conversation>()?;
    let message = put_message(tx, id, Sender::Agent, &new.message, new.created_at)?;
    let conversation = Conversation::from(ConversationSeed {
        id,
        account_id: new.account_id,
        human_id: new.human_id,
        last_message_id: message,
        last_message_at: new.created_at,
    });
    tx.create(&conversation)?;
    tx.index(&conversation);
    Ok((id, message))
}

/// Adds a message whose sender is a party of the conversation.
pub(super) fn create_message(tx: &mut Tx<'_>, new: &NewMessage) -> Result<MessageId, Abort<Absent>> {
    let mut conversation: Conversation = tx.get(new.conversation_id)?.ok_or(Abort::Rejected(Absent))?;
    let sender = match new.sender {
        Party::Agent(account) if conversation.account_id == account => Sender::Agent,
        Party::Human(human) if conversation.human_id == human => Sender::Human,
        Party::Agent(_) | Party::Human(_) => return Err(Abort::Rejected(Absent)),
    };
    // The clock may have been set back, and messages may commit in another order than their times were read.
    let created_at = new.created_at.max(conversation.last_message_at);
    let message = put_message(tx, conversation.id, sender, &new.content, created_at)?;
    tx.unindex(&conversation);
    conversation.last_message_id = message;
    conversation.last_message_at = created_at;
    tx.index(&conversation);
    tx.put(&conversation)?;
    Ok(message)
}

/// Conversations in the view for their account.
pub(super) fn rows_of_agent(conversations: Vec<Conversation>) -> impl ReadRows<ConversationItem> {
    of_each(conversations, |trees, memory, conversation| {
        let human = memory.read().map_err(torn)?.humans.get(conversation.human_id).cloned();
        let human = human.ok_or_else(|| StoreError::broken("a conversation without its worker"))?;
        Ok(conversation.item(&human.name, &last_message(trees, conversation)?.content))
    })
}

/// Conversations in the view for their worker.
pub(super) fn rows_of_worker(conversations: Vec<Conversation>) -> impl ReadRows<ConversationWorkerItem> {
    of_each(conversations, |trees, memory, conversation| {
        let poster = memory.read().map_err(torn)?.account(conversation.account_id).cloned();
        let poster = poster.ok_or_else(|| StoreError::broken("a conversation without its account"))?;
        Ok(conversation.worker_item(&poster.name, &last_message(trees, conversation)?.content))
    })
}

/// The messages of a conversation by id, up to the last one that the conversation states.
pub(super) fn rows_of_messages(conversation: &Conversation) -> impl ReadRows<MessageItem> + use<> {
    let (id, last) = (conversation.id, conversation.last_message_id);
    let mut next = MessageId::new(0);
    move |trees: &Trees, _: &RwLock<Memory>, batch: &mut Batch<MessageItem>| {
        let mut messages = trees.scan::<Message>(keys::pair(id, next)..=keys::pair(id, last));
        while !batch.is_full()
            && let Some(message) = messages.next().transpose()?
        {
            next = MessageId::new(message.id.get() + 1);
            batch.push(message.item());
        }
        Ok(())
    }
}

/// The first conversations of an inbox, latest message first. The index must not change while it is read: a
/// conversation that moves to the front during the read would be missed.
pub(super) fn latest(trees: &Trees, inbox: Tree, party: impl Id, limit: i64) -> StoreResult<Vec<Conversation>> {
    let limit = usize::try_from(limit).unwrap_or(0);
    let ids = {
        let _still = trees.moving().read().map_err(torn)?;
        let keys = trees.index(inbox, &keys::one(party)).take(limit);
        keys.map(|key| Ok(keys::conversation_of(&key?)))
            .collect::<StoreResult<Option<Vec<_>>>>()?
    };
    let ids = ids.ok_or_else(|| StoreError::broken("an inbox has a key without a conversation"))?;
    let conversation = |id| {
        trees
            .get(id)?
            .ok_or_else(|| StoreError::broken("an inbox names a conversation that is not there"))
    };
    ids.into_iter().map(conversation).collect()
}

fn last_message(trees: &Trees, conversation: &Conversation) -> StoreResult<Message> {
    trees
        .get((conversation.id, conversation.last_message_id))?
        .ok_or_else(|| StoreError::broken("a conversation without its last message"))
}

fn put_message(
    tx: &mut Tx<'_>,
    conversation_id: ConversationId,
    sender_type: Sender,
    content: &str,
    created_at: Timestamp,
) -> Result<MessageId, TransactionError> {
    let id = tx.next_id::<Message>()?;
    let content = content.to_owned();
    tx.create(&Message::from(MessageSeed {
        id,
        conversation_id,
        sender_type,
        content,
        created_at,
    }))?;
    Ok(id)
}
