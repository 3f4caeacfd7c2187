//! Several servers over one database.

use std::time::Instant;

use codegen_store::commit_log::{CommitLog, LEASE};
use contract::events::Recipient;
use contract::support::feed::After;
use contract::support::{AnswerId, Begun, Bytes, Clock, FindAnswer, IdempotencyKey, Kept, KeyedRequest, RunningKeys};
use contract::{BountyId, Failure};

use super::*;
use crate::store::postgres::log::TRIM;
use crate::store::{FeedRequest, Role, Staleness};

/// Two servers over one database, which belongs to the first one's directory.
async fn two() -> (Place, Place) {
    let first = Place::new();
    let dir = TempDir::new().expect("a directory");
    let store = try_open(&first.dir, &dir).expect("it opens");
    (first, Place { store, dir })
}

async fn admits(place: &Place, key: &str) -> bool {
    let admitted = place.store.admit_key(Digest::from_secret(key), at(9)).await;
    admitted.expect("the lease is held").is_some()
}

async fn role_is(place: &Place, role: Role) {
    let mut roles = place.store.role();
    roles.wait_for(|now| *now == role).await.expect("the store is open");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_write_in_turn_and_show_the_same() {
    let (first, second) = two().await;
    write_all(&first, "a").await;
    write_all(&second, "b").await;
    write_all(&first, "c").await;
    second.store.catch_up().await;
    assert_eq!(content(&first.store).await, content(&second.store).await);
    assert_eq!(first.open_titles().await, second.open_titles().await);
    second.assert_indexed();
    let anew = TempDir::new().expect("a directory");
    let third = try_open(&first.dir, &anew).expect("it opens");
    assert_eq!(content(&third).await, content(&first.store).await);
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
        there.store.catch_up().await;
        let shown = there.store.find_bounty(bounty).await.expect("the lease is held");
        assert!(shown.is_some(), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_is_known_to_every_server() {
    let (first, second) = two().await;
    let account = first.account("a").await;
    let worker = first.human("Ken").await;
    let conversation = NewConversation {
        account_id: account,
        human_id: worker,
        message: "Are you free?".to_owned(),
        created_at: at(1),
        steps: vec![],
    };
    let begun = first
        .store
        .unkeyed()
        .create_conversation(Actor::Operator, conversation)
        .await;
    let (conversation_id, _) = begun.expect("a write").expect("a conversation");
    for round in 1..=100 {
        let message = NewMessage {
            conversation_id,
            sender: Party::Human(worker),
            content: "Yes.".to_owned(),
            created_at: at(2),
            steps: vec![],
        };
        let written = first.store.unkeyed().create_message(Actor::Operator, message).await;
        written.expect("a write").expect("a message");
        let request = FeedRequest {
            after: Some(After::Event(round)),
            names: None,
            limit: 1,
            now: at(3),
        };
        let page = second.store.events(Recipient::Account(account), request).await;
        assert_eq!(page.expect("the lease is held").map(|page| page.cursor), Ok(round));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_that_one_server_removes_is_unknown_to_the_other() {
    let (first, second) = two().await;
    let id = first.human("Hana").await;
    let set = async |place: &Place, names: &[&str]| {
        place.store.catch_up().await;
        let skills = names.iter().map(|name| new_skill(name, "Home")).collect();
        let changed = place.store.update_human(Actor::Operator, id, Some(skills), |_| ());
        changed.await.expect("a write").expect("changed");
        let human = place.store.find_human(id).await.expect("the lease is held");
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
    second.store.catch_up().await;
    assert_eq!(content(&first.store).await, content(&second.store).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_skill_is_removed_while_a_server_of_an_earlier_version_runs() {
    let place = Place::new();
    let database: Database = format!("{}/{}", server(), name_of(&place.dir)).parse().expect("a URL");
    let renewed = move || {
        let mut log = PostgresLog::connect(&database, Lease::default()).expect("it connects");
        log.renew().expect("it renews");
        log.has_second_layout()
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
async fn a_server_that_is_far_behind_reads_in_parts_and_goes_on() {
    let place = Place::new();
    let account = place.account("a").await;
    let commits = "BEGIN; INSERT INTO commits (number, operation, awaited, changes) \
             SELECT hitode.number + more, 7, false, '[]' FROM hitode, generate_series(1, 12000) AS more; \
         UPDATE hitode SET number = number + 12000; COMMIT";
    sql(&place.dir, commits).await;
    place.bounty(account, "b").await;
    until(|| place.store.is_writable()).await;
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
    assert_eq!(content(&other).await, content(&place.store).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_take_in_what_others_commit_writes_nothing() {
    let place = Place::new();
    place.account("a").await;
    let commits = "BEGIN; INSERT INTO commits (number, operation, awaited, changes) \
             SELECT hitode.number + more, 7, false, CASE more WHEN 3000 \
                 THEN '[{\"last_id\":{\"kind\":\"unknown\",\"number\":1}}]' ELSE '[]' END::bytea \
             FROM hitode, generate_series(1, 6000) AS more; \
         UPDATE hitode SET number = number + 6000; COMMIT";
    sql(&place.dir, commits).await;
    let created = place.store.unkeyed().create_humans(vec![new_human("Ken")], false).await;
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
    assert!(matches!(second.store.staleness(), Some(Staleness::AtMost(time)) if time <= LEASE));
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
        let created = here.store.unkeyed();
        let created = created.create_key(Actor::Operator, account, new_key(&name), 3, |_| Ok::<_, ()>(()));
        let key = created.await.expect("a write").expect("a key");
        assert!(admits(there, &name).await, "round {round}");
        let ended = here.store.delete_key(Actor::Key(last), account, key).await;
        ended.expect("a write").expect("it exists");
        assert!(!admits(there, &name).await, "round {round}");
    }
    let suspended = first
        .store
        .update_account(account, |account| account.suspended = true)
        .await;
    suspended.expect("a write").expect("it exists");
    let admitted = second.store.admit_key(Digest::from_secret("last"), at(9)).await;
    assert!(
        admitted
            .expect("an answer")
            .is_some_and(|admitted| admitted.account.suspended)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_credential_waits_for_a_silent_server_until_its_lease_is_over() {
    let place = Place::new();
    let (account, key) = place.account_with_key("a", "a").await;
    sql(
        &place.dir,
        "INSERT INTO servers (server, position, renewals) VALUES ('silent', 0, 1)",
    )
    .await;
    let begun = Instant::now();
    let ended = place.store.delete_key(Actor::Operator, account, key).await;
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
    let place = Place::new();
    let account = place.account("a").await;
    let name = name_of(&place.dir);
    let admin = connected(&server(), "postgres").await;
    let cut_off = format!(
        "ALTER DATABASE {name} ALLOW_CONNECTIONS false; \
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    );
    admin.batch_execute(&cut_off).await.expect("a statement");
    while place.store.find_account(account).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(place.store.staleness(), Some(Staleness::Unknown));
    assert!(!place.store.is_writable());
    role_is(&place, Role::Follower).await;
    let again = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true");
    admin.batch_execute(&again).await.expect("a statement");
    until(|| place.store.is_writable()).await;
    assert!(place.store.find_account(account).await.expect("a read").is_some());
    assert_eq!(place.bounty(account, "b").await.get(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_together_let_an_account_have_so_many_keys() {
    let (first, second) = two().await;
    let account = first.account("a").await;
    let create = |place: &'static str, store| async move {
        let store: &SledStore = store;
        let mut created = 0;
        for number in 0..10 {
            let key = new_key(&format!("{place}{number}"));
            let made = store
                .unkeyed()
                .create_key(Actor::Operator, account, key, 3, |_| Ok::<_, ()>(()));
            created += usize::from(made.await.expect("an answer").is_ok());
        }
        created
    };
    let (here, there) = tokio::join!(create("a", &first.store), create("b", &second.store));
    assert_eq!(here + there, 2, "one exists from the beginning");
}

/// The store behind the keys.
struct Found<'s>(&'s SledStore);

impl FindAnswer for Found<'_> {
    async fn find_answer(&self, id: AnswerId, now: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.0.find_answer(id, now).await?)
    }
}

/// The same request with an idempotency key, as one of several servers begins it.
async fn begin(store: &SledStore) -> Begun<BountyId> {
    let request = KeyedRequest {
        key: IdempotencyKey::parse(b"key"),
        caller: ("Account", Some(1)),
        operation: "agent.create_bounty",
        ids: &[],
        query: None,
        body: Bytes::new(),
        keep_seconds: 60,
    };
    let running = RunningKeys::new(Clock::manual(1_000));
    let kept = |id: &mut BountyId| Kept::Secret(id.get());
    running
        .begin(&Found(store), request, kept)
        .await
        .expect("it was not done before")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_an_idempotency_key_is_done_by_one_server() {
    let (first, second) = two().await;
    let account = first.account("a").await;
    second.store.catch_up().await;
    let (Begun::First(here), Begun::First(there)) = (begin(&first.store).await, begin(&second.store).await) else {
        panic!("neither has answered it");
    };
    let create = |store, once| {
        let store: &SledStore = store;
        store.create_bounty(Actor::Operator, plain_bounty(account), Vec::new(), once)
    };
    let (here, there) = tokio::join!(create(&first.store, here), create(&second.store, there));
    assert!(here.is_ok() != there.is_ok(), "{here:?} {there:?}");
    first.store.catch_up().await;
    assert_eq!(first.open_titles().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_leads_when_the_leader_ends() {
    let (first, second) = two().await;
    role_is(&first, Role::Leader).await;
    role_is(&second, Role::Follower).await;
    first.store.close().await.expect("it closes");
    role_is(&second, Role::Leader).await;
}

/// As after a failure of a database that had shown a commit which its standbys lacked.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_holds_what_the_database_has_lost_is_not_read() {
    let place = Place::new();
    let account = place.account("a").await;
    sql(&place.dir, "UPDATE commits SET operation = 1").await;
    role_is(&place, Role::Unusable).await;
    assert!(place.store.find_account(account).await.is_err());
    let late = place
        .store
        .unkeyed()
        .create_bounty(Actor::Operator, plain_bounty(account))
        .await;
    assert!(matches!(late, Err(StoreError::Unwritable(_))), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_holds_the_lock_for_long_makes_no_other_one_unreadable() {
    let place = Place::new();
    let account = place.account("a").await;
    let stuck = connected(&server(), &name_of(&place.dir)).await;
    stuck
        .batch_execute("BEGIN; SELECT FROM hitode FOR UPDATE")
        .await
        .expect("a lock");
    let writing = place.store.unkeyed();
    let writing = writing.create_bounty(Actor::Operator, plain_bounty(account));
    let reading = async {
        let begun = Instant::now();
        while begun.elapsed() < LEASE + LEASE / 4 {
            assert!(place.store.find_account(account).await.is_ok());
            tokio::task::yield_now().await;
        }
    };
    let (written, ()) = tokio::join!(writing, reading);
    assert!(matches!(written, Err(StoreError::Unavailable(_))), "{written:?}");
    stuck.batch_execute("ROLLBACK").await.expect("the lock is free");
    assert_eq!(place.bounty(account, "b").await.get(), 1);
}
