//! What goes on, for the operator.

use contract::operator::get_status::{Error, Request, Success};
use contract::{DeliveryResult, MinuteCounts, RecentFailure, Timestamp, Totals, WebhookStatus, operator, worker};

use super::days;
use crate::app::Hitode;
use crate::recent::Process;
use crate::store::Counts;

/// The days that are shown.
const DAYS: u64 = 14;

impl worker::GetService for Hitode {
    async fn get_service(
        &self,
        _: worker::get_service::Request,
    ) -> Result<worker::get_service::Success, worker::get_service::Error> {
        let currency = self.currency().map(str::to_owned);
        Ok(worker::get_service::Success { currency })
    }
}

impl operator::GetService for Hitode {
    async fn get_service(
        &self,
        _: operator::get_service::Request,
    ) -> Result<operator::get_service::Success, operator::get_service::Error> {
        Ok(operator::get_service::Success {
            currency: self.currency().map(str::to_owned),
            site: self.site().map(str::to_owned),
        })
    }
}

impl operator::GetStatus for Hitode {
    async fn get_status(&self, _: Request) -> Result<Success, Error> {
        // If the disk fails, all else is still shown.
        let used = self.store().disk_bytes().ok();
        let sizes = self.look(|mirror| mirror.sizes(used.unwrap_or_default()))?;
        let now = self.now();
        let (counts, days) = self
            .read(move |trees, _| Ok((Counts::read(trees)?, days::last(trees, now, DAYS)?)))
            .await?;
        let failing_webhooks = self.look(|mirror| {
            mirror
                .webhooks
                .all()
                .filter(|(webhook, state)| {
                    let last = state.last.as_ref().map(|last| last.result);
                    webhook.status == WebhookStatus::Disabled
                        || last.is_some_and(|result| result != DeliveryResult::Delivered)
                })
                .count()
        })?;
        let Process { recent, data } = self.process().clone();
        let free = match data {
            Some(data) => tokio::task::spawn_blocking(move || fs2::available_space(data))
                .await
                .ok(),
            None => None,
        };
        let minutes = recent
            .iter()
            .flat_map(|recent| recent.minutes())
            .map(|minute| MinuteCounts {
                at: Timestamp::from_unix(minute.minute * 60),
                succeeded: minute.succeeded.into(),
                refused: minute.refused.into(),
                failed: minute.failed.into(),
            });
        let failures = recent
            .iter()
            .flat_map(|recent| recent.failures())
            .map(|failure| RecentFailure {
                at: failure.at,
                status: failure.status.into(),
                operation: failure.operation.map(ToOwned::to_owned),
                request_id: failure.request_id.to_string(),
            });
        Ok(Success {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: recent.as_ref().map_or(now, |recent| recent.started()),
            totals: Totals {
                accounts: number(sizes.accounts),
                workers: number(sizes.humans),
                bounties: counts.bounties,
                open_bounties: number(sizes.open_bounties),
                applications: counts.applications,
                conversations: counts.conversations,
                messages: counts.messages,
            },
            days,
            minutes: minutes.collect(),
            p99_microseconds: recent.as_ref().and_then(|recent| recent.p99()).map(number),
            failures: failures.collect(),
            failing_webhooks: number(failing_webhooks),
            disk_used_bytes: used.map(number),
            disk_free_bytes: free.and_then(Result::ok).map(number),
            last_backup_at: recent.and_then(|recent| recent.newest_backup()),
        })
    }
}

fn number(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}
