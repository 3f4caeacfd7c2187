//! Webhooks: what is sent next, when a failed delivery is repeated, and when a webhook is disabled.

use std::time::Duration;

use contract::events::{Event, Recipient};
use contract::support::derived::{Counted, Source};
use contract::{Account, DeliveryResult, Timestamp, Webhook, WebhookId, WebhookSeed, WebhookStatus};

use crate::store::delivery::{LastAttempt, Waiting};
use crate::store::{Absent, DeliveryItem, DeliveryReport, DeliveryState, NewWebhook, Pace, Ticket, WebhookDenied};

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
pub(in crate::store) const MAX_WAITING_EVENTS: usize = 32;

/// What is next for a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Next {
    /// To send this.
    Send(DeliveryItem),
    /// Nothing before this time.
    Wait(Timestamp),
    /// Nothing until there is an event.
    Idle,
}

/// A new webhook of an account that has fewer than `max`, with the changed account. `newest` is the number of the
/// account's latest event: later ones are sent.
pub(in crate::store) fn create(
    account: Option<Account>,
    id: WebhookId,
    new: &NewWebhook,
    max: i64,
    newest: i64,
) -> Result<(Account, Webhook, DeliveryState), WebhookDenied> {
    let mut account = account.ok_or(WebhookDenied::Absent)?;
    if account.webhooks >= max {
        return Err(WebhookDenied::Quota);
    }
    let webhook = Webhook {
        events: new.events.clone(),
        ..Webhook::from(WebhookSeed {
            id,
            account_id: account.id,
            url: new.url.clone(),
            created_at: new.created_at,
        })
    };
    webhook.added_to(&mut account);
    let mut state = DeliveryState {
        secret: new.secret.clone(),
        cursor: newest,
        waiting: Vec::new(),
        failing_since: None,
        last: None,
        pace: Pace::New,
        replays: 0,
    };
    schedule(&mut state, DeliveryItem::Challenge, new.created_at);
    Ok((account, webhook, state))
}

/// The account after its webhook is deleted. A webhook of another account is absent.
pub(in crate::store) fn delete(account: Option<Account>, webhook: Option<&Webhook>) -> Result<Account, Absent> {
    let (mut account, webhook) = (account.ok_or(Absent)?, webhook.ok_or(Absent)?);
    if webhook.account_id != account.id {
        return Err(Absent);
    }
    webhook.removed_from(&mut account);
    Ok(account)
}

/// A test, or for a webhook that is not active the challenge, is due now. A disabled webhook becomes unverified.
pub(in crate::store) fn test(webhook: &mut Webhook, state: &mut DeliveryState, now: Timestamp) {
    if webhook.status == WebhookStatus::Active {
        return schedule(state, DeliveryItem::Test, now);
    }
    webhook.status = WebhookStatus::Unverified;
    state.failing_since = None;
    schedule(state, DeliveryItem::Challenge, now);
}

/// All events after this number are sent again, up to `newest` and beyond.
pub(in crate::store) fn replay(state: &mut DeliveryState, after: i64, newest: i64) {
    state.cursor = after.min(newest);
    state.replays += 1;
    state
        .waiting
        .retain(|waiting| !matches!(waiting.item, DeliveryItem::Event(number) if number > after));
}

/// What to send now. `event` is the number of the next event after the cursor, if there is one that it
/// [takes](takes_events).
pub(in crate::store) fn next(webhook: &Webhook, state: &DeliveryState, event: Option<i64>, now: Timestamp) -> Next {
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
pub(in crate::store) fn takes_events(webhook: &Webhook, state: &DeliveryState) -> bool {
    let events = state
        .waiting
        .iter()
        .filter(|waiting| matches!(waiting.item, DeliveryItem::Event(_)));
    webhook.status == WebhookStatus::Active && events.count() < MAX_WAITING_EVENTS
}

/// The events up to this number are not sent. `replays` are those when this was decided.
pub(in crate::store) fn pass(state: &mut DeliveryState, replays: u32, number: i64) {
    forget(state, DeliveryItem::Event(number));
    if replays == state.replays {
        state.cursor = state.cursor.max(number);
    }
}

/// Takes in the result of an attempt. Returns the event that it causes.
pub(in crate::store) fn settle(
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

fn schedule(state: &mut DeliveryState, item: DeliveryItem, due: Timestamp) {
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
