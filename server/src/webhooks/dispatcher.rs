//! Decides when each webhook is worked on: one request at a time for each, as many together as there are places. What
//! is due is in the store, so that a restart goes on where the last run ended. An attempt whose result was not stored
//! is repeated.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use contract::{AccountId, DeliveryResult, Timestamp, WebhookId};
use futures_util::FutureExt;
use tokio::sync::Notify;
use tokio::task::{Id, JoinSet};
use tokio::time::{sleep, timeout};
use tracing::{debug, warn};

use super::attempt::{Attempted, attempt};
use super::lanes::{Finished, Lanes};
use super::overdue::Parties;
use super::sender::Post;
use super::target::Reach;
use crate::store::{Delivery, DeliveryReport, NextDelivery, StoreError, StoreResult, Ticket};

/// The longest sleep: the date may be corrected meanwhile.
const MAX_SLEEP: Duration = Duration::from_secs(3_600);

/// How long to wait before a store is asked again that cannot answer at present.
const PAUSE: Duration = Duration::from_secs(1);

/// Observes attempts.
pub(crate) trait WatchDeliveries: Send + Sync {
    /// An attempt ended.
    fn attempted(&self, result: DeliveryResult);
    /// So many webhooks wait for something or are worked on.
    fn at_work(&self, webhooks: usize);
}

/// What is to be sent to webhooks.
pub(crate) trait Deliveries: Send + Sync + 'static {
    /// The webhooks of an account, or all.
    fn webhooks(&self, account: Option<AccountId>) -> StoreResult<Vec<WebhookId>>;
    /// What this webhook has to send at this time. Idle if it does not exist, or its account is suspended.
    fn next_delivery(
        &self,
        webhook: WebhookId,
        now: Timestamp,
    ) -> impl Future<Output = StoreResult<NextDelivery>> + Send;
    /// Stores the result of an attempt, if the webhook still exists.
    fn settle_delivery(
        &self,
        webhook: WebhookId,
        ticket: Ticket,
        report: DeliveryReport,
    ) -> impl Future<Output = StoreResult<()>> + Send;
    /// Waits until something has changed, and returns the accounts whose webhooks may have something to send. For one
    /// caller.
    fn changed(&self) -> impl Future<Output = Vec<AccountId>> + Send;
}

/// Sends what is due.
pub(crate) struct Dispatcher<A, P> {
    deliveries: Arc<A>,
    post: P,
    lanes: Lanes,
    now: Box<dyn Fn() -> Timestamp + Send + Sync>,
    watch: Arc<dyn WatchDeliveries>,
}

impl<A: Deliveries, P: Post> Dispatcher<A, P> {
    /// Sends with `post` what `deliveries` say is due at the date of `now`.
    pub(crate) fn new(
        deliveries: Arc<A>,
        post: P,
        now: impl Fn() -> Timestamp + Send + Sync + 'static,
        watch: Arc<dyn WatchDeliveries>,
    ) -> Self {
        Self {
            deliveries,
            post,
            lanes: Lanes::new(),
            now: Box::new(now),
            watch,
        }
    }

    /// Sends until this is dropped.
    pub(crate) async fn run(self) -> Infallible {
        let dispatcher = Arc::new(self);
        let deliveries = &*dispatcher.deliveries;
        let mut workers = Workers::default();
        let mut changed = webhooks(deliveries, None).await;
        loop {
            for webhook in changed.drain(..) {
                workers.wake(webhook, &dispatcher);
            }
            dispatcher.watch.at_work(workers.tasks.len());
            tokio::select! {
                accounts = deliveries.changed() => {
                    for account in accounts {
                        changed.extend(webhooks(deliveries, Some(account)).await);
                    }
                }
                Some(ended) = workers.tasks.join_next_with_id() => {
                    let id = ended.map_or_else(|panic| panic.id(), |(id, ())| id);
                    changed.extend(workers.ended(id));
                }
            }
        }
    }

    /// Works on a webhook as long as it has something to send, or something waits for its time.
    async fn work(&self, webhook: WebhookId, woken: &Notify) {
        let deliveries = &*self.deliveries;
        loop {
            let now = (self.now)();
            match deliveries.next_delivery(webhook, now).await {
                Ok(NextDelivery::Idle) => return,
                Ok(NextDelivery::Wait(until)) => {
                    let wait = Duration::from_secs(until.unix().abs_diff(now.unix()));
                    // Either is a reason to look again.
                    let _ = timeout(wait.min(MAX_SLEEP), woken.notified()).await;
                }
                Ok(NextDelivery::Now(delivery)) => {
                    let report = self.attempt(&delivery).await;
                    loop {
                        match deliveries.settle_delivery(webhook, delivery.ticket, report).await {
                            Ok(()) => break,
                            // Nothing was done.
                            Err(StoreError::Unavailable(_)) => sleep(PAUSE).await,
                            // It must not count twice. What is due then shows whether it was stored.
                            Err(StoreError::OutcomeUnknown(_)) => break sleep(PAUSE).await,
                            // What cannot be stored would be sent again and again. The next change tries once more.
                            Err(_) => return,
                        }
                    }
                }
                Err(error) if error.is_transient() => sleep(PAUSE).await,
                Err(error) => return warn!(webhook = webhook.get(), %error, "no delivery"),
            }
        }
    }

    async fn attempt(&self, delivery: &Delivery) -> DeliveryReport {
        let request = async { attempt(&self.post, delivery, (self.now)()).await };
        let parties = Parties {
            account: delivery.account,
            host: host(&delivery.url),
        };
        let Finished { answer, pace } = self.lanes.run(delivery.lane, parties, request).await;
        let Attempted { result, retry_after } = answer.unwrap_or(Attempted::from_result(DeliveryResult::Timeout));
        self.watch.attempted(result);
        let (webhook, item) = (delivery.webhook.get(), delivery.ticket.item);
        debug!(webhook, ?item, result = result.as_str(), ?pace, "delivery");
        DeliveryReport {
            result,
            retry_after,
            pace,
            at: (self.now)(),
        }
    }
}

/// The host of a URL. What is none is alike: nothing is sent to it.
fn host(url: &str) -> String {
    let receiver = Reach::Any.receiver_of(url);
    receiver.map_or_else(String::new, |(host, _)| host)
}

/// The webhooks of an account, or all, once the store can be read: a leader of several servers may have no lease for a moment.
async fn webhooks(deliveries: &impl Deliveries, account: Option<AccountId>) -> Vec<WebhookId> {
    let mut warned = false;
    loop {
        match deliveries.webhooks(account) {
            Ok(webhooks) => return webhooks,
            Err(error) if !warned => warn!(%error, "webhooks have to wait"),
            Err(_) => {}
        }
        warned = true;
        sleep(PAUSE).await;
    }
}

/// The webhooks that are worked on.
#[derive(Default)]
struct Workers {
    tasks: JoinSet<()>,
    webhooks: HashMap<Id, WebhookId>,
    woken: HashMap<WebhookId, Arc<Notify>>,
}

impl Workers {
    /// Begins to work on a webhook, or makes its worker look again.
    fn wake<A: Deliveries, P: Post>(&mut self, webhook: WebhookId, dispatcher: &Arc<Dispatcher<A, P>>) {
        if let Some(woken) = self.woken.get(&webhook) {
            return woken.notify_one();
        }
        let (dispatcher, woken) = (Arc::clone(dispatcher), Arc::new(Notify::new()));
        self.woken.insert(webhook, Arc::clone(&woken));
        let task = self.tasks.spawn(async move { dispatcher.work(webhook, &woken).await });
        self.webhooks.insert(task.id(), webhook);
    }

    /// Forgets a worker that ended. Returns its webhook if it was to look again.
    fn ended(&mut self, id: Id) -> Option<WebhookId> {
        let webhook = self.webhooks.remove(&id)?;
        let woken = self.woken.remove(&webhook)?;
        woken.notified().now_or_never().map(|()| webhook)
    }
}

#[cfg(test)]
mod tests;
