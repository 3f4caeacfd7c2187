//! The layout of the tables, and its changes from version to version.

use tokio_postgres::Client;

use super::database::failed;
use super::{DatabaseError, tables};

/// The version that this program needs.
pub(super) const VERSION: i32 = 1;

/// The table with one row that each commit locks, and the log of commits.
const HEAD: &str = "
CREATE TABLE IF NOT EXISTS hitode (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- The version of the layout of all tables.
    layout integer NOT NULL DEFAULT 0,
    -- The number of the last commit.
    number bigint NOT NULL DEFAULT 0,
    -- The server that is active, and until when no other may take over.
    server text NOT NULL DEFAULT '',
    lease_end timestamptz NOT NULL DEFAULT '-infinity',
    -- Whether a restore has begun and not ended.
    restoring boolean NOT NULL DEFAULT false
);
INSERT INTO hitode DEFAULT VALUES ON CONFLICT DO NOTHING;
";

const COMMITS: &str = "
CREATE TABLE commits (
    number bigint PRIMARY KEY,
    -- Chosen at random for each commit, so that a server knows its own again.
    operation bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    changes bytea NOT NULL
);
";

/// Creates or changes the tables, one server at a time.
pub(super) async fn prepare(client: &mut Client) -> Result<(), DatabaseError> {
    // Two servers that do this at the same time: one of them fails, and finds the table the second time.
    if client.batch_execute(HEAD).await.is_err() {
        client.batch_execute(HEAD).await.map_err(failed)?;
    }
    let transaction = client.transaction().await.map_err(failed)?;
    let head = transaction.query_one("SELECT layout FROM hitode FOR UPDATE", &[]).await;
    let layout: i32 = head.map_err(failed)?.get(0);
    match layout {
        0 => {
            let create = [COMMITS, &tables::create()].concat();
            transaction.batch_execute(&create).await.map_err(failed)?;
            let set = transaction.execute("UPDATE hitode SET layout = $1", &[&VERSION]).await;
            set.map_err(failed)?;
        }
        VERSION => {}
        newer => return Err(DatabaseError::Newer(newer)),
    }
    transaction.commit().await.map_err(failed)
}
