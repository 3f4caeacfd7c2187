//! The demo: made-up workers, bounties, applications and conversations, the same ones at every first start.
//!
//! Only credentials are random, and the dates follow the day of the start. It enters everything through the
//! service's own filter and knows nothing of how things are kept.

mod callings;
mod client;
mod dice;
mod greeting;
mod names;
mod places;
mod skills;
mod story;
mod talks;
mod tasks;
mod workers;

use std::sync::Arc;
use std::time::Duration;

use contract::{Clock, operator_token};
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

use crate::app::Hitode;
use crate::operator_token::OperatorToken;
use crate::store::Store;

pub use client::DemoError;
pub use greeting::{of_filled_store, of_first_start};

/// What the demo's first start has to show.
#[derive(Debug)]
pub struct Demo {
    /// The key of the verified account.
    pub key: String,
    /// The name of a worker.
    pub worker: String,
    /// That worker's token.
    pub worker_token: String,
    /// How many workers there are.
    pub workers: usize,
    /// How many bounties are open.
    pub bounties: usize,
}

/// The story begins so long before the present, and takes a few hours less.
const STORY: Duration = Duration::from_secs(260 * 60 * 60);

/// Enters the demo into `store`, which is empty, as if it had happened in the days before `now`; gives the store back.
pub async fn enter<S: Store>(store: S, now: &Clock) -> (S, Result<Demo, DemoError>) {
    let today = now.now();
    let clock = Clock::manual(
        u64::try_from(today.unix())
            .unwrap_or_default()
            .saturating_sub(STORY.as_secs()),
    );
    // An operator of its own, so that the real one's token is not needed here.
    let token = operator_token::mint();
    let app = Arc::new(Hitode::new(store, OperatorToken::of(&token), clock.clone()));
    let client = client::Client::new(app.clone(), clock.clone());
    // Nobody sent these requests, so they are none of the log's business.
    let told = story::tell(client, clock.clone(), today, token)
        .with_subscriber(NoSubscriber::default())
        .await;
    debug_assert!(clock.now() <= today, "the story ends {} after the present", clock.now());
    let app = Arc::into_inner(app).expect("the client, which held the other reference, is gone");
    (app.into_store(), told)
}
