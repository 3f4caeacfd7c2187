//! The work beside answering requests: webhooks, the workers of the sandbox, rotating backups. Of several servers over one
//! database, the leader does it.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use contract::{Clock, Timestamp};
use tokio::task::JoinSet;
use tracing::warn;

use crate::app::Hitode;
use crate::backups::{Schedule, WatchBackups, rotate};
use crate::market::{days, files};
use crate::simulator;
use crate::store::Role;
use crate::webhooks::{Dispatcher, Reach, Sender, SystemResolver, WatchDeliveries};

/// What works in the background.
pub(super) struct Background {
    pub(super) app: Arc<Hitode>,
    pub(super) clock: Clock,
    /// Rotating backups, if there are any.
    pub(super) backups: Option<Schedule>,
    pub(super) deliveries: Arc<dyn WatchDeliveries>,
    pub(super) watch_backups: Arc<dyn WatchBackups>,
}

impl Background {
    /// Works whenever this process is the leader. What is interrupted goes on where it was stored, on the next leader.
    pub(super) async fn run(self) {
        if self.app.webhook_reach() == Reach::Any {
            warn!("webhooks may reach private addresses: use this for tests only");
        }
        let mut role = self.app.store().role();
        loop {
            // An error: the role stays what it is.
            if role.wait_for(|role| *role == Role::Leader).await.is_err() {
                return pending().await;
            }
            let mut work = self.begin();
            if role.wait_for(|role| *role != Role::Leader).await.is_err() {
                return pending().await;
            }
            work.shutdown().await;
        }
    }

    fn begin(&self) -> JoinSet<()> {
        let mut work = JoinSet::new();
        let (app, clock) = (self.app.clone(), self.clock.clone());
        work.spawn(simulator::run(app.clone(), clock.clone()));
        let sender = Sender::new(SystemResolver::new(), self.app.webhook_reach());
        let dispatcher = Dispatcher::new(app.clone(), sender, move || clock.now(), self.deliveries.clone());
        work.spawn(async move { match dispatcher.run().await {} });
        let (noting, clock) = (app.clone(), self.clock.clone());
        work.spawn(async move {
            loop {
                tokio::time::sleep(until_midnight(clock.now())).await;
                days::note_in(noting.store(), clock.now()).await;
            }
        });
        work.spawn(files::sweep(app.clone()));
        if let Some(backups) = self.backups.clone() {
            work.spawn(rotate(backups, app, self.watch_backups.clone()));
        }
        work
    }
}

/// How long it is until the next day begins, in UTC. Never more than an hour: the clock may be corrected meanwhile.
fn until_midnight(now: Timestamp) -> Duration {
    const DAY: i64 = 24 * 60 * 60;
    let seconds = DAY - now.unix().rem_euclid(DAY);
    Duration::from_secs(seconds.unsigned_abs().min(60 * 60))
}
