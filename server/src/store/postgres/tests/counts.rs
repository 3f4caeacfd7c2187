//! Servers exchange what their rate limits count.

use std::thread;

use codegen_store::commit_log::Lease;
use contract::support::{ExchangeCounts, SharedCount};
use tempfile::TempDir;

use super::{database_of, sql};
use crate::store::postgres::log::PostgresLog;
use crate::store::postgres::{Counts, Database};

const END: u64 = 2_000_000_040;

/// The database of a directory, with its tables.
fn database(dir: &TempDir) -> Database {
    // Creating it blocks, which no thread of a runtime may.
    let database = || {
        let database = database_of(dir);
        PostgresLog::connect(&database, Lease::default()).expect("it connects");
        database
    };
    thread::scope(|scope| scope.spawn(database).join()).expect("no panic")
}

fn count(key: &str, count: u32) -> SharedCount {
    SharedCount {
        limit: "read:owner".to_owned(),
        key: key.to_owned(),
        window_end: END,
        count,
    }
}

async fn exchange(counts: &Counts, sent: &[SharedCount]) -> Vec<SharedCount> {
    let exchanged = counts.exchange(sent).await;
    let mut elsewhere = exchanged.expect("the database answers");
    elsewhere.sort_by(|a, b| (&a.limit, &a.key, a.window_end).cmp(&(&b.limit, &b.key, b.window_end)));
    elsewhere
}

#[tokio::test(flavor = "multi_thread")]
async fn each_server_learns_what_all_others_have_counted_of_its_keys() {
    let dir = TempDir::new().expect("a directory");
    let database = database(&dir);
    let servers = [(); 3].map(|()| Counts::from_database(&database));
    // The tables are created at the same time.
    let (first, second) = ([count("0 1", 200), count("0 2", 5)], [count("0 1", 40)]);
    let (of_first, of_second) = tokio::join!(exchange(&servers[0], &first), exchange(&servers[1], &second));
    assert!(of_first.is_empty() || of_first == second, "{of_first:?}");
    assert!(
        of_second.is_empty() || of_second == [count("0 1", 200)],
        "{of_second:?}"
    );
    // A count replaces the former one of the same server; others' keys are not told.
    assert_eq!(exchange(&servers[2], &[count("0 1", 1)]).await, [count("0 1", 240)]);
    assert_eq!(exchange(&servers[0], &[count("0 1", 260)]).await, [count("0 1", 41)]);
    assert_eq!(exchange(&servers[2], &[count("0 1", 2)]).await, [count("0 1", 300)]);
    // Another window, another limit and a number beyond what a count can hold.
    let next = SharedCount {
        window_end: END + 60,
        ..count("0 1", 1)
    };
    let failed = SharedCount {
        limit: "failed".to_owned(),
        ..count("0 1", 1)
    };
    assert_eq!(exchange(&servers[1], &[next, failed]).await, []);
    exchange(&servers[0], &[count("0 3", u32::MAX)]).await;
    exchange(&servers[1], &[count("0 3", u32::MAX)]).await;
    assert_eq!(
        exchange(&servers[2], &[count("0 3", 0)]).await,
        [count("0 3", u32::MAX)]
    );
    assert_eq!(exchange(&servers[2], &[]).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_that_fails_is_made_again_on_a_new_connection() {
    let dir = TempDir::new().expect("a directory");
    let database = database(&dir);
    let servers = [(); 2].map(|()| Counts::from_database(&database));
    exchange(&servers[0], &[count("0 1", 7)]).await;
    exchange(&servers[1], &[count("0 1", 1)]).await;
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hitode' \
        AND datname = current_database()";
    sql(&dir, end).await;
    let failed = servers[1].exchange(&[count("0 1", 2)]).await;
    assert!(failed.is_err(), "{failed:?}");
    assert_eq!(exchange(&servers[1], &[count("0 1", 2)]).await, [count("0 1", 7)]);
    // A failover empties the table, which is not logged: counts come back as they are counted.
    sql(&dir, "TRUNCATE counts").await;
    assert_eq!(exchange(&servers[1], &[count("0 1", 3)]).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_counts_of_past_windows_are_removed() {
    let dir = TempDir::new().expect("a directory");
    let database = database(&dir);
    let counts = Counts::from_database(&database);
    let old = SharedCount {
        window_end: 1_700_000_040,
        ..count("0 1", 1)
    };
    exchange(&counts, &[old, count("0 1", 2)]).await;
    counts.age().await;
    exchange(&counts, &[]).await;
    let left = "DO $$ BEGIN ASSERT (SELECT array_agg(window_end) FROM counts) = ARRAY[2000000040::bigint]; END $$";
    sql(&dir, left).await;
}
