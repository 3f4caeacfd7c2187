//! Backups: a restored directory holds what the original one held.

use std::path::Path;

use contract::events::Recipient;
use contract::support::StoredOnce;
use contract::support::feed::After;
use contract::{Account, Human};

use super::lived::live;
use super::*;
use crate::store::backup::RestoreError;
use crate::store::backup::{BackupReader, BackupWriter};
use crate::store::{Abort, FeedRequest, NewStep};
use crate::store::{RestoreOptions, sizes};
use crate::store::{Trees, Tx};
use crate::webhooks::Deliveries;
use codegen_store::kept::answers;

const EXACT: RestoreOptions = RestoreOptions {
    keep_credentials: true,
    id_gap: 0,
};

/// Tree, key and value of all entries.
type Entries = Vec<(String, Vec<u8>, Vec<u8>)>;

/// All entries, with their whole values. Only the serial numbers of long values and the numbers of commits may differ.
fn content(trees: &Trees) -> Entries {
    let mut entries = entries(trees.engine());
    entries.retain(|(tree, key, _)| {
        let is_own = [&b"commit"[..], b"last id pieces"].contains(&key.as_slice());
        !(tree == "meta" && is_own)
    });
    for (tree, _, value) in &mut entries {
        if tree == "events" {
            let mut event: serde_json::Value = serde_json::from_slice(value).expect("JSON");
            event["commit"] = 0.into();
            *value = event.to_string().into_bytes();
        }
    }
    entries
}

pub(super) fn back_up(path: &Path) -> Vec<u8> {
    let written = Store::back_up_directory(path, &[], Vec::new(), at(0), |_, _| ());
    written.expect("the directory is consistent").expect("memory")
}

pub(super) fn restore(backup: &[u8], path: &Path, options: RestoreOptions) -> Result<u64, RestoreError> {
    let mut reader = BackupReader::begin(&tables::SCHEMA.program, backup)?;
    Store::restore(path, &mut reader, options, |_| (), async |_| Ok(()))
}

/// A closed store with records of all kinds, and its content.
fn closed() -> (TempDir, Entries) {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(async {
        let place = TestStore::new();
        live(&place, 8).await;
        let worker = place.human("Ken").await;
        place.store().set_token(worker, "token").await.expect("a write");
        let skills = Some(vec![new_skill("Cooking", "Food")]);
        let changed = place
            .store()
            .update_human(Actor::Operator, worker, skills, |human| {
                human.code_digest = Some("a code".to_owned());
                human.code_ends_at = Some(at(9));
            })
            .await;
        changed.expect("a write");
        let account = place.account("with a webhook").await;
        place.new_webhook(account).await;
        let answer = StoredOnce {
            id: [7; 32],
            value: b"201 created".to_vec(),
            now: at(1),
            expires: at(2),
        };
        let stored = move |tx: &mut Tx<'_>| Ok::<_, Abort<()>>(answers::replace(tx, &answer)?);
        let stored = place.store().write(Actor::Operator, stored).await;
        stored.expect("a write").expect("stored");
        let step = NewStep {
            account,
            due: 7,
            about: 1,
            step: "apply".to_owned(),
        };
        place.app.replace_steps(vec![], vec![step]).await.expect("a write");
        let content = content(&place.store().trees().expect("it is open"));
        place.store().close().await.expect("the store closes");
        (place.dir, content)
    })
}

#[test]
fn an_exact_restore_holds_what_was_backed_up() {
    let (dir, original) = closed();
    let new = tempfile::tempdir().expect("a temporary directory");
    restore(&back_up(dir.path()), new.path(), EXACT).expect("it fits");
    let store = open(&new);
    let restored = content(&store.trees().expect("it is open"));
    let differs = restored
        .iter()
        .zip(&original)
        .find(|(restored, original)| restored != original);
    assert!(differs.is_none() && restored.len() == original.len(), "{differs:?}");
}

#[test]
fn a_restore_ends_credentials_and_leaves_ids_out_unless_asked_otherwise() {
    let (dir, _) = closed();
    let new = tempfile::tempdir().expect("a temporary directory");
    let options = RestoreOptions {
        keep_credentials: false,
        id_gap: 100,
    };
    restore(&back_up(dir.path()), new.path(), options).expect("it fits");
    let store = open(&new);
    let trees = store.trees().expect("it is open");
    assert_eq!(sizes(&store).expect("sizes").active_keys, 0);
    let workers: Vec<Human> = trees.scan(all_keys(), 64).collect::<Result<_, _>>().expect("workers");
    assert!(workers.len() > 8 && workers.iter().all(|worker| worker.token_digest.is_none()));
    let has_code = |worker: &Human| worker.code_digest.is_some() || worker.code_ends_at.is_some();
    assert!(!workers.iter().any(has_code));
    let accounts: Vec<Account> = trees.scan(all_keys(), 64).collect::<Result<_, _>>().expect("accounts");
    assert!(!accounts.is_empty() && accounts.iter().all(|account| account.active_keys == 0));
    let last = workers.last().expect("a worker").id.get();
    assert_eq!(trees.meta("last id humans").expect("a number"), last + 100);
}

#[test]
fn webhooks_end_with_the_credentials_and_their_ids_are_not_used_again() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let (original, account, webhook) = runtime.block_on(async {
        let place = TestStore::new();
        let account = place.account("a").await;
        let webhook = place.new_webhook(account).await;
        place.store().close().await.expect("the store closes");
        (place.dir, account, webhook)
    });
    let backup = back_up(original.path());
    for keep_credentials in [true, false] {
        let options = RestoreOptions {
            keep_credentials,
            id_gap: 0,
        };
        let dir = tempfile::tempdir().expect("a temporary directory");
        restore(&backup, dir.path(), options).expect("a restored directory");
        let store = open(&dir);
        let expected: &[_] = if keep_credentials { &[webhook] } else { &[] };
        let restored = TestStore::over(store, dir);
        assert_eq!(restored.app.webhooks(None).expect("an answer"), expected);
        let next = runtime.block_on(restored.new_webhook(account));
        assert_eq!(next.get(), webhook.get() + 1);
    }
}

#[test]
fn a_cursor_from_after_the_backup_is_told_that_events_are_missing() {
    let (dir, _) = closed();
    let new = tempfile::tempdir().expect("a temporary directory");
    let options = RestoreOptions {
        keep_credentials: false,
        id_gap: 1_000,
    };
    let backup = back_up(dir.path());
    restore(&backup, new.path(), options).expect("it fits");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let events = |store: &Store, after: i64| {
        let request = FeedRequest {
            after: Some(After::Event(after)),
            names: crate::store::names(None),
            limit: 100,
            now: at(10),
        };
        let page = runtime.block_on(store.events(Recipient::Account(AccountId::new(1)), request));
        page.expect("an answer").expect("a cursor of the feed")
    };
    let kept = {
        let store = open(&dir);
        events(&store, 0)
    };
    let store = open(&new);
    let page = events(&store, kept.cursor + 1);
    assert!(page.truncated && !kept.truncated);
    assert_eq!(
        (page.cursor, page.events.len()),
        (kept.cursor + 1_000, kept.events.len())
    );
}

#[test]
fn a_record_that_does_not_fit_is_named() {
    for (kind, record, cause) in [
        (
            "humans",
            r#"{"id":1}"#,
            "record 1 does not fit the contract: `humans`: missing field `name`",
        ),
        (
            "ghosts",
            "{}",
            "record 1 does not fit the contract: `ghosts`: its kind `ghosts` is unknown",
        ),
    ] {
        let mut out = BackupWriter::begin(&tables::SCHEMA.program, Vec::new(), at(0)).expect("memory");
        out.record(kind, record.as_bytes()).expect("memory");
        let new = tempfile::tempdir().expect("a temporary directory");
        let rejected = restore(&out.end().expect("memory"), new.path(), EXACT).expect_err(kind);
        assert!(rejected.to_string().starts_with(cause), "{rejected}");
    }
}

fn all_keys() -> std::ops::RangeInclusive<[u8; 8]> {
    [0; 8]..=[0xff; 8]
}
