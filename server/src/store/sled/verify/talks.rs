//! Conversations, and the messages in them.

use std::sync::Arc;

use codegen_store::EngineError;
use contract::{Conversation, ConversationId, Message, Tallied};

use super::name::Name;
use super::reading::Reading;
use super::rows::IndexEntries;
use super::tally::Records;

/// Reads the conversations and their inboxes. Checks that each is between an account and a worker.
pub(super) fn conversations(reading: &mut Reading<'_, '_>, records: &mut Records) -> Result<(), EngineError> {
    let mut rows = IndexEntries::new();
    records.conversations = reading.tally(|findings, conversation: Arc<Conversation>| {
        let of = Name::of::<Conversation>(conversation.id);
        records.accounts.require(conversation.account_id, of, findings);
        records.humans.require(conversation.human_id, of, findings);
        conversation.tally(records);
        rows.add(&*conversation);
    })?;
    rows.verify(reading)
}

/// Reads the messages. Checks that each belongs to a conversation.
pub(super) fn messages(reading: &mut Reading<'_, '_>, records: &mut Records) -> Result<(), EngineError> {
    reading.records(|findings, of, message: Option<Message>| {
        let id = ConversationId::new(of.under.expect("the key of a message has two ids"));
        records.conversations.require(id, of, findings);
        message.iter().for_each(|message| message.tally(records));
    })
}
