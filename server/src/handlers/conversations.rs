//! Conversations between an agent and a worker. The sender is the authenticated party, never a value of the body.

use contract::support::{Done, Once};
use contract::{
    ConversationDetail, ConversationItem, ConversationWorkerDetail, ConversationWorkerItem, Failure, MessageId,
    MessageItem, Rows, Streamed, agent, worker,
};

use super::{by_key, by_worker, missing_after_guard};
use crate::app::Hitode;
use crate::store::{Author, NewConversation, NewMessage, PageRequest, Party, Store};

impl<S: Store> agent::ListConversations for Hitode<S> {
    async fn list_conversations(
        &self,
        request: agent::list_conversations::Request,
    ) -> Result<Rows<ConversationItem>, agent::list_conversations::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        Ok(self
            .store()
            .agent_conversations(request.caller.id, window)
            .await
            .map_err(Failure::from)?)
    }
}

impl<S: Store> worker::ListConversations for Hitode<S> {
    async fn list_conversations(
        &self,
        request: worker::list_conversations::Request,
    ) -> Result<Rows<ConversationWorkerItem>, worker::list_conversations::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        Ok(self
            .store()
            .worker_conversations(request.caller.id, window)
            .await
            .map_err(Failure::from)?)
    }
}

impl<S: Store> agent::CreateConversation for Hitode<S> {
    async fn create_conversation(
        &self,
        request: agent::create_conversation::Request,
    ) -> Result<Done<agent::create_conversation::Success>, agent::create_conversation::Error> {
        let steps = self.simulated(&request.caller, |plan| {
            plan.reply(None, request.human.id, &request.body.message)
        });
        let by = by_key(&request.caller).counting(request.uses, self.now());
        let conversation = NewConversation {
            account_id: request.caller.id,
            human_id: request.human.id,
            message: request.body.message,
            created_at: self.now(),
            steps,
        };
        let once = request
            .once
            .map(|(id, message_id)| agent::create_conversation::Success { id, message_id });
        let created = self.store().create_conversation(by, conversation, once);
        let outcome = created.await.map_err(Failure::from)?;
        Ok(outcome.map_err(|_| missing_after_guard("a worker"))?)
    }
}

impl<S: Store> agent::GetConversation for Hitode<S> {
    async fn get_conversation(
        &self,
        request: agent::get_conversation::Request,
    ) -> Result<Streamed<ConversationDetail>, agent::get_conversation::Error> {
        let conversation = request.owned_conversation;
        let human = self
            .store()
            .find_human(conversation.human_id)
            .await
            .map_err(Failure::from)?;
        let human = human.ok_or_else(|| missing_after_guard("the worker of a conversation"))?;
        let messages = self.store().messages(&conversation).await.map_err(Failure::from)?;
        Ok(conversation.detail(&human, messages))
    }
}

impl<S: Store> worker::GetConversation for Hitode<S> {
    async fn get_conversation(
        &self,
        request: worker::get_conversation::Request,
    ) -> Result<Streamed<ConversationWorkerDetail>, worker::get_conversation::Error> {
        let conversation = request.owned_conversation;
        let poster = self
            .store()
            .find_account(conversation.account_id)
            .await
            .map_err(Failure::from)?;
        let poster = poster.ok_or_else(|| missing_after_guard("the account of a conversation"))?;
        let messages = self.store().messages(&conversation).await.map_err(Failure::from)?;
        Ok(conversation.worker_detail(&poster, messages))
    }
}

impl<S: Store> agent::ListMessages for Hitode<S> {
    async fn list_messages(
        &self,
        request: agent::list_messages::Request,
    ) -> Result<Rows<MessageItem>, agent::list_messages::Error> {
        let window = PageRequest::new(request.query.limit, request.query.offset);
        let messages = self.store().latest_messages(&request.owned_conversation, window);
        Ok(messages.await.map_err(Failure::from)?)
    }
}

impl<S: Store> agent::CreateMessage for Hitode<S> {
    async fn create_message(
        &self,
        request: agent::create_message::Request,
    ) -> Result<Done<agent::create_message::Success>, agent::create_message::Error> {
        let conversation = request.owned_conversation;
        let by = by_key(&request.caller).counting(request.uses, self.now());
        let once = request.once.map(|id| agent::create_message::Success { id });
        let steps = self.simulated(&request.caller, |plan| {
            plan.reply(Some(conversation.id), conversation.human_id, &request.body.content)
        });
        let message = NewMessage {
            conversation_id: conversation.id,
            sender: Party::Agent(conversation.account_id),
            content: request.body.content,
            created_at: self.now(),
            steps,
        };
        let said = send_message(self, by, message, once).await?;
        Ok(said)
    }
}

impl<S: Store> worker::CreateMessage for Hitode<S> {
    async fn create_message(
        &self,
        request: worker::create_message::Request,
    ) -> Result<Done<worker::create_message::Success>, worker::create_message::Error> {
        let conversation = request.owned_conversation;
        let by = by_worker(&request.caller, &request.presented_credential).counting(request.uses, self.now());
        let once = request.once.map(|id| worker::create_message::Success { id });
        let message = NewMessage {
            conversation_id: conversation.id,
            sender: Party::Human(conversation.human_id),
            content: request.body.content,
            created_at: self.now(),
            steps: Vec::new(),
        };
        Ok(send_message(self, by, message, once).await?)
    }
}

async fn send_message<S: Store, T: Send + 'static>(
    app: &Hitode<S>,
    by: Author,
    message: NewMessage,
    once: Once<T, MessageId>,
) -> Result<Done<T>, Failure> {
    app.store()
        .create_message(by, message, once)
        .await?
        .map_err(|_| missing_after_guard("a conversation"))
}
