//! The demo: made-up workers, bounties, applications and conversations, the same ones at every first start with the same
//! number of workers.
//!
//! Only credentials are random, and the dates follow the day of the start. It enters everything through the
//! service's own filter and knows nothing of how things are kept; of the data directory it knows only a file of its own,
//! which is there while the demo is not whole.
//!
//! How the people come about: `dice` → `places`, `names`, `callings`, which read the lists under `words/` → `person` (what is
//! so of somebody) → `grammar` and `profile` (what they write about it) → `workers` (what is entered). What happens to them
//! then is told by `story`, from `tasks` and `talks`.

mod callings;
mod client;
mod dice;
mod error;
mod grammar;
mod names;
mod person;
mod places;
mod profile;
mod size;
mod skills;
mod story;
mod talks;
mod tasks;
mod traits;
mod unfinished;
mod workers;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use contract::{Clock, operator_token};
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

use crate::app::Hitode;
use crate::operator_token::OperatorToken;
use crate::shutdown::Shutdown;
use crate::store::Store;

pub use error::DemoError;
pub use size::Size;
pub use unfinished::{forget_unfinished, is_unfinished};

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
    /// The bounty posted last, to which that worker has not applied.
    pub last_bounty: i64,
}

/// The story begins so long before the present, and takes a few hours less.
const STORY: Duration = Duration::from_secs(260 * 60 * 60);

/// Enters a demo of so many workers into `store`, which is empty and lies in the directory `data`, as if it had happened in
/// the days before `now`; gives the store back. A wish to stop ends it between two writes.
pub async fn enter<S: Store>(
    store: S,
    data: &Path,
    workers: usize,
    now: &Clock,
    shutdown: Shutdown,
) -> (S, Result<Demo, DemoError>) {
    if let Err(fault) = unfinished::begin(data) {
        return (store, Err(DemoError::Mark(data.to_owned(), fault)));
    }
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
    let story = story::tell(client, clock.clone(), today, token, workers).with_subscriber(NoSubscriber::default());
    let told = tokio::select! {
        biased;
        () = shutdown.requested() => Err(DemoError::Stopped(data.to_owned())),
        told = story => told,
    };
    debug_assert!(clock.now() <= today, "the story ends {} after the present", clock.now());
    let app = Arc::into_inner(app).expect("the client, which held the other reference, is gone");
    let whole = told.and_then(|demo| match unfinished::end(data) {
        Ok(()) => Ok(demo),
        Err(fault) => Err(DemoError::Mark(data.to_owned(), fault)),
    });
    (app.into_store(), whole)
}
