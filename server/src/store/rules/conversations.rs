//! Conversations and their messages.

use contract::support::derived::Source;
use contract::{Conversation, ConversationId, ConversationSeed, Message, MessageId, MessageSeed, agent, worker};

use crate::store::{Absent, NewConversation, NewMessage, Party};

/// A new conversation with its first message, which is from the account. `exist` is whether its account and its worker
/// exist.
pub(in crate::store) fn create(
    id: ConversationId,
    message_id: MessageId,
    new: &NewConversation,
    exist: bool,
) -> Result<(Conversation, Message), Absent> {
    if !exist {
        return Err(Absent);
    }
    let conversation = Conversation::from(ConversationSeed {
        id,
        account_id: new.account_id,
        human_id: new.human_id,
        last_message_id: message_id,
        last_message_at: new.created_at,
    });
    let message = Message::from(MessageSeed {
        id: message_id,
        conversation_id: id,
        sender_type: agent::create_conversation::MESSAGE_SENDER_TYPE,
        content: new.message.clone(),
        created_at: new.created_at,
    });
    Ok((conversation, message))
}

/// A new message from a party of the conversation, with the changed conversation. For others it is absent.
pub(in crate::store) fn add_message(
    conversation: Option<&Conversation>,
    id: MessageId,
    new: &NewMessage,
) -> Result<(Conversation, Message), Absent> {
    let conversation = conversation.ok_or(Absent)?;
    let sender_type = match new.sender {
        Party::Agent(account) if conversation.account_id == account => agent::create_message::MESSAGE_SENDER_TYPE,
        Party::Human(human) if conversation.human_id == human => worker::create_message::MESSAGE_SENDER_TYPE,
        Party::Agent(_) | Party::Human(_) => return Err(Absent),
    };
    // The clock may have been set back, and messages may commit in another order than their times were read.
    let created_at = new.created_at.max(conversation.last_message_at);
    let message = Message::from(MessageSeed {
        id,
        conversation_id: conversation.id,
        sender_type,
        content: new.content.clone(),
        created_at,
    });
    let mut conversation = conversation.clone();
    message.added_to(&mut conversation);
    Ok((conversation, message))
}
