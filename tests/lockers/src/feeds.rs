//! The feeds of events: what has happened, for each recipient.

use crate::events::{Event, Recipient};
use crate::recipient::list_events;
use crate::store::Store;
use crate::support::feed::{After, FeedPage, mint_event_id, occurrence};
use crate::support::{Failure, Timestamp};
use crate::{Lockers, recipient};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

impl Store {
    /// Adds events to the feeds of their recipients.
    pub(crate) fn emit(&mut self, caused: Vec<(Recipient, Event)>, timestamp: Timestamp) {
        for (of, event) in caused {
            self.feeds
                .entry(of)
                .or_default()
                .push((mint_event_id(), timestamp, event));
        }
        self.happened.notify_waiters();
    }

    fn feed(&self, of: Recipient, query: &list_events::Query) -> Result<FeedPage, list_events::Error> {
        let feed = self.feeds.get(&of).map_or(&[][..], Vec::as_slice);
        let last = i64::try_from(feed.len()).map_err(|_| Failure::Internal)?;
        let oldest = last - crate::events::MAX_KEPT;
        let after = match query.after {
            Some(After::Event(after)) if after > last => return Err(list_events::Error::UnknownCursor),
            Some(After::Event(after)) => after,
            Some(After::Now) => last,
            None => 0,
        };
        let mut page = FeedPage {
            events: Vec::new(),
            cursor: last,
            has_more: false,
            truncated: query.after.is_some() && after < oldest,
        };
        for (number, (id, timestamp, event)) in (1..).zip(feed).filter(|(number, _)| *number > after.max(oldest)) {
            if query.types.as_ref().is_some_and(|types| !types.contains(&event.name())) {
                continue;
            }
            if i64::try_from(page.events.len()) == Ok(query.limit) {
                page.has_more = true;
                break;
            }
            page.cursor = number;
            page.events
                .push(occurrence((id, number), event.name().as_str(), *timestamp, event));
        }
        if !page.has_more {
            page.cursor = last;
        }
        Ok(page)
    }
}

impl recipient::ListEvents for Lockers {
    async fn list_events(&self, request: list_events::Request) -> Result<FeedPage, list_events::Error> {
        let (of, query) = (Recipient::Recipient(request.caller.id), request.query);
        let look = || {
            let store = self.store();
            let next = Arc::clone(&store.happened).notified_owned();
            store.feed(of, &query).map(|page| (page, next))
        };
        let waits = query.wait > 0 && query.after != Some(After::Now);
        let seconds = u64::try_from(query.wait).map_err(|_| Failure::Internal)?;
        let found = async {
            loop {
                let (page, next) = look()?;
                if !waits || !page.events.is_empty() || page.truncated {
                    return Ok(page);
                }
                next.await;
            }
        };
        match timeout(Duration::from_secs(seconds.max(1)), found).await {
            Ok(found) => found,
            Err(_) => look().map(|(page, _)| page),
        }
    }
}
