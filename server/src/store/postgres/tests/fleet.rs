//! Several servers over one database.

use std::time::Instant;

use codegen_store::Abort;
use codegen_store::commit_log::{CommitLog, LEASE};
use contract::events::Recipient;
use contract::support::feed::After;
use contract::support::{Begun, Clock, Kept, RunningKeys};
use contract::{AdmitApiKey, BountyId, Failure, FindAccount, FindBounty, FindHuman, HumanId, Withdrawal, WithdrawalId};

use super::*;
use crate::app::Hitode;
use crate::market::tests::keyed;
use crate::store::postgres::log::TRIM;
use crate::store::{Decided, FeedRequest, Role, Staleness, names};

/// Two servers over one database, which belongs to the first one's directory.
async fn two() -> (TestStore, TestStore) {
    let first = TestStore::over_postgres();
    let dir = TempDir::new().expect("a directory");
    let store = try_open(&first.dir, &dir).expect("it opens");
    (first, TestStore::over(store, dir))
}

async fn admits(place: &TestStore, key: &str) -> bool {
    place.admits_at(key, 9).await.is_some()
}

async fn role_is(place: &TestStore, role: Role) {
    let mut roles = place.store().role();
    roles.wait_for(|now| *now == role).await.expect("the store is open");
}

/// What a read says while the lease is held. It ends where a machine stands still for two seconds: until it is renewed, the server
/// answers nothing, which is not what these tests are about.
async fn under_lease<T>(mut read: impl AsyncFnMut() -> Result<T, Failure>) -> T {
    let begun = Instant::now();
    loop {
        match read().await {
            Err(Failure::Unavailable) if begun.elapsed() < 30 * LEASE => {
                tokio::time::sleep(LEASE / 100).await;
            }
            read => return read.expect("the lease is held"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_write_in_turn_and_show_the_same() {
    let (first, second) = two().await;
    write_all(&first, "a").await;
    write_all(&second, "b").await;
    write_all(&first, "c").await;
    second.store().catch_up().await;
    assert_eq!(content(first.store()).await, content(second.store()).await);
    assert_eq!(first.open_titles().await, second.open_titles().await);
    second.assert_indexed();
    let anew = TempDir::new().expect("a directory");
    let third = try_open(&first.dir, &anew).expect("it opens");
    assert_eq!(content(&third).await, content(first.store()).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_catches_up_shows_what_another_one_has_acknowledged() {
    let (first, second) = two().await;
    let account = first.account("a").await;
    for round in 0..200 {
        let (here, there) = if round % 2 == 0 {
            (&first, &second)
        } else {
            (&second, &first)
        };
        let bounty = here.bounty(account, "b").await;
        let shown = under_lease(async || {
            there.store().catch_up().await;
            there.app.find_bounty(bounty).await
        });
        let shown = shown.await;
        assert!(shown.is_some(), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_is_known_to_every_server() {
    let (first, second) = two().await;
    let account = first.account("a").await;
    let worker = first.human("Ken").await;
    let talk = first.talk(account, worker, "Are you free?", 1).await;
    for round in 1..=100 {
        first.say(talk, Sender::Human, "Yes.", 2).await;
        let page = under_lease(async || {
            let request = FeedRequest {
                after: Some(After::Event(round)),
                names: names(None),
                limit: 1,
                now: at(3),
            };
            let page = second.store().events(Recipient::Account(account), request).await;
            Ok(page?)
        });
        assert_eq!(page.await.map(|page| page.cursor), Ok(round));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_one_server_removes_is_unknown_to_the_other() {
    let (first, second) = two().await;
    let id = first.human("Hana").await;
    let set = async |place: &TestStore, names: &[&str]| {
        place.store().catch_up().await;
        let skills = names.iter().map(|name| new_skill(name, "Home")).collect();
        let changed = place.store().update_human(Actor::Operator, id, Some(skills), |_| ());
        changed.await.expect("a write");
        let human = under_lease(async || place.app.find_human(id).await).await;
        human
            .expect("it is there")
            .skills
            .iter()
            .map(|skill| skill.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(set(&first, &["Cooking", "Sewing"]).await, [1, 2]);
    assert_eq!(set(&second, &["sewing"]).await, [2]);
    assert_eq!(set(&first, &["Cooking", "Sewing"]).await, [3, 2]);
    second.store().catch_up().await;
    assert_eq!(content(first.store()).await, content(second.store()).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_skill_is_removed_while_a_server_of_an_earlier_version_runs() {
    let place = TestStore::over_postgres();
    let database: Database = format!("{}/{}", server(), name_of(&place.dir)).parse().expect("a URL");
    let renewed = move || {
        let mut log = PostgresLog::connect(&database, Lease::default()).expect("it connects");
        log.renew().expect("it renews");
        log.has_latest_layout()
    };
    let can_remove = async || tokio::task::spawn_blocking(renewed.clone()).await.expect("no panic");
    assert!(can_remove().await);
    // Servers of the first version do not say which they are.
    sql(
        &place.dir,
        "INSERT INTO servers (server, position, renewals) VALUES ('former', 0, 1)",
    )
    .await;
    assert!(!can_remove().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn records_of_a_new_kind_wait_until_no_server_of_an_earlier_version_runs() {
    let place = TestStore::over_postgres();
    let withdrawal = Withdrawal {
        id: WithdrawalId::new(1),
        bounty_id: BountyId::new(1),
        human_id: HumanId::new(1),
        created_at: Timestamp::from_unix(0),
    };
    let tried = async || {
        let withdrawal = withdrawal.clone();
        let tried = place.store().write(Actor::Operator, move |tx| -> Decided<(), ()> {
            tx.create(&withdrawal)?;
            Err(Abort::Rejected(()))
        });
        tried.await.map_err(|error| error.to_string())
    };
    assert_eq!(tried().await, Ok(Err(())));
    sql(
        &place.dir,
        "INSERT INTO servers (server, position, renewals) VALUES ('former', 0, 1)",
    )
    .await;
    // It learns of the other one when it renews its lease.
    let begun = Instant::now();
    let refused = loop {
        match tried().await {
            Err(text) if text.contains("withdrawal") => break text,
            _ if begun.elapsed() > 30 * LEASE => panic!("it is written"),
            _ => tokio::time::sleep(LEASE / 100).await,
        }
    };
    assert!(refused.contains("a server of an earlier version runs"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_an_earlier_version_gets_the_tables_that_it_lacks() {
    let place = TestStore::over_postgres();
    write_all(&place, "a").await;
    let (store, dir) = place.into_parts();
    let before = content(&store).await;
    store.close().await.expect("it closes");
    sql(&dir, "DROP TABLE Review, Delivery, Vote; UPDATE hitode SET layout = 3").await;
    assert_eq!(content(&open(&dir)).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_far_behind_reads_in_parts_and_goes_on() {
    let place = TestStore::over_postgres();
    let account = place.account("a").await;
    let commits = "BEGIN; INSERT INTO commits (number, operation, awaited, changes) \
             SELECT hitode.number + more, 7, false, '[]' FROM hitode, generate_series(1, 12000) AS more; \
         UPDATE hitode SET number = number + 12000; COMMIT";
    sql(&place.dir, commits).await;
    place.bounty(account, "b").await;
    until(|| place.store().is_writable()).await;
    // It can be made anew after the old commits are gone, but for the last of them.
    sql(
        &place.dir,
        &format!("UPDATE commits SET at = at - interval '2 hours'; {TRIM}; {TRIM}"),
    )
    .await;
    let client = connected(&server(), &name_of(&place.dir)).await;
    let left = client.query("SELECT number FROM commits", &[]).await.expect("rows");
    assert!(left.len() < 20, "{}", left.len());
    place.bounty(account, "c").await;
    let anew = TempDir::new().expect("a directory");
    let other = try_open(&place.dir, &anew).expect("it opens");
    assert_eq!(content(&other).await, content(place.store()).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_take_in_what_others_commit_writes_nothing() {
    let place = TestStore::over_postgres();
    place.account("a").await;
    let commits = "BEGIN; INSERT INTO commits (number, operation, awaited, changes) \
             SELECT hitode.number + more, 7, false, CASE more WHEN 3000 \
                 THEN '[{\"last_id\":{\"kind\":\"unknown\",\"number\":1}}]' ELSE '[]' END::bytea \
             FROM hitode, generate_series(1, 6000) AS more; \
         UPDATE hitode SET number = number + 6000; COMMIT";
    sql(&place.dir, commits).await;
    let created = place.store().create_humans(vec![new_human("Ken")], false).await;
    created.expect_err("the copy is not complete");
    role_is(&place, Role::Unusable).await;
    let client = connected(&server(), &name_of(&place.dir)).await;
    let ahead = "SELECT (SELECT max(number) FROM commits WHERE operation = 7) = number FROM hitode";
    let row = client.query_one(ahead, &[]).await.expect("a row");
    assert!(row.get::<_, bool>(0), "something was committed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_idle_shows_what_another_one_commits() {
    let (first, second) = two().await;
    let account = first.account("a").await;
    first.bounty(account, "b").await;
    while second.open_titles().await != ["b"] {
        tokio::task::yield_now().await;
    }
    assert!(matches!(second.store().staleness(), Some(Staleness::AtMost(time)) if time <= LEASE));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_credential_is_accepted_and_one_that_has_ended_rejected_by_every_server() {
    let (first, second) = two().await;
    let (account, last) = first.account_with_key("a", "last").await;
    for round in 0..20 {
        let (here, there) = if round % 2 == 0 {
            (&first, &second)
        } else {
            (&second, &first)
        };
        let name = format!("key {round}");
        let created = here.store().create_key(Actor::Operator, new_key(account, &name));
        let key = created.await.expect("a write").expect("a key");
        assert!(admits(there, &name).await, "round {round}");
        let ended = here.store().delete_key(Actor::Key(last), key).await;
        ended.expect("a write").expect("it exists");
        assert!(!admits(there, &name).await, "round {round}");
    }
    let suspended = first
        .store()
        .update_account(account, |account| account.suspended = true);
    suspended.await.expect("a write");
    let admitted = second.app.admit_api_key("last").await.expect("an answer");
    assert!(admitted.is_some_and(|caller| caller.suspended));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_credential_waits_for_a_silent_server_until_its_lease_is_over() {
    let place = TestStore::over_postgres();
    let (_, key) = place.account_with_key("a", "a").await;
    sql(
        &place.dir,
        "INSERT INTO servers (server, position, renewals) VALUES ('silent', 0, 1)",
    )
    .await;
    let begun = Instant::now();
    let ended = place.store().delete_key(Actor::Operator, key).await;
    ended.expect("a write").expect("it exists");
    assert!(begun.elapsed() >= LEASE);
    // The leader forgets it, so that nobody waits for it again and again.
    let client = connected(&server(), &name_of(&place.dir)).await;
    let mut is_known = true;
    while is_known {
        let rows = client.query("SELECT FROM servers WHERE server = 'silent'", &[]).await;
        is_known = !rows.expect("rows").is_empty();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_database_nothing_is_read_and_with_it_all_is_as_before() {
    let place = TestStore::over_postgres();
    let account = place.account("a").await;
    let name = name_of(&place.dir);
    let admin = connected(&server(), "postgres").await;
    let cut_off = format!(
        "ALTER DATABASE {name} ALLOW_CONNECTIONS false; \
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    );
    admin.batch_execute(&cut_off).await.expect("a statement");
    while place.app.find_account(account).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(place.store().staleness(), Some(Staleness::Unknown));
    assert!(!place.store().is_writable());
    role_is(&place, Role::Follower).await;
    let again = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true");
    admin.batch_execute(&again).await.expect("a statement");
    until(|| place.store().is_writable()).await;
    assert!(place.app.find_account(account).await.expect("a read").is_some());
    assert_eq!(place.bounty(account, "b").await.get(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_together_let_an_account_have_so_many_keys() {
    let (first, second) = two().await;
    let account = first.account("a").await;
    let create = |place: &'static str, store| async move {
        let store: &Store = store;
        let mut created = 0;
        for number in 0..10 {
            let made = store.create_key(Actor::Operator, new_key(account, &format!("{place}{number}")));
            created += usize::from(made.await.expect("an answer").is_ok());
        }
        created
    };
    let (here, there) = tokio::join!(create("a", first.store()), create("b", second.store()));
    assert_eq!(here + there, 2, "one exists from the beginning");
}

/// The same request with an idempotency key, as one of several servers begins it.
async fn begin(app: &Hitode) -> Begun<BountyId> {
    let running = RunningKeys::new(Clock::manual(1_000));
    let kept = |id: &mut BountyId| Kept::Secret(id.get());
    running
        .begin(app, keyed(b"key"), kept)
        .await
        .expect("it was not done before")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_an_idempotency_key_is_done_by_one_server() {
    let (first, second) = two().await;
    let account = first.account("a").await;
    second.store().catch_up().await;
    let (Begun::First(here), Begun::First(there)) = (begin(&first.app).await, begin(&second.app).await) else {
        panic!("neither has answered it");
    };
    let create = |store, once| {
        let store: &Store = store;
        store.create_bounty_once(plain_bounty(account), once)
    };
    let (here, there) = tokio::join!(create(first.store(), here), create(second.store(), there));
    assert!(here.is_ok() != there.is_ok(), "{here:?} {there:?}");
    first.store().catch_up().await;
    assert_eq!(first.open_titles().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_leads_when_the_leader_ends() {
    let (first, second) = two().await;
    role_is(&first, Role::Leader).await;
    role_is(&second, Role::Follower).await;
    first.store().close().await.expect("it closes");
    role_is(&second, Role::Leader).await;
}

/// As after a failure of a database that had shown a commit which its standbys lacked.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_holds_what_the_database_has_lost_is_not_read() {
    let place = TestStore::over_postgres();
    let account = place.account("a").await;
    sql(&place.dir, "UPDATE commits SET operation = 1").await;
    role_is(&place, Role::Unusable).await;
    assert!(place.app.find_account(account).await.is_err());
    let late = place
        .store()
        .create_bounty(Actor::Operator, plain_bounty(account))
        .await;
    assert!(matches!(late, Err(StoreError::Unwritable(_))), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_holds_the_lock_for_long_makes_no_other_one_unreadable() {
    let place = TestStore::over_postgres();
    let account = place.account("a").await;
    let stuck = connected(&server(), &name_of(&place.dir)).await;
    stuck
        .batch_execute("BEGIN; SELECT FROM hitode FOR UPDATE")
        .await
        .expect("a lock");
    let writing = place.store().create_bounty(Actor::Operator, plain_bounty(account));
    let reading = async {
        let begun = Instant::now();
        while begun.elapsed() < LEASE + LEASE / 4 {
            assert!(place.app.find_account(account).await.is_ok());
            tokio::task::yield_now().await;
        }
    };
    let (written, ()) = tokio::join!(writing, reading);
    assert!(matches!(written, Err(StoreError::Unavailable(_))), "{written:?}");
    stuck.batch_execute("ROLLBACK").await.expect("the lock is free");
    assert_eq!(place.bounty(account, "b").await.get(), 1);
}
