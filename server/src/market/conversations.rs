//! Conversations between an agent and a worker. The sender is the authenticated party, never a value of the body.

use std::sync::RwLock;

use codegen_store::Tree;
use contract::support::Key;
use contract::support::derived::Source;
use contract::support::{Batch, Done};
use contract::{
    AccountId, Conversation, ConversationDetail, ConversationId, ConversationItem, ConversationSeed,
    ConversationWorkerDetail, Failure, FindAccount, FindHuman, Human, HumanId, Message, MessageId, MessageItem,
    MessageSeed, Rows, Sender, Streamed, Timestamp, agent, worker,
};

use super::files::{Between, NamedFiles};
use super::{by_key, by_worker};
use crate::app::{Hitode, missing};
use crate::store::{
    Decided, Market, Mirror, NewStep, PageRequest, ReadRows, StoreError, StoreResult, Trees, Tx, emit, in_memory,
    of_each, steps, tables,
};

impl agent::ListConversations for Hitode {
    async fn list_conversations(
        &self,
        request: agent::list_conversations::Request,
    ) -> Result<Rows<ConversationItem>, agent::list_conversations::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        Ok(self.agent_conversations(request.caller.id, window).await?)
    }
}

impl agent::CreateConversation for Hitode {
    async fn create_conversation(
        &self,
        request: agent::create_conversation::Request,
    ) -> Result<Done<agent::create_conversation::Success>, agent::create_conversation::Error> {
        use agent::create_conversation::{Error, MESSAGE_SENDER_TYPE, Success};
        let now = self.now();
        let steps = self.simulated(&request.caller, |plan| {
            plan.reply(None, request.human.id, &request.body.message)
        });
        let conversation = Conversation {
            bounty_id: request.owned_bounty.map(|bounty| bounty.id),
            ..Conversation::from(ConversationSeed {
                id: ConversationId::new(0),
                account_id: request.caller.id,
                human_id: request.human.id,
                last_message_id: MessageId::new(0),
                last_message_at: now,
            })
        };
        let message = message(conversation.id, MESSAGE_SENDER_TYPE, request.body.message, now);
        let by = by_key(&request.caller).counting(request.uses, now);
        let once = request.once.map(|(id, message_id)| Success { id, message_id });
        self.write_once(by, once, move |tx| {
            expect_reader(tx, conversation.human_id, Error::AbsentHuman)?;
            create(tx, &conversation, &message, &steps)
        })
        .await
    }
}

impl agent::GetConversation for Hitode {
    async fn get_conversation(
        &self,
        request: agent::get_conversation::Request,
    ) -> Result<Streamed<ConversationDetail>, agent::get_conversation::Error> {
        let conversation = request.owned_conversation;
        let human = self.find_human(conversation.human_id).await?;
        let human = human.ok_or_else(|| missing("the worker of a conversation"))?;
        let messages = self.rows(rows_of_messages(&conversation)).await?;
        Ok(conversation.detail(&human, messages))
    }
}

impl worker::GetConversation for Hitode {
    async fn get_conversation(
        &self,
        request: worker::get_conversation::Request,
    ) -> Result<Streamed<ConversationWorkerDetail>, worker::get_conversation::Error> {
        let conversation = request.owned_conversation;
        let poster = self.find_account(conversation.account_id).await?;
        let poster = poster.ok_or_else(|| missing("the account of a conversation"))?;
        let messages = self.rows(rows_of_messages(&conversation)).await?;
        Ok(conversation.worker_detail(&poster, messages))
    }
}

impl agent::ListMessages for Hitode {
    async fn list_messages(
        &self,
        request: agent::list_messages::Request,
    ) -> Result<Rows<MessageItem>, agent::list_messages::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        Ok(self.latest_messages(&request.owned_conversation, window).await?)
    }
}

impl agent::CreateMessage for Hitode {
    async fn create_message(
        &self,
        request: agent::create_message::Request,
    ) -> Result<Done<agent::create_message::Success>, agent::create_message::Error> {
        use agent::create_message::{Error, MESSAGE_SENDER_TYPE, Success};
        let (conversation, now) = (request.owned_conversation, self.now());
        let steps = self.simulated(&request.caller, |plan| {
            plan.reply(Some(conversation.id), conversation.human_id, &request.body.content)
        });
        let by = by_key(&request.caller).counting(request.uses, now);
        let files = NamedFiles {
            ids: request.body.files,
            unknown: Error::UnknownFile,
            too_long: Error::LongMessage,
        };
        let message = message(conversation.id, MESSAGE_SENDER_TYPE, request.body.content, now);
        let once = request.once.map(|id| Success { id });
        self.write_once(by, once, move |tx| {
            expect_reader(tx, conversation.human_id, Error::ErasedWorker)?;
            let message = with_files(tx, &files, &conversation, &message)?;
            add_message(tx, &message, &steps)
        })
        .await
    }
}

impl worker::CreateMessage for Hitode {
    async fn create_message(
        &self,
        request: worker::create_message::Request,
    ) -> Result<Done<worker::create_message::Success>, worker::create_message::Error> {
        use worker::create_message::{Error, MESSAGE_SENDER_TYPE, Success};
        let (conversation, now) = (request.owned_conversation, self.now());
        let by = by_worker(&request.caller, &request.presented_credential).counting(request.uses, now);
        let files = NamedFiles {
            ids: request.body.files,
            unknown: Error::UnknownFile,
            too_long: Error::LongMessage,
        };
        let message = message(conversation.id, MESSAGE_SENDER_TYPE, request.body.content, now);
        let once = request.once.map(|id| Success { id });
        self.write_once(by, once, move |tx| {
            let message = with_files(tx, &files, &conversation, &message)?;
            add_message(tx, &message, &[])
        })
        .await
    }
}

impl Hitode {
    /// An account's conversations, latest message first.
    pub(crate) async fn agent_conversations(
        &self,
        account: AccountId,
        window: PageRequest,
    ) -> Result<Rows<ConversationItem>, Failure> {
        let latest = self.read(move |trees, _| latest(trees, tables::AGENT_INBOX, account, window));
        self.rows(rows_of_agent(latest.await?)).await
    }

    /// The messages of a conversation, in the contract's order for lists of messages.
    pub(crate) async fn latest_messages(
        &self,
        conversation: &Conversation,
        window: PageRequest,
    ) -> Result<Rows<MessageItem>, Failure> {
        let conversation = conversation.clone();
        let ids = self.read(move |trees, _| latest_messages(trees, &conversation, window));
        self.rows(rows_of_ids(ids.await?)).await
    }
}

/// A message without an id.
pub(crate) fn message(
    conversation_id: ConversationId,
    sender_type: Sender,
    content: String,
    now: Timestamp,
) -> Message {
    Message::from(MessageSeed {
        id: MessageId::new(0),
        conversation_id,
        sender_type,
        content,
        created_at: now,
    })
}

/// The message with the names of its files, which both sides of the conversation can read from now on.
pub(super) fn with_files<D: Copy + From<Failure>>(
    tx: &mut Tx<'_>,
    files: &NamedFiles<D>,
    conversation: &Conversation,
    message: &Message,
) -> Decided<Message, D> {
    let between = Between {
        account: conversation.account_id,
        human: conversation.human_id,
        conversation: Some(conversation.id),
    };
    let content = files.attach(tx, &between, message.sender_type, &message.content)?;
    Ok(Message {
        content: content.into_owned(),
        ..message.clone()
    })
}

/// Checks that the worker of a conversation was not erased: nobody else can read what an account writes there.
fn expect_reader<D: From<Failure>>(tx: &mut Tx<'_>, worker: HumanId, erased: D) -> Decided<(), D> {
    match tx.existing::<Human>(worker)?.erased {
        true => Err(erased.into()),
        false => Ok(()),
    }
}

/// Creates a conversation with its first message. Their ids are drawn. Simulated workers will take these steps about it.
pub(crate) fn create<D>(
    tx: &mut Tx<'_>,
    conversation: &Conversation,
    message: &Message,
    next: &[NewStep],
) -> Decided<(ConversationId, MessageId), D> {
    let (id, message_id) = (tx.next_id::<Conversation>()?, tx.next_id::<Message>()?);
    let conversation = Conversation {
        id,
        last_message_id: message_id,
        ..conversation.clone()
    };
    tx.create(&conversation)?;
    tx.create(&Message {
        id: message_id,
        conversation_id: id,
        ..message.clone()
    })?;
    let caused = agent::create_conversation::events(&conversation);
    emit(tx, caused, message.created_at)?;
    steps::add(tx, &NewStep::all_about(next, id.get()))?;
    Ok((id, message_id))
}

/// Creates a message in its conversation. Its id is drawn. Simulated workers will take these steps.
pub(crate) fn add_message<D>(tx: &mut Tx<'_>, message: &Message, next: &[NewStep]) -> Decided<MessageId, D> {
    let (former, now): (Conversation, _) = (tx.existing(message.conversation_id)?, message.created_at);
    let id = tx.next_id::<Message>()?;
    let message = Message {
        id,
        // The clock may have been set back, and messages may commit in another order than their times were read.
        created_at: now.max(former.last_message_at),
        ..message.clone()
    };
    let mut conversation = former.clone();
    message.added_to(&mut conversation);
    tx.replace(&former, &conversation)?;
    tx.create(&message)?;
    let caused = match message.sender_type {
        Sender::Agent => agent::create_message::events(&message, &conversation),
        Sender::Human => worker::create_message::events(&message, &conversation),
    };
    emit(tx, caused, now)?;
    steps::add(tx, next)?;
    Ok(id)
}

/// Conversations in the view for their account.
fn rows_of_agent(conversations: Vec<Conversation>) -> impl ReadRows<Market, ConversationItem> {
    of_each(conversations, |trees, mirror, conversation| {
        let human = in_memory(mirror, |mirror: &Mirror| mirror.humans.get(conversation.human_id))?;
        Ok(conversation.item(&human, &last_message(trees, conversation)?))
    })
}

/// The messages of a conversation by id, up to the last one that the conversation states.
pub(super) fn rows_of_messages(conversation: &Conversation) -> impl ReadRows<Market, MessageItem> + use<> {
    let (id, last) = (conversation.id, conversation.last_message_id);
    let mut next = MessageId::new(0);
    move |trees: &Trees, _: &RwLock<Mirror>, batch: &mut Batch<MessageItem>| {
        // A long message is a good part of a batch.
        let mut messages = trees.scan::<Message>((id, next).bytes()..=(id, last).bytes(), 4);
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
fn latest_messages(
    trees: &Trees,
    conversation: &Conversation,
    window: PageRequest,
) -> StoreResult<Vec<(ConversationId, MessageId)>> {
    let id = conversation.id;
    let (mut found, mut size, mut end) = (Vec::new(), 64, conversation.last_message_id.get());
    while end > 0 && found.len() < window.positions().end {
        let start = (end - size).max(0) + 1;
        let range = (id, MessageId::new(start)).bytes()..=(id, MessageId::new(end)).bytes();
        let keys = trees.keys(tables::MESSAGES, range)?;
        let ids: Option<Vec<_>> = keys.iter().rev().map(|key| <(_, _)>::read(key)).collect();
        found.extend(ids.ok_or_else(|| StoreError::damaged("a message without its id"))?);
        (end, size) = (start - 1, size * 2);
    }
    Ok(window.of(found.into_iter()).collect())
}

/// Messages by their ids.
fn rows_of_ids(ids: Vec<(ConversationId, MessageId)>) -> impl ReadRows<Market, MessageItem> {
    of_each(ids, |trees, _, id| {
        let message: Message = trees.named(*id)?;
        Ok(message.item())
    })
}

/// A page of the conversations of an inbox, latest message first. The index must not change while it is read: a
/// conversation that moves to the front during the read would be missed.
fn latest(trees: &Trees, inbox: Tree, party: impl Key, window: PageRequest) -> StoreResult<Vec<Conversation>> {
    let ids = {
        let _still = trees.engine().still();
        trees.listed::<Conversation>(inbox, &party.bytes(), window.positions().end)?
    };
    window.of(ids.into_iter()).map(|id| trees.named(id)).collect()
}

fn last_message(trees: &Trees, conversation: &Conversation) -> StoreResult<Message> {
    trees.named((conversation.id, conversation.last_message_id))
}
