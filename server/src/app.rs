//! The application for the generated code: authenticates credentials, finds records by id and, in the handlers,
//! executes each operation. Knows the contract's types and the store's trait; must not know HTTP or the engine.

use std::sync::Arc;
use std::time::Instant;

use contract::support::AnswerId;
use contract::{
    Account, AccountId, AdmitApiKey, AdmitOperatorToken, AdmitWorkerToken, ApiKey, ApiKeyCaller, ApiKeyId, Application,
    ApplicationId, Available, Bounty, BountyId, Clock, Conversation, ConversationId, Failure, FindAccount, FindAnswer,
    FindApiKey, FindApplication, FindBounty, FindConversation, FindHuman, FindWebhook, HasApplicationOfBounty, Human,
    HumanId, OperatorTokenCaller, Timestamp, Webhook, WebhookId, WorkerTokenCaller,
};

use tokio::sync::watch;

use crate::digest::Digest;
use crate::operator_token::OperatorToken;
use crate::simulation::Simulation;
use crate::store::Store;
use crate::webhooks::{HasDeliveries, Reach};

/// The service over a store.
pub struct Hitode<S> {
    store: S,
    operator: OperatorToken,
    clock: Clock,
    /// Whether requests that wait for events are to end.
    waits_end: watch::Sender<bool>,
    simulation: Simulation,
    webhook_reach: Reach,
}

impl<S: Store> Hitode<S> {
    /// The service over `store`. The holder of `operator` is the operator; `clock` is the time. Webhooks reach public
    /// addresses.
    pub fn new(store: S, operator: OperatorToken, clock: Clock) -> Self {
        let (waits_end, _) = watch::channel(false);
        Self {
            store,
            operator,
            clock,
            waits_end,
            simulation: Simulation::default(),
            webhook_reach: Reach::Public,
        }
    }

    /// The service whose webhooks have this reach.
    pub fn with_webhook_reach(self, webhook_reach: Reach) -> Self {
        Self { webhook_reach, ..self }
    }

    /// Whom webhooks may reach.
    pub(crate) fn webhook_reach(&self) -> Reach {
        self.webhook_reach
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Returns the store.
    pub fn into_store(self) -> S {
        self.store
    }

    /// Ends all waiting for events, now and later. Requests that wait are answered without an event.
    pub fn end_waits(&self) {
        self.waits_end.send_replace(true);
    }

    /// Waits until something has come: `false` if it has not before the deadline, or before waiting ends.
    pub(crate) async fn comes_before(&self, comes: impl Future<Output = ()>, deadline: Instant) -> bool {
        let mut ends = self.waits_end.subscribe();
        tokio::select! {
            () = comes => true,
            () = tokio::time::sleep_until(deadline.into()) => false,
            // The sender lives as long as this borrow.
            _ = ends.wait_for(|end| *end) => false,
        }
    }

    /// What the handlers share with the simulator.
    pub(crate) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The clock.
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The present time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl<S: Store> Available for Hitode<S> {
    fn can_answer(&self) -> bool {
        self.store.is_available()
    }
}

impl<S: Store> HasDeliveries for Hitode<S> {
    type Store = S;

    fn deliveries(&self) -> &S {
        &self.store
    }
}

impl<S: Store> AdmitApiKey for Hitode<S> {
    async fn admit_api_key(&self, presented: &str) -> Result<Option<ApiKeyCaller>, Failure> {
        let admitted = self.store.admit_key(Digest::from_secret(presented), self.now()).await?;
        Ok(admitted.map(|admitted| ApiKeyCaller {
            id: admitted.account.id,
            limited_by: admitted.key,
            plan: admitted.account.plan,
            suspended: admitted.account.suspended,
            realm: admitted.account.sandbox,
        }))
    }
}

impl<S: Store> AdmitWorkerToken for Hitode<S> {
    async fn admit_worker_token(&self, presented: &str) -> Result<Option<WorkerTokenCaller>, Failure> {
        let admitted = self.store.admit_human(Digest::from_secret(presented)).await?;
        Ok(admitted.map(|admitted| WorkerTokenCaller {
            id: admitted.id,
            limited_by: admitted.id,
            realm: admitted.sandbox,
        }))
    }
}

impl<S: Store> AdmitOperatorToken for Hitode<S> {
    async fn admit_operator_token(&self, presented: &str) -> Result<Option<OperatorTokenCaller>, Failure> {
        Ok(self.operator.matches(presented).then_some(OperatorTokenCaller {}))
    }
}

impl<S: Store> FindAnswer for Hitode<S> {
    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.store.find_answer(id, now).await?)
    }
}

impl<S: Store> FindAccount for Hitode<S> {
    async fn find_account(&self, id: AccountId) -> Result<Option<Arc<Account>>, Failure> {
        Ok(self.store.find_account(id).await?)
    }
}

impl<S: Store> FindApiKey for Hitode<S> {
    async fn find_api_key(&self, id: ApiKeyId) -> Result<Option<Arc<ApiKey>>, Failure> {
        Ok(self.store.find_api_key(id).await?)
    }
}

impl<S: Store> FindHuman for Hitode<S> {
    async fn find_human(&self, id: HumanId) -> Result<Option<Arc<Human>>, Failure> {
        Ok(self.store.find_human(id).await?)
    }
}

impl<S: Store> FindBounty for Hitode<S> {
    async fn find_bounty(&self, id: BountyId) -> Result<Option<Arc<Bounty>>, Failure> {
        Ok(self.store.find_bounty(id).await?)
    }
}

impl<S: Store> FindApplication for Hitode<S> {
    async fn find_application(&self, id: ApplicationId) -> Result<Option<Arc<Application>>, Failure> {
        Ok(self.store.find_application(id).await?)
    }
}

impl<S: Store> HasApplicationOfBounty for Hitode<S> {
    async fn has_application_of_bounty(&self, bounty_id: BountyId, human_id: HumanId) -> Result<bool, Failure> {
        Ok(self.store.has_applied(bounty_id, human_id).await?)
    }
}

impl<S: Store> FindWebhook for Hitode<S> {
    async fn find_webhook(&self, id: WebhookId) -> Result<Option<Arc<Webhook>>, Failure> {
        Ok(self.store.find_webhook(id).await?)
    }
}

impl<S: Store> FindConversation for Hitode<S> {
    async fn find_conversation(&self, id: ConversationId) -> Result<Option<Arc<Conversation>>, Failure> {
        Ok(self.store.find_conversation(id).await?)
    }
}
