//! What a webhook has to send next, as its rules and the feed of its account say.

use contract::events::{Name, Recipient};
use contract::support::feed::After;
use contract::{Timestamp, Webhook};
use serde::Deserialize;

use super::delivery::{Content, Delivery, DeliveryItem, DeliveryState, NextDelivery};
use super::rules::webhooks::{self, Next};
use super::{FeedRequest, Store, StoreError, StoreResult};

/// After how many events that are not to be sent the place after them is stored, so that they are not read again.
const MAX_REREAD: i64 = 1_000;

/// What is next for a webhook.
pub(super) enum NextStep {
    /// This.
    Is(NextDelivery),
    /// To note that this event, and those before it, are not sent.
    Pass(i64),
}

/// What is next for a webhook at this time, as its rules and the feed of its account say.
pub(super) async fn next(
    store: &impl Store,
    webhook: &Webhook,
    state: &DeliveryState,
    now: Timestamp,
) -> StoreResult<NextStep> {
    let later = match webhooks::takes_events(webhook, state) {
        true => event_after(store, webhook, state.cursor, chosen(webhook), now).await?,
        false => Place::default(),
    };
    let item = match webhooks::next(webhook, state, later.event.as_ref().map(|event| event.number), now) {
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
    store: &impl Store,
    webhook: &Webhook,
    after: i64,
    names: Option<Vec<Name>>,
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
        names,
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
