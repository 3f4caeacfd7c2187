//! Rate limits that several servers share: what each has counted is exchanged some times a second.

use std::sync::Arc;
use std::time::Duration;

use contract::Limits;
use contract::support::ExchangeCounts;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{info, warn};

/// How often servers exchange their counts, if they have counted anything.
const INTERVAL: Duration = Duration::from_millis(250);
/// How often they try if an exchange has failed.
const RETRY: Duration = Duration::from_secs(1);

/// Exchanges what `limits` count. As long as that fails, this server goes on with its own counts.
pub(super) async fn run(limits: Arc<Limits>, exchange: Box<dyn ExchangeCounts>) {
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut has_failed = false;
    loop {
        ticks.tick().await;
        let sent = limits.counted();
        if sent.is_empty() {
            continue;
        }
        match exchange.exchange(&sent).await {
            Ok(elsewhere) => {
                limits.exchanged(&sent, &elsewhere);
                if std::mem::take(&mut has_failed) {
                    info!("rate limits are shared with the other servers again");
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut has_failed, true) {
                    warn!(%error, "rate limits are not shared with the other servers for now");
                }
                tokio::time::sleep(RETRY).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use contract::support::SharedCount;
    use contract::{Clock, LimitSettings, Peer};
    use futures_util::FutureExt;
    use futures_util::future::{BoxFuture, ready};
    use http::{Request, StatusCode};
    use hyper::service::Service;
    use hyper_util::service::TowerToHyperService;
    use tokio::time::sleep;
    use warp::Filter;
    use warp::filters::BoxedFilter;

    use super::*;
    use crate::app::Hitode;
    use crate::http::routes;
    use crate::operator_token::OperatorToken;
    use crate::store::in_memory_store;

    /// What each server has counted, by key.
    #[derive(Default)]
    struct Table {
        counts: Mutex<HashMap<(usize, String), u32>>,
        is_away: AtomicBool,
    }

    struct Server(usize, Arc<Table>);

    impl ExchangeCounts for Server {
        fn exchange<'e>(&'e self, sent: &'e [SharedCount]) -> BoxFuture<'e, Result<Vec<SharedCount>, String>> {
            let Self(number, table) = self;
            if table.is_away.load(Ordering::Relaxed) {
                return ready(Err("the database is away".to_owned())).boxed();
            }
            let mut counts = table.counts.lock().expect("no panic");
            let elsewhere = sent.iter().map(|one| {
                counts.insert((*number, one.key.clone()), one.count);
                let others = counts
                    .iter()
                    .filter(|((other, key), _)| other != number && *key == one.key);
                let count = others.map(|(_, count)| count).sum();
                SharedCount { count, ..one.clone() }
            });
            ready(Ok(elsewhere.collect())).boxed()
        }
    }

    /// A server that shares its limits through the table.
    fn server(number: usize, table: &Arc<Table>) -> BoxedFilter<(contract::Response,)> {
        let clock = Clock::manual(1_750_000_027);
        let app = Hitode::new(
            in_memory_store(None),
            OperatorToken::from_text("operator"),
            clock.clone(),
        );
        let limits = Arc::new(Limits::new(&LimitSettings {
            clock,
            is_shared: true,
            ..LimitSettings::default()
        }));
        tokio::spawn(run(limits.clone(), Box::new(Server(number, table.clone()))));
        routes(Arc::new(app), limits).boxed()
    }

    /// How many of these requests with a wrong credential are still told so.
    async fn guesses(server: &BoxedFilter<(contract::Response,)>, requests: usize) -> usize {
        let service = TowerToHyperService::new(warp::service(server.clone()));
        let mut answered = 0;
        for _ in 0..requests {
            let request = Request::get(contract::agent::get_account::PATH).header("x-api-key", "guessed");
            let request = request
                .extension(Peer(IpAddr::V4(Ipv4Addr::LOCALHOST)))
                .body(String::new());
            let Ok(response) = service.call(request.expect("a request")).await;
            answered += usize::from(response.status() == StatusCode::UNAUTHORIZED);
        }
        answered
    }

    #[tokio::test(start_paused = true)]
    async fn failed_attempts_are_counted_on_all_servers_together() {
        let table = Arc::default();
        let servers = [server(0, &table), server(1, &table)];
        assert_eq!(guesses(&servers[0], 200).await, 200);
        sleep(2 * INTERVAL).await;
        assert_eq!(guesses(&servers[1], 1).await, 1);
        sleep(2 * INTERVAL).await;
        assert_eq!(guesses(&servers[1], 200).await, 99);
        sleep(2 * INTERVAL).await;
        assert_eq!(guesses(&servers[0], 1).await, 1);
        sleep(2 * INTERVAL).await;
        assert_eq!(guesses(&servers[0], 10).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_goes_on_with_its_own_counts_while_the_database_is_away() {
        let table = Arc::<Table>::default();
        let servers = [server(0, &table), server(1, &table)];
        table.is_away.store(true, Ordering::Relaxed);
        assert_eq!(guesses(&servers[0], 400).await, 300);
        assert_eq!(guesses(&servers[1], 100).await, 100);
        sleep(10 * RETRY).await;
        assert_eq!(guesses(&servers[1], 100).await, 100);
        table.is_away.store(false, Ordering::Relaxed);
        sleep(2 * RETRY).await;
        // What was counted meanwhile is exchanged.
        assert_eq!(guesses(&servers[1], 1).await, 0);
    }
}
