//! What the rate limits of all servers have counted, in a table that no crash needs to keep. Must not know any limit.

use std::time::Duration;

use contract::support::{ExchangeCounts, SharedCount};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};
use tokio_postgres::{Row, Statement};

use super::database::{Connection, Database, failed};
use super::error::DatabaseError;

/// No commit waits for the disk or for a standby: what is lost is counted again.
const SETTINGS: &str = "SET synchronous_commit = off";

const EXCHANGE: &str = "
WITH sent AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS sent (name, key, window_end, count)
), published AS (
    INSERT INTO counts (name, key, window_end, server, count) SELECT name, key, window_end, $1, count FROM sent
    ON CONFLICT (name, key, window_end, server) DO UPDATE SET count = excluded.count
)
SELECT name, key, window_end, sum(counts.count)::bigint FROM sent JOIN counts USING (name, key, window_end)
WHERE counts.server <> $1 GROUP BY name, key, window_end";

/// Servers that remove the same rows do not wait for each other.
const REMOVE: &str = "DELETE FROM counts WHERE ctid = ANY (ARRAY (SELECT ctid FROM counts \
    WHERE window_end < extract(epoch FROM now()) - 600 FOR UPDATE SKIP LOCKED))";

/// How often the rows of past windows are removed.
const REMOVE_EVERY: Duration = Duration::from_secs(60);

/// How long an exchange may take, with connecting.
const TIME: Duration = Duration::from_secs(2);

/// The counts of the servers of a database.
pub struct Counts {
    database: Database,
    /// Chosen at random for each start, so that what was counted before a restart stays.
    server: String,
    session: Mutex<Option<Session>>,
}

/// A connection with its statements.
struct Session {
    connection: Connection,
    exchange: Statement,
    remove: Statement,
    removed: Instant,
}

impl Counts {
    /// Those of the servers of this database. Connects when it is first used.
    pub fn from_database(database: &Database) -> Self {
        Self {
            database: database.clone(),
            server: format!("{:016x}", rand::random::<u64>()),
            session: Mutex::new(None),
        }
    }

    /// Makes the next exchange remove old rows.
    #[cfg(test)]
    pub(super) async fn age(&self) {
        if let Some(session) = &mut *self.session.lock().await {
            session.removed -= REMOVE_EVERY;
        }
    }

    async fn exchange(&self, sent: &[SharedCount]) -> Result<Vec<SharedCount>, DatabaseError> {
        let mut place = self.session.lock().await;
        // It is put back if all goes well.
        let mut session = match place.take() {
            Some(session) => session,
            None => Session::begin(&self.database).await?,
        };
        session.remove_old().await?;
        let elsewhere = session.exchange(&self.server, sent).await?;
        *place = Some(session);
        Ok(elsewhere)
    }
}

impl ExchangeCounts for Counts {
    fn exchange<'e>(&'e self, sent: &'e [SharedCount]) -> BoxFuture<'e, Result<Vec<SharedCount>, String>> {
        let exchanged = timeout(TIME, self.exchange(sent));
        let exchanged = exchanged.map(|exchanged| match exchanged {
            Ok(exchanged) => exchanged.map_err(|error| error.to_string()),
            Err(_) => Err("the database did not answer in time".to_owned()),
        });
        exchanged.boxed()
    }
}

impl Session {
    async fn begin(database: &Database) -> Result<Self, DatabaseError> {
        let connection = database.connect(None).await?;
        let client = &connection.client;
        client.batch_execute(SETTINGS).await.map_err(failed)?;
        let exchange = client.prepare(EXCHANGE).await.map_err(failed)?;
        let remove = client.prepare(REMOVE).await.map_err(failed)?;
        Ok(Self {
            connection,
            exchange,
            remove,
            removed: Instant::now(),
        })
    }

    async fn exchange(&self, server: &str, sent: &[SharedCount]) -> Result<Vec<SharedCount>, DatabaseError> {
        let names: Vec<&str> = sent.iter().map(|one| one.limit.as_str()).collect();
        let keys: Vec<&str> = sent.iter().map(|one| one.key.as_str()).collect();
        let ends: Vec<i64> = sent.iter().map(|one| one.window_end.cast_signed()).collect();
        let counts: Vec<i64> = sent.iter().map(|one| one.count.into()).collect();
        let client = &self.connection.client;
        let rows = client
            .query(&self.exchange, &[&server, &names, &keys, &ends, &counts])
            .await;
        Ok(rows.map_err(failed)?.iter().map(shared_count).collect())
    }

    async fn remove_old(&mut self) -> Result<(), DatabaseError> {
        if self.removed.elapsed() < REMOVE_EVERY {
            return Ok(());
        }
        self.removed = Instant::now();
        let removed = self.connection.client.execute(&self.remove, &[]).await;
        removed.map(drop).map_err(failed)
    }
}

fn shared_count(row: &Row) -> SharedCount {
    SharedCount {
        limit: row.get(0),
        key: row.get(1),
        window_end: row.get::<_, i64>(2).cast_unsigned(),
        count: u32::try_from(row.get::<_, i64>(3)).unwrap_or(u32::MAX),
    }
}
