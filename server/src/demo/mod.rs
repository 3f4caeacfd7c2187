//! The demo: the workers of `workers.jsonl` and what happens around them in `scenario.yaml`, entered at the first start
//! through the service's own API. For the same number of workers it is the same, except for credentials and dates. It must
//! not know how the store keeps anything.

mod error;
mod runner;
mod scenario;
mod size;
mod unfinished;
mod workers;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use contract::{Clock, operator_token};
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

use crate::app::Hitode;
use crate::in_process::InProcessClient;
use crate::operator_token::OperatorToken;
use crate::shutdown::Shutdown;
use crate::store::Store;

pub use error::DemoError;
pub use runner::Demo;
pub use size::Size;
pub use unfinished::{UNFINISHED, forget_unfinished, is_unfinished};

/// How long before the present the scenario begins. It ends a few hours before the present.
const SCENARIO: Duration = Duration::from_secs(260 * 60 * 60);

/// Enters a demo of `workers` workers into the empty `store` in the directory `data`, dated to the days before `now`,
/// and returns the store. A shutdown request ends it between two writes.
pub async fn enter(
    store: Store,
    data: &Path,
    workers: usize,
    now: &Clock,
    shutdown: Shutdown,
) -> (Store, Result<Demo, DemoError>) {
    if let Err(error) = unfinished::begin(data) {
        return (store, Err(DemoError::Marker(data.to_owned(), error)));
    }
    let today = now.now();
    let clock = Clock::manual(
        u64::try_from(today.unix())
            .unwrap_or_default()
            .saturating_sub(SCENARIO.as_secs()),
    );
    // A separate operator, so that the real token is not needed here.
    let token = operator_token::mint();
    let app = Arc::new(Hitode::new(store, OperatorToken::from_text(&token), clock.clone()));
    let client = InProcessClient::new(app.clone(), clock.clone());
    // The log is only for requests of clients.
    let scenario = runner::run(client, clock.clone(), today, token, workers).with_subscriber(NoSubscriber::default());
    let entered = tokio::select! {
        biased;
        () = shutdown.requested() => Err(DemoError::Stopped(data.to_owned())),
        entered = scenario => entered,
    };
    debug_assert!(
        clock.now() <= today,
        "the scenario ends {} after the present",
        clock.now()
    );
    let app = Arc::into_inner(app).expect("the client, which held the other reference, is gone");
    let whole = entered.and_then(|demo| match unfinished::end(data) {
        Ok(()) => Ok(demo),
        Err(error) => Err(DemoError::Marker(data.to_owned(), error)),
    });
    (app.into_store(), whole)
}
