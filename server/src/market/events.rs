//! The feeds of events. A request that waits is woken by the commit that brings an event for its caller.

use std::time::{Duration, Instant};

use contract::events::{Name, Recipient};
use contract::support::feed::{After, FeedPage};
use contract::{Failure, agent, worker};

use crate::app::Hitode;
use crate::store::{FeedRequest, UnknownCursor};

impl agent::ListEvents for Hitode {
    async fn list_events(&self, request: agent::list_events::Request) -> Result<FeedPage, agent::list_events::Error> {
        let query = request.query;
        let feed = self.feed_request(query.after, query.types, query.limit);
        let page = self
            .feed(Recipient::Account(request.caller.id), feed, query.wait)
            .await?;
        page.map_err(|UnknownCursor| agent::list_events::Error::UnknownCursor)
    }
}

impl worker::ListEvents for Hitode {
    async fn list_events(&self, request: worker::list_events::Request) -> Result<FeedPage, worker::list_events::Error> {
        let query = request.query;
        let feed = self.feed_request(query.after, query.types, query.limit);
        let page = self.feed(Recipient::Human(request.caller.id), feed, query.wait).await?;
        page.map_err(|UnknownCursor| worker::list_events::Error::UnknownCursor)
    }
}

impl Hitode {
    fn feed_request(&self, after: Option<After>, names: Option<Vec<Name>>, limit: i64) -> FeedRequest {
        let limit = usize::try_from(limit).unwrap_or(0);
        FeedRequest {
            after,
            names,
            limit,
            now: self.now(),
        }
    }

    /// A part of the feed of a recipient. If it is empty, waits up to `wait` seconds for an event.
    async fn feed(
        &self,
        of: Recipient,
        mut request: FeedRequest,
        wait: i64,
    ) -> Result<Result<FeedPage, UnknownCursor>, Failure> {
        let seconds = u64::try_from(wait).unwrap_or(0);
        if seconds == 0 || request.after == Some(After::Now) {
            return Ok(self.store().events(of, request).await?);
        }
        let deadline = Instant::now() + Duration::from_secs(seconds);
        loop {
            let mut next = self.store().next_event(of);
            let page = match self.store().events(of, request.clone()).await? {
                Ok(page) if page.events.is_empty() && !page.truncated => page,
                found => return Ok(found),
            };
            if !self.comes_before(next.comes(), deadline).await {
                return Ok(Ok(page));
            }
            request.after = Some(After::Event(page.cursor));
            request.now = self.now();
        }
    }
}
