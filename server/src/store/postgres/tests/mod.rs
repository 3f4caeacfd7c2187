//! What a store over PostgreSQL guarantees, with a real one. `tests/with-postgres` starts one.

mod counts;
mod fleet;

use std::thread;

use codegen_store::Durability;
use codegen_store::commit_log::Lease;
use contract::{BountyStatus, Plan, Sender, Timestamp};
use tempfile::TempDir;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls};

use super::{Database, DatabaseError, PostgresLog};
use crate::market::tests::{TestStore, Writes, at, new_human, new_key, new_skill, plain_bounty};
use crate::store::backup::BackupReader;
use crate::store::{Actor, Store, StoreError};
use crate::store::{RestoreOptions, tables};

/// The URL of a server on which databases can be created.
const VARIABLE: &str = "HITODE_TEST_POSTGRES";

/// Opens the database that belongs to a directory.
pub(crate) fn open(dir: &TempDir) -> Store {
    try_open(dir, dir).expect("the database opens")
}

/// Opens the database that belongs to `database`, with the copy in `dir`.
fn try_open(database: &TempDir, dir: &TempDir) -> Result<Store, DatabaseError> {
    // Opening blocks, which no thread of a runtime may.
    let open = || super::open(&database_of(database), dir.path());
    thread::scope(|scope| scope.spawn(open).join()).expect("no panic")
}

/// The database that belongs to a directory; created if there is none.
fn database_of(dir: &TempDir) -> Database {
    let (url, name) = (server(), name_of(dir));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(create(&url, &name));
    format!("{url}/{name}").parse().expect("a URL")
}

fn server() -> String {
    std::env::var(VARIABLE).expect("`tests/with-postgres COMMAND` starts a server and runs a command")
}

fn name_of(dir: &TempDir) -> String {
    let name = dir.path().file_name().and_then(|name| name.to_str()).expect("a name");
    // PostgreSQL folds names to lower case, and the names of two directories may differ in case only.
    name.bytes()
        .fold("t".to_owned(), |name, byte| format!("{name}{byte:02x}"))
}

async fn connected(url: &str, database: &str) -> Client {
    let connected = tokio_postgres::connect(&format!("{url}/{database}"), NoTls).await;
    let (client, connection) = connected.expect("a server");
    tokio::spawn(connection);
    client
}

async fn create(url: &str, name: &str) {
    let client = connected(url, "postgres").await;
    if let Err(error) = client.batch_execute(&format!("CREATE DATABASE {name}")).await {
        assert_eq!(error.code(), Some(&SqlState::DUPLICATE_DATABASE), "{error}");
    }
}

/// Waits until this is so.
async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::task::yield_now().await;
    }
}

/// Runs a statement in the database of a directory.
async fn sql(dir: &TempDir, statement: &str) {
    let client = connected(&server(), &name_of(dir)).await;
    client.batch_execute(statement).await.expect("a statement");
}

async fn backup_of(store: &Store) -> Vec<u8> {
    let backup = store.back_up(Vec::new(), Timestamp::from_unix(0)).await;
    backup.expect("a backup")
}

/// All that a store holds, as a backup has it.
async fn content(store: &Store) -> Vec<String> {
    let backup = backup_of(store).await;
    let mut reader = BackupReader::begin(&tables::SCHEMA.program, &*backup).expect("a backup");
    let mut lines = Vec::new();
    while let Some(entry) = reader.next_entry().expect("a line") {
        lines.push(format!("{} {}", entry.kind, entry.record));
    }
    lines
}

/// Writes something of each kind, some of it again.
async fn write_all(place: &TestStore, name: &str) {
    let store = place.store();
    let (account, key) = place.account_with_key(name, &format!("{name} first")).await;
    let by = Actor::Key(key);
    let more = store.create_key(by, new_key(account, &format!("{name} more"))).await;
    let more = more.expect("a write").expect("a key");
    store.delete_key(by, more).await.expect("a write").expect("a key");
    let mut human = new_human(name);
    human.bio = "long ".repeat(3_000);
    human.skills = vec![new_skill(&format!("Skill of {name}"), "Craft")];
    let human = store.create_humans(vec![human], false).await.expect("a worker")[0];
    let changed = store.update_human(Actor::Operator, human, None, |human| {
        human.bio = "short \u{0}".to_owned()
    });
    changed.await.expect("a write");
    let bounties = [
        place.bounty(account, "taken").await,
        place.bounty(account, "untaken").await,
    ];
    for bounty in bounties {
        place.apply(bounty, human).await;
    }
    let moved = store.set_status(by, bounties[0], BountyStatus::Completed).await;
    moved.expect("a write").expect("moved");
    let talk = place.talk(account, human, "Hello", 7).await;
    place.say(talk, Sender::Human, "Hi", 8).await;
    let changed = store.update_account(account, |account| account.plan = Plan::Free);
    changed.await.expect("a write");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_made_anew_holds_what_the_former_one_held() {
    let place = TestStore::over_postgres();
    write_all(&place, "a").await;
    let before = content(place.store()).await;
    assert!(before.len() > 15, "{before:?}");
    let place = place.reopened().await;
    assert_eq!(content(place.store()).await, before);
}

/// A copy that has missed every commit.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_committed_elsewhere_is_taken_in() {
    let place = TestStore::over_postgres();
    write_all(&place, "a").await;
    write_all(&place, "b").await;
    let (before, titles) = (content(place.store()).await, place.open_titles().await);
    place.store().close().await.expect("the store closes");
    let empty = TempDir::new().expect("a directory");
    let behind = || {
        let lease = Lease::default();
        let log = PostgresLog::connect(&database_of(&place.dir), lease.clone()).expect("it connects");
        Store::open_copy(&empty.path().join("copy"), Box::new(log), lease, true).expect("it opens")
    };
    let store = thread::scope(|scope| scope.spawn(behind).join()).expect("no panic");
    let behind = TestStore::over(store, empty);
    until(|| behind.store().is_writable()).await;
    assert_eq!(behind.open_titles().await, titles);
    behind.assert_indexed();
    assert_eq!(content(behind.store()).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_made_again() {
    let place = TestStore::over_postgres();
    let account = place.account("a").await;
    for number in 1..=5 {
        sql(
            &place.dir,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hitode' \
             AND datname = current_database()",
        )
        .await;
        assert_eq!(place.bounty(account, "b").await.get(), number);
    }
}

/// The database ends a transaction that holds the lock for too long; the commit is certainly not made.
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_the_database_rejects_changes_nothing() {
    let place = TestStore::over_postgres();
    let account = place.account("a").await;
    sql(
        &place.dir,
        "CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'; \
         CREATE TRIGGER reject BEFORE INSERT ON bounties EXECUTE FUNCTION reject()",
    )
    .await;
    let before = content(place.store()).await;
    let rejected = place
        .store()
        .create_bounty(Actor::Operator, plain_bounty(account))
        .await;
    assert!(matches!(rejected, Err(StoreError::Unavailable(_))), "{rejected:?}");
    until(|| place.store().is_writable()).await;
    assert_eq!(content(place.store()).await, before);
    sql(&place.dir, "DROP TRIGGER reject ON bounties").await;
    assert_eq!(place.bounty(account, "b").await.get(), 1);
}

#[test]
fn urls_of_databases() {
    let read = |url: &str| url.parse::<Database>().map(drop).map_err(|error| error.to_string());
    assert_eq!(
        read("postgres://u:p@db.example:5432/hitode?sslmode=verify-full"),
        Ok(())
    );
    for wrong in [
        "postgres://",
        "mysql://secret@host/d",
        "postgres://secret@host/d?sslmode=maybe",
    ] {
        let error = read(wrong).expect_err("not a URL of PostgreSQL");
        assert!(error.starts_with("the URL of the database is not valid: "), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_moved_into_a_database_and_back() {
    let embedded = TestStore::new();
    write_all(&embedded, "a").await;
    let before = content(embedded.store()).await;
    let database = TempDir::new().expect("a directory");
    let exact = RestoreOptions {
        keep_credentials: true,
        id_gap: 0,
    };
    let backup = backup_of(embedded.store()).await;
    let restore = || {
        let mut reader = BackupReader::begin(&tables::SCHEMA.program, &*backup).expect("a backup");
        super::restore(&database_of(&database), &mut reader, exact, |_| (), async |_| Ok(()))
    };
    let restored = thread::scope(|scope| scope.spawn(restore).join()).expect("no panic");
    restored.expect("it is restored");
    let again = thread::scope(|scope| scope.spawn(restore).join()).expect("no panic");
    assert!(matches!(again, Err(DatabaseError::NotEmpty)), "{again:?}");
    let store = open(&database);
    let place = TestStore::over(store, database);
    assert_eq!(content(place.store()).await, before);

    let back = TempDir::new().expect("a directory");
    let path = back.path().join("data");
    let backup = backup_of(place.store()).await;
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut reader = BackupReader::begin(&tables::SCHEMA.program, &*backup).expect("a backup");
            Store::restore(&path, &mut reader, exact, |_| (), async |_| Ok(())).expect("it is restored");
        });
    });
    let store = Store::open(&path, Durability::Synced).expect("it opens");
    assert_eq!(content(&store).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_a_server_uses_is_not_restored_into() {
    let backup = backup_of(TestStore::new().store()).await;
    let place = TestStore::over_postgres();
    let options = RestoreOptions {
        keep_credentials: true,
        id_gap: 0,
    };
    let restore = || {
        let mut reader = BackupReader::begin(&tables::SCHEMA.program, &*backup).expect("a backup");
        super::restore(&database_of(&place.dir), &mut reader, options, |_| (), async |_| Ok(()))
    };
    let denied = thread::scope(|scope| scope.spawn(restore).join()).expect("no panic");
    assert!(matches!(denied, Err(DatabaseError::Used)), "{denied:?}");
    place.store().close().await.expect("the store closes");
    let restored = thread::scope(|scope| scope.spawn(restore).join()).expect("no panic");
    restored.expect("it is restored");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_whose_restore_was_interrupted_is_not_opened() {
    let place = TestStore::over_postgres();
    place.account("a").await;
    place.store().close().await.expect("the store closes");
    sql(&place.dir, "UPDATE hitode SET restoring = true").await;
    let denied = try_open(&place.dir, &place.dir)
        .map(drop)
        .expect_err("it is incomplete");
    assert!(matches!(denied, DatabaseError::Restoring), "{denied}");
}
