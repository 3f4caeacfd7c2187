//! Erasing workers: what is left of them.

use std::sync::Arc;

use codegen_store::Tree;
use contract::support::FileDirectory;
use contract::{File, FileId, FileSeed, FindHuman};
use futures_util::future::join_all;

use super::*;
use crate::market::erasure::{erase, erase_again};
use crate::store::tables::SCHEMA;

/// What only the worker's own texts contain.
const MARK: &str = "Zanzibar";

/// The trees that have a value with the mark.
async fn marked(place: &TestStore) -> Vec<Tree> {
    let found = place.store().read(|trees, _| {
        let mut found = Vec::new();
        for tree in SCHEMA.trees {
            for entry in trees.entries(*tree) {
                let (key, value) = entry?;
                let is_in = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(MARK);
                if (is_in(&key) || is_in(&value)) && found.last() != Some(tree) {
                    found.push(*tree);
                }
            }
        }
        Ok(found)
    });
    found.await.expect("the trees are read")
}

fn marked_human() -> NewHuman {
    NewHuman {
        headline: format!("{MARK} tours"),
        bio: format!("From {MARK}"),
        city: MARK.to_owned(),
        skills: vec![new_skill(&format!("{MARK} cooking"), "Home")],
        external_id: Some(format!("{MARK}-7")),
        ..new_human(&format!("Hana of {MARK}"))
    }
}

#[tokio::test]
async fn an_erased_worker_leaves_no_trace() {
    let place = TestStore::new();
    let account = place.account("Agent").await;
    let entered = place
        .store()
        .create_humans(vec![marked_human(), new_human("Ken")], false);
    let ids = entered.await.expect("workers are entered");
    let (erased, other) = (ids[0], ids[1]);
    place.store().set_token(erased, "token").await.expect("a write");
    let first = place.talk(account, erased, &format!("Hello {MARK}"), 1).await;
    let kept = place.talk(account, other, "Hello Ken", 2).await;
    // More than one transaction erases.
    let text = format!("I am in {MARK}");
    let said = (0..520).map(|_| place.say(first, Sender::Human, &text, 3));
    join_all(said).await;
    let bounty = place.bounty(account, "Photos").await;
    let applications = [place.apply(bounty, erased).await, place.apply(bounty, other).await];
    assert!(marked(&place).await.len() > 2);

    erase(place.store(), None, erased).await.expect("it is erased");
    // What was written before a version had erasing, or between its transactions, goes the next time.
    place.say(first, Sender::Agent, &format!("Are you in {MARK}?"), 4).await;
    erase(place.store(), None, erased).await.expect("it is erased again");

    let place = place.reopened().await;
    assert_eq!(marked(&place).await, Vec::new());
    place.assert_indexed();
    assert_eq!(place.names(HumanFilter::default()).await, ["Ken"]);
    let human = place
        .app
        .find_human(erased)
        .await
        .expect("an answer")
        .expect("the id stays");
    assert_eq!(
        (
            human.name.as_str(),
            human.erased,
            human.suspended,
            human.token_digest.is_none()
        ),
        ("(deleted)", true, true, true)
    );
    let messages = |application| {
        place
            .store()
            .write(Actor::Operator, move |tx| -> crate::store::Decided<_, Infallible> {
                Ok(tx.existing::<Application>(application)?.message)
            })
    };
    let [gone, stays] = applications.map(messages);
    assert_eq!(certain(gone.await).expect("it is read"), "(deleted)");
    assert_eq!(certain(stays.await).expect("it is read"), "I can");
    let words = place.say(kept, Sender::Human, "still here", 5).await;
    assert!(words.get() > 0);
}

#[tokio::test]
async fn a_list_of_erased_workers_is_applied_and_keeps_their_ids() {
    let place = TestStore::new();
    let entered = place
        .store()
        .create_humans(vec![marked_human(), new_human("Ken")], false);
    let ids = entered.await.expect("workers are entered");
    // The last one was entered after the backup.
    let list = [ids[0], ids[0], HumanId::new(40)];
    assert_eq!(erase_again(place.store(), &list).await.map_err(|_| ()), Ok(1));
    assert_eq!(marked(&place).await, Vec::new());
    assert_eq!(place.human("Mei").await, HumanId::new(41));
    let place = place.reopened().await;
    assert_eq!(place.names(HumanFilter::default()).await, ["Ken", "Mei"]);
}

/// Files of a test, with their contents.
struct Sent<'t> {
    place: &'t TestStore,
    directory: Arc<FileDirectory>,
}

impl Sent<'_> {
    /// Stores a file with this name and these owners, `times` times with the same content.
    async fn file(&self, name: &str, of: (Option<AccountId>, Option<HumanId>, Option<ConversationId>), times: usize) {
        let (temporary, _) = self.directory.create().expect("a file");
        let content = self.directory.keep(&temporary).expect("a name");
        let file = File {
            account_id: of.0,
            human_id: of.1,
            conversation_id: of.2,
            place: Some(content),
            ..File::from(FileSeed {
                id: FileId::new(0),
                sender_type: if of.0.is_some() { Sender::Agent } else { Sender::Human },
                name: name.to_owned(),
                media_type: "text/plain".to_owned(),
                bytes: 0,
                sha256: String::new(),
                counted_bytes: 10,
                created_at: at(0),
            })
        };
        let created = self.place.store().write(Actor::Operator, move |tx| {
            for _ in 0..times {
                let id = tx.next_id::<File>()?;
                tx.create(&File { id, ..file.clone() })?;
            }
            Ok(())
        });
        certain(created.await).expect("a write");
    }

    /// The names of the files whose records are there, and the number of contents.
    async fn left(&self) -> (Vec<String>, usize) {
        let names = self
            .place
            .store()
            .read(|trees, _| crate::market::files::all(trees).map(|file| Ok(file?.name)).collect());
        let contents = self.directory.names().expect("a directory");
        (names.await.expect("they are read"), contents.len())
    }
}

#[tokio::test]
async fn the_files_of_an_erased_worker_go_and_those_of_others_stay() {
    let place = TestStore::new();
    let account = place.account("Agent").await;
    let (erased, other) = (place.human("Hana").await, place.human("Ken").await);
    let first = place.talk(account, erased, "Hello", 1).await;
    let kept = place.talk(account, other, "Hello", 2).await;
    let directory = FileDirectory::open(&place.dir.path().join("files")).expect("a directory");
    let sent = Sent {
        place: &place,
        directory: Arc::new(directory),
    };
    sent.file("unsent, of the account", (Some(account), None, None), 1)
        .await;
    sent.file("to the worker", (Some(account), Some(erased), Some(first)), 1)
        .await;
    // More than one transaction deletes them.
    sent.file("unsent, of the worker", (None, Some(erased), None), 300)
        .await;
    sent.file("to the other", (Some(account), Some(other), Some(kept)), 1)
        .await;
    sent.file("unsent, of the other", (None, Some(other), None), 1).await;
    assert_eq!(sent.left().await.1, 5);

    for _ in 0..2 {
        let erased = erase(place.store(), Some(&sent.directory), erased).await;
        erased.expect("it is erased");
        let names = ["unsent, of the account", "to the other", "unsent, of the other"].map(str::to_owned);
        assert_eq!(sent.left().await, (names.to_vec(), 3));
    }
    place.reopened().await;
}
