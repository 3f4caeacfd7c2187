//! Conversations and their messages: the writes, and the lists, which read from the disk.

use std::sync::RwLock;

use contract::{
    Account, AccountId, Conversation, ConversationId, ConversationItem, ConversationSeed, ConversationWorkerItem,
    Encoded, Human, HumanId, Message, MessageId, MessageItem, MessageSeed, Sender, Timestamp,
};

use super::keys::{self, Id};
use super::torn;
use super::transaction::{Fault, Stop, Tx};
use super::trees::{Tree, Trees};
use crate::store::memory::Memory;
use crate::store::{Absent, Kept, NewConversation, NewMessage, Party, StoreError};

/// Makes a conversation with its first message.
pub(super) fn create(tx: &mut Tx<'_>, new: &NewConversation) -> Result<(ConversationId, MessageId), Stop<Absent>> {
    tx.get::<Account>(new.account_id)?.ok_or(Stop::Refused(Absent))?;
    tx.get::<Human>(new.human_id)?.ok_or(Stop::Refused(Absent))?;
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
    tx.enter(&conversation);
    Ok((id, message))
}

/// Adds a message of one of the conversation's two.
pub(super) fn create_message(tx: &mut Tx<'_>, new: &NewMessage) -> Result<MessageId, Stop<Absent>> {
    let mut conversation: Conversation = tx.get(new.conversation_id)?.ok_or(Stop::Refused(Absent))?;
    let sender = match new.sender {
        Party::Agent(account) if conversation.account_id == account => Sender::Agent,
        Party::Human(human) if conversation.human_id == human => Sender::Human,
        Party::Agent(_) | Party::Human(_) => return Err(Stop::Refused(Absent)),
    };
    // The clock may have been set back, and two messages may be committed in another order than it was read.
    let created_at = new.created_at.max(conversation.last_message_at);
    let message = put_message(tx, conversation.id, sender, &new.content, created_at)?;
    tx.leave(&conversation);
    conversation.last_message_id = message;
    conversation.last_message_at = created_at;
    tx.enter(&conversation);
    tx.put(&conversation)?;
    Ok(message)
}

/// The conversations of an account, the one with the latest message first.
pub(super) fn of_agent(
    trees: &Trees,
    memory: &RwLock<Memory>,
    account: AccountId,
    limit: i64,
) -> Kept<Vec<Encoded<ConversationItem>>> {
    let item = |(conversation, last): (Conversation, Message)| {
        let human = memory.read().map_err(torn)?.humans.get(conversation.human_id).cloned();
        let human = human.ok_or_else(|| StoreError::broken("a conversation without its worker"))?;
        Ok(conversation.item(&human.name, &last.content))
    };
    latest(trees, Tree::AgentInbox, account, limit)?
        .into_iter()
        .map(item)
        .collect()
}

/// The conversations of a worker, the one with the latest message first.
pub(super) fn of_worker(
    trees: &Trees,
    memory: &RwLock<Memory>,
    human: HumanId,
    limit: i64,
) -> Kept<Vec<Encoded<ConversationWorkerItem>>> {
    let item = |(conversation, last): (Conversation, Message)| {
        let poster = memory.read().map_err(torn)?.account(conversation.account_id).cloned();
        let poster = poster.ok_or_else(|| StoreError::broken("a conversation without its account"))?;
        Ok(conversation.worker_item(&poster.name, &last.content))
    };
    latest(trees, Tree::WorkerInbox, human, limit)?
        .into_iter()
        .map(item)
        .collect()
}

/// All messages of a conversation, by id.
pub(super) fn messages(trees: &Trees, conversation: ConversationId) -> Kept<Vec<Encoded<MessageItem>>> {
    let messages = trees.scan_under::<Message>(&keys::one(conversation));
    messages.map(|message| Ok(message?.item())).collect()
}

/// The first conversations of an inbox, each with its last message. While the ids are read, none may move, or one that
/// moves from behind the reader to before it would be missed.
fn latest(trees: &Trees, inbox: Tree, party: impl Id, limit: i64) -> Kept<Vec<(Conversation, Message)>> {
    let limit = usize::try_from(limit).unwrap_or(0);
    let ids = {
        let _still = trees.moving().read().map_err(torn)?;
        let keys = trees.index(inbox, &keys::one(party)).take(limit);
        keys.map(|key| Ok(keys::conversation_of(&key?)))
            .collect::<Kept<Option<Vec<_>>>>()?
    };
    let ids = ids.ok_or_else(|| StoreError::broken("an inbox has a key without a conversation"))?;
    ids.into_iter().map(|id| with_last_message(trees, id)).collect()
}

fn with_last_message(trees: &Trees, id: ConversationId) -> Kept<(Conversation, Message)> {
    let gone = || StoreError::broken("an inbox names what is not there");
    let conversation: Conversation = trees.get(id)?.ok_or_else(gone)?;
    let last = trees.get((id, conversation.last_message_id))?.ok_or_else(gone)?;
    Ok((conversation, last))
}

fn put_message(
    tx: &mut Tx<'_>,
    conversation_id: ConversationId,
    sender_type: Sender,
    content: &str,
    created_at: Timestamp,
) -> Result<MessageId, Fault> {
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
