//! Conversations, and the messages in them.

use std::sync::Arc;

use contract::{Account, Conversation, ConversationId, Human, Message};

use super::finding::Finding;
use super::name::Name;
use super::reading::Reading;
use super::rows::IndexEntries;
use super::tally::{Stated, Tally};

/// The latest message of a conversation, as stated and as found.
pub(super) struct Latest {
    /// The id that the conversation states.
    stated: i64,
    /// The highest id of the messages.
    found: Option<i64>,
}

/// Reads the conversations and their inboxes. Checks that each is between an account and a worker.
pub(super) fn conversations(
    reading: &mut Reading<'_>,
    accounts: &Tally<Account, Stated>,
    humans: &Tally<Human, ()>,
) -> sled::Result<Tally<Conversation, Latest>> {
    let mut rows = IndexEntries::new();
    let conversations = reading.tally(|findings, conversation: Arc<Conversation>| {
        let of = Name::of::<Conversation>(conversation.id);
        accounts.require(conversation.account_id, of, findings);
        humans.require(conversation.human_id, of, findings);
        rows.add(&*conversation);
        Latest {
            stated: conversation.last_message_id.get(),
            found: None,
        }
    })?;
    rows.verify(reading)?;
    Ok(conversations)
}

/// Reads the messages. Checks that each belongs to a conversation, and that each conversation states its latest.
pub(super) fn messages(reading: &mut Reading<'_>, conversations: &mut Tally<Conversation, Latest>) -> sled::Result<()> {
    reading.records(|findings, of, _: Option<Message>| {
        let id = ConversationId::new(of.under.expect("the key of a message has two ids"));
        if let Some(latest) = conversations.get_mut(id) {
            // Messages are read in the order of their ids.
            latest.found = Some(of.id);
        }
        conversations.require(id, of, findings);
    })?;
    for (of, Latest { stated, found: latest }) in conversations.iter() {
        if *latest != Some(*stated) {
            let (stated, latest) = (*stated, *latest);
            reading.findings.push(Finding::LastMessage { of, stated, latest });
        }
    }
    Ok(())
}
