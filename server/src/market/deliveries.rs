//! What webhooks are sent, and when: what is next, when a failed delivery is repeated, and when a webhook is disabled.

use std::convert::Infallible;
use std::time::Duration;

use contract::events::{Event, Name, Recipient};
use contract::support::feed::After;
use contract::{AccountId, DeliveryResult, Timestamp, Webhook, WebhookId, WebhookStatus};
use serde::Deserialize;

use crate::app::Hitode;
use crate::store::{
    Abort, Actor, Content, Delivery, DeliveryItem, DeliveryReport, DeliveryState, FeedRequest, LastAttempt,
    NextDelivery, Store, StoreError, StoreResult, Ticket, Waiting, deliveries, emit, names,
};
use crate::webhooks::Deliveries;

/// After how many events that are not to be sent the place after them is stored, so that they are not read again.
const MAX_REREAD: i64 = 1_000;

/// Seconds before the second attempt, the third, and so on: the schedule that Standard Webhooks suggests.
const BACKOFF: [u64; 9] = [
    5,
    5 * 60,
    30 * 60,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
];
const HOUR: u64 = 3_600;
/// How far a delay is from the schedule at most, in percent, so that deliveries that failed together are not repeated
/// together.
const SPREAD_PERCENT: u64 = 20;
/// The longest time for which a receiver can ask to be left alone.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * HOUR);
/// A webhook that only fails for this long is disabled.
const MAX_FAILING_SECS: i64 = 5 * 24 * 3_600;
/// How many events of a webhook may wait for another attempt. Later events wait in the feed.
const MAX_WAITING_EVENTS: usize = 32;

/// What is next for a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// To send this.
    Send(DeliveryItem),
    /// Nothing before this time.
    Wait(Timestamp),
    /// Nothing until there is an event.
    Idle,
}

/// What is to be done next for a webhook.
enum NextStep {
    /// This.
    Is(NextDelivery),
    /// To note that this event, and those before it, are not sent.
    Pass(i64),
}

/// What is next for a webhook at this time, as its rules and the feed of its account say.
async fn next_step(store: &Store, webhook: &Webhook, state: &DeliveryState, now: Timestamp) -> StoreResult<NextStep> {
    let later = match takes_events(webhook, state) {
        true => event_after(store, webhook, state.cursor, chosen(webhook), now).await?,
        false => Place::default(),
    };
    let item = match next(webhook, state, later.event.as_ref().map(|event| event.number), now) {
        Next::Send(item) => item,
        Next::Wait(until) => return Ok(NextStep::Is(NextDelivery::Wait(until))),
        Next::Idle if later.cursor > state.cursor + MAX_REREAD => return Ok(NextStep::Pass(later.cursor)),
        Next::Idle => return Ok(NextStep::Is(NextDelivery::Idle)),
    };
    let content = match item {
        DeliveryItem::Challenge => Content::Challenge,
        DeliveryItem::Test => Content::Test,
        DeliveryItem::Event(number) => {
            let is_it = |event: &FoundEvent| event.number == number;
            let found = match later.event.filter(is_it) {
                Some(event) => Some(event),
                None => event_after(store, webhook, number - 1, None, now)
                    .await?
                    .event
                    .filter(is_it),
            };
            match found {
                Some(FoundEvent { id, json, .. }) => Content::Event { id, json },
                // It waited for longer than the feed keeps it.
                None => return Ok(NextStep::Pass(number)),
            }
        }
    };
    Ok(NextStep::Is(NextDelivery::Now(Box::new(Delivery::new(
        webhook, state, item, content,
    )))))
}

/// The kinds of events that the webhook gets. `None`: all.
fn chosen(webhook: &Webhook) -> Option<Vec<Name>> {
    let known = webhook.events.iter().filter_map(|name| Name::parse(name.as_str()));
    (!webhook.events.is_empty()).then(|| known.collect())
}

/// A place in a feed.
#[derive(Default)]
struct Place {
    /// The event at this place.
    event: Option<FoundEvent>,
    /// The number of the last event that was looked at.
    cursor: i64,
}

struct FoundEvent {
    number: i64,
    id: String,
    json: String,
}

/// The first event of these kinds after this number.
async fn event_after(
    store: &Store,
    webhook: &Webhook,
    after: i64,
    kinds: Option<Vec<Name>>,
    now: Timestamp,
) -> StoreResult<Place> {
    #[derive(Deserialize)]
    struct Members {
        #[serde(rename = "eventId")]
        id: String,
        cursor: String,
    }
    let request = FeedRequest {
        after: Some(After::Event(after)),
        names: names(kinds),
        limit: 1,
        now,
    };
    let Ok(page) = store.events(Recipient::Account(webhook.account_id), request).await? else {
        return Ok(Place::default());
    };
    let event = page.events.first().map(|row| {
        let json = row.as_str().to_owned();
        let members: Members = serde_json::from_str(&json).map_err(StoreError::damaged)?;
        let number = members.cursor.parse().map_err(StoreError::damaged)?;
        let id = members.id;
        Ok::<_, StoreError>(FoundEvent { number, id, json })
    });
    Ok(Place {
        event: event.transpose()?,
        cursor: page.cursor,
    })
}

impl Deliveries for Hitode {
    fn webhooks(&self, account: Option<AccountId>) -> StoreResult<Vec<WebhookId>> {
        self.store().look(|mirror| mirror.webhooks.ids(account))
    }

    async fn next_delivery(&self, id: WebhookId, now: Timestamp) -> StoreResult<NextDelivery> {
        loop {
            let Some((webhook, state)) = self.store().look(|mirror| mirror.receiver(id))? else {
                return Ok(NextDelivery::Idle);
            };
            let number = match next_step(self.store(), &webhook, &state, now).await? {
                NextStep::Is(next) => return Ok(next),
                NextStep::Pass(number) => number,
            };
            let replays = state.replays;
            self.settle(
                id,
                move |_, state| {
                    pass(state, replays, number);
                    None
                },
                now,
            )
            .await?;
        }
    }

    async fn settle_delivery(&self, webhook: WebhookId, ticket: Ticket, report: DeliveryReport) -> StoreResult<()> {
        let settle = move |webhook: &mut Webhook, state: &mut DeliveryState| settle(webhook, state, ticket, report);
        self.settle(webhook, settle, report.at).await
    }

    async fn changed(&self) -> Vec<AccountId> {
        self.store().service().changed_accounts().await
    }
}

impl Hitode {
    /// Changes a webhook, unless it was deleted meanwhile, with the event that this causes.
    async fn settle(
        &self,
        id: WebhookId,
        settle: impl Fn(&mut Webhook, &mut DeliveryState) -> Option<(Recipient, Event)> + Send + 'static,
        now: Timestamp,
    ) -> StoreResult<()> {
        let settled = self.store().write(Actor::Operator, move |tx| {
            let mut caused = None;
            deliveries::change(tx, id, |webhook, state| caused = settle(webhook, state))?;
            emit(tx, caused.into_iter().collect(), now)?;
            Ok::<_, Abort<Infallible>>(())
        });
        let Ok(()) = settled.await?;
        Ok(())
    }
}

/// A test, or for a webhook that is not active the challenge, is due now. A disabled webhook becomes unverified.
pub(super) fn test_at(webhook: &mut Webhook, state: &mut DeliveryState, now: Timestamp) {
    if webhook.status == WebhookStatus::Active {
        return schedule(state, DeliveryItem::Test, now);
    }
    webhook.status = WebhookStatus::Unverified;
    state.failing_since = None;
    schedule(state, DeliveryItem::Challenge, now);
}

/// All events after this number are sent again, up to `newest` and beyond.
pub(super) fn replay_after(state: &mut DeliveryState, after: i64, newest: i64) {
    state.cursor = after.min(newest);
    state.replays += 1;
    state
        .waiting
        .retain(|waiting| !matches!(waiting.item, DeliveryItem::Event(number) if number > after));
}

/// What to send now. `event` is the number of the next event after the cursor, if there is one that it
/// [takes](takes_events).
fn next(webhook: &Webhook, state: &DeliveryState, event: Option<i64>, now: Timestamp) -> Next {
    let is_allowed = |item: DeliveryItem| match webhook.status {
        WebhookStatus::Unverified => item == DeliveryItem::Challenge,
        WebhookStatus::Active => item != DeliveryItem::Challenge,
        WebhookStatus::Disabled => false,
    };
    let waiting = state.waiting.iter().filter(|waiting| is_allowed(waiting.item));
    let first = waiting.min_by_key(|waiting| (waiting.due, waiting.item));
    match (first, event.map(DeliveryItem::Event)) {
        (Some(first), _) if first.due <= now => Next::Send(first.item),
        (_, Some(event)) => Next::Send(event),
        (Some(first), _) => Next::Wait(first.due),
        (None, _) => Next::Idle,
    }
}

/// Whether events after the cursor may be attempted, before those that wait have succeeded.
fn takes_events(webhook: &Webhook, state: &DeliveryState) -> bool {
    let events = state
        .waiting
        .iter()
        .filter(|waiting| matches!(waiting.item, DeliveryItem::Event(_)));
    webhook.status == WebhookStatus::Active && events.count() < MAX_WAITING_EVENTS
}

/// The events up to this number are not sent. `replays` are those when this was decided.
fn pass(state: &mut DeliveryState, replays: u32, number: i64) {
    forget(state, DeliveryItem::Event(number));
    if replays == state.replays {
        state.cursor = state.cursor.max(number);
    }
}

/// Takes in the result of an attempt. Returns the event that it causes.
fn settle(
    webhook: &mut Webhook,
    state: &mut DeliveryState,
    ticket: Ticket,
    report: DeliveryReport,
) -> Option<(Recipient, Event)> {
    let former = webhook.status;
    take_in(webhook, state, ticket, report);
    let is_disabled = former != webhook.status && webhook.status == WebhookStatus::Disabled;
    let event = Event::WebhookDisabled { webhook_id: webhook.id };
    is_disabled.then_some((Recipient::Account(webhook.account_id), event))
}

fn take_in(webhook: &mut Webhook, state: &mut DeliveryState, ticket: Ticket, report: DeliveryReport) {
    let (item, result, at) = (ticket.item, report.result, report.at);
    let attempts = forget(state, item) + 1;
    let is_current = match item {
        // After a replay, events behind the cursor come again by themselves.
        DeliveryItem::Event(number) if ticket.replays != state.replays => number <= state.cursor,
        DeliveryItem::Event(number) => {
            state.cursor = state.cursor.max(number);
            true
        }
        DeliveryItem::Challenge | DeliveryItem::Test => true,
    };
    state.last = Some(LastAttempt { result, at });
    state.pace = report.pace;
    if result == DeliveryResult::Delivered {
        state.failing_since = None;
        if item == DeliveryItem::Challenge {
            set_status(webhook, WebhookStatus::Active);
        }
        return;
    }
    let since = *state.failing_since.get_or_insert(at);
    let delay = delay(webhook.id, item, attempts, report.retry_after).filter(|_| item != DeliveryItem::Test);
    let is_over = delay.is_none() && item == DeliveryItem::Challenge;
    if result == DeliveryResult::Gone || is_over || at.unix() - since.unix() >= MAX_FAILING_SECS {
        set_status(webhook, WebhookStatus::Disabled);
    }
    if let Some(delay) = delay.filter(|_| is_current) {
        let due = Timestamp::from_unix(at.unix().saturating_add_unsigned(delay));
        state.waiting.push(Waiting { item, attempts, due });
    }
}

/// Removes what waits, and returns the attempts so far.
fn forget(state: &mut DeliveryState, item: DeliveryItem) -> u32 {
    let attempts = state.waiting.iter().find(|waiting| waiting.item == item);
    let attempts = attempts.map_or(0, |waiting| waiting.attempts);
    state.waiting.retain(|waiting| waiting.item != item);
    attempts
}

/// This is due at this time, whenever it was due before.
pub(super) fn schedule(state: &mut DeliveryState, item: DeliveryItem, due: Timestamp) {
    forget(state, item);
    let attempts = 0;
    state.waiting.push(Waiting { item, attempts, due });
}

fn set_status(webhook: &mut Webhook, status: WebhookStatus) {
    // An attempt may end after a test has changed the status.
    if webhook.status.may_become(status) {
        webhook.status = status;
    }
}

/// Seconds until the next attempt, after this many. `None` if there is none.
fn delay(webhook: WebhookId, item: DeliveryItem, attempts: u32, retry_after: Option<Duration>) -> Option<u64> {
    let place = usize::try_from(attempts).ok()?.checked_sub(1)?;
    let planned = *BACKOFF.get(place)?;
    let percent = 100 - SPREAD_PERCENT + spread(webhook, item, attempts) % (2 * SPREAD_PERCENT + 1);
    let planned = (planned * percent).div_ceil(100);
    let asked = retry_after.map_or(0, |wait| wait.min(MAX_RETRY_AFTER).as_secs());
    Some(planned.max(asked))
}

/// A number that differs from delivery to delivery. It need not be secret, and a rule must not use random numbers.
fn spread(webhook: WebhookId, item: DeliveryItem, attempts: u32) -> u64 {
    let number = match item {
        DeliveryItem::Challenge => -1,
        DeliveryItem::Test => -2,
        DeliveryItem::Event(number) => number,
    };
    let parts = [webhook.get(), number, attempts.into()];
    // FNV-1a over the numbers.
    let mixed = parts.iter().fold(0xcbf2_9ce4_8422_2325, |mixed: u64, part| {
        (mixed ^ part.cast_unsigned()).wrapping_mul(0x0100_0000_01b3)
    });
    mixed >> 32
}
