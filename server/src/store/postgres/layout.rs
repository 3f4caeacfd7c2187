//! The layout of the tables, and its changes from version to version.

use tokio_postgres::Client;

use super::database::failed;
use super::error::DatabaseError;
use super::statements;

/// The version that this program makes. What an older server does not take in is written once all have it.
pub(super) const VERSION: i32 = 4;

/// The oldest version whose programs can use the tables that this program makes. Servers of two versions run side by
/// side as long as the older one is not below it: a version that adds something leaves this as it is, and a later version,
/// which removes what nobody uses any more, raises it.
const OLDEST: i32 = 1;

/// What version 2 adds: which version a server has. One that does not say so has the first one.
const VERSIONS: &str = "ALTER TABLE servers ADD COLUMN layout integer NOT NULL DEFAULT 1;\n";

/// The table with one row that each commit locks.
const HEAD: &str = "
CREATE TABLE IF NOT EXISTS hitode (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- The version of the layout of all tables, and the oldest version whose programs can use them.
    layout integer NOT NULL DEFAULT 0,
    oldest integer NOT NULL DEFAULT 0,
    -- The number of the last commit.
    number bigint NOT NULL DEFAULT 0,
    -- The server that works in the background.
    leader text NOT NULL DEFAULT '',
    -- Whether a restore has begun and not ended.
    restoring boolean NOT NULL DEFAULT false
);
INSERT INTO hitode DEFAULT VALUES ON CONFLICT DO NOTHING;
";

/// The log of commits, the servers, and what their rate limits count.
const COMMITS: &str = "
CREATE TABLE commits (
    number bigint PRIMARY KEY,
    -- Chosen at random for each commit, so that a server knows its own again.
    operation bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    -- Whether a server waits until all others have taken it in.
    awaited boolean NOT NULL,
    changes bytea NOT NULL
);
CREATE TABLE servers (
    server text PRIMARY KEY,
    -- The last commit that it is known to have taken in.
    position bigint NOT NULL,
    -- How often it has said that it is alive.
    renewals bigint NOT NULL
);
-- What the rate limits of each server have counted. A row is removed some time after its window.
CREATE UNLOGGED TABLE counts (
    name text NOT NULL,
    key text NOT NULL,
    -- In Unix time, by the clock of the server that counted.
    window_end bigint NOT NULL,
    server text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (name, key, window_end, server)
);
";

/// Creates or changes the tables, one server at a time.
pub(super) async fn prepare(client: &mut Client) -> Result<(), DatabaseError> {
    // Two servers that do this at the same time: one of them fails, and finds the table the second time.
    if client.batch_execute(HEAD).await.is_err() {
        client.batch_execute(HEAD).await.map_err(failed)?;
    }
    let transaction = client.transaction().await.map_err(failed)?;
    let head = transaction
        .query_one("SELECT layout, oldest FROM hitode FOR UPDATE", &[])
        .await;
    let head = head.map_err(failed)?;
    let (layout, oldest): (i32, i32) = (head.get(0), head.get(1));
    if oldest > VERSION {
        return Err(DatabaseError::Newer {
            layout: oldest,
            known: VERSION,
        });
    }
    if layout == 0 {
        transaction.batch_execute(COMMITS).await.map_err(failed)?;
    }
    if layout < 2 {
        transaction.batch_execute(VERSIONS).await.map_err(failed)?;
    }
    if layout < VERSION {
        transaction.batch_execute(&statements::create()).await.map_err(failed)?;
        let set = transaction.execute("UPDATE hitode SET layout = $1, oldest = $2", &[&VERSION, &OLDEST]);
        set.await.map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)
}
