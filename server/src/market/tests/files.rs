//! What becomes of files that no message has.

use super::*;
use crate::market::conversations::with_files;
use crate::market::files;
use contract::support::{FileDirectory, KeepFiles};
use contract::{File, FileId, FileSeed};
use std::time::Duration;

/// A market that stores files.
fn market() -> TestStore {
    let TestStore { app, dir, open } = TestStore::new();
    let files = FileDirectory::open(&dir.path().join("files")).expect("a directory");
    let app = app.with_files(Some(files));
    TestStore { app, dir, open }
}

/// A file of a worker, made now, with its content in its place.
async fn file(market: &TestStore, human: HumanId) -> File {
    let files = market.app.files().expect("a directory");
    let (temporary, _) = files.create().expect("a file");
    let file = File {
        human_id: Some(human),
        place: Some(files.keep(&temporary).expect("a place")),
        ..File::from(FileSeed {
            id: FileId::new(0),
            sender_type: Sender::Human,
            name: "front.jpg".to_owned(),
            media_type: "image/jpeg".to_owned(),
            bytes: 1,
            sha256: String::new(),
            counted_bytes: 1,
            created_at: market.app.now(),
        })
    };
    let made = market
        .store()
        .write(Actor::Operator, move |tx| files::create::<Infallible>(tx, &file));
    certain(made.await).expect("it is written")
}

/// The ids of the files that there are, of these, and whether each has its content.
async fn there(market: &TestStore, of: &[&File]) -> Vec<(FileId, bool)> {
    let ids: Vec<FileId> = of.iter().map(|file| file.id).collect();
    let files = market.store().read(move |trees, _| {
        let found = ids.iter().map(|id| trees.get::<File>(*id));
        found.collect::<StoreResult<Vec<Option<File>>>>()
    });
    let names = market.app.files().expect("a directory").names().expect("its names");
    let files = files.await.expect("they are read").into_iter().flatten();
    files
        .map(|file| (file.id, file.place.is_some_and(|place| names.contains(&place))))
        .collect()
}

#[tokio::test]
async fn a_file_that_no_message_has_is_deleted_after_a_day() {
    let market = market();
    let (account, human) = (market.account("Agent").await, market.human("Worker").await);
    let [sent, unsent] = [file(&market, human).await, file(&market, human).await];
    let begun = market
        .store()
        .create_conversation(Actor::Operator, (account, human), "Hello", at(0));
    let (conversation, _) = begun.await.expect("it is begun");
    let attached = sent.id;
    let attach = market.store().write(Actor::Operator, move |tx| {
        let conversation: Conversation = tx.existing(conversation)?;
        let named = files::NamedFiles {
            ids: vec![attached],
            unknown: Failure::Internal,
            too_long: Failure::Internal,
        };
        let message = message(conversation.id, Sender::Human, String::new(), at(0));
        with_files(tx, &named, &conversation, &message).map(|_| ())
    });
    attach.await.expect("a write").expect("it is attached");
    market.app.clock().advance(Duration::from_secs(24 * 60 * 60 - 1));
    let young = file(&market, human).await;
    let all = [&sent, &unsent, &young];
    let mut first = FileId::new(0);
    assert_eq!(files::expire(&market.app, &mut first).await, Ok(0));
    market.app.clock().advance(Duration::from_secs(1));
    assert_eq!(files::expire(&market.app, &mut first).await, Ok(1));
    assert_eq!(there(&market, &all).await, [(sent.id, true), (young.id, true)]);
    // What was decided is not read again.
    assert_eq!(first, young.id);
    market.app.clock().advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!(files::expire(&market.app, &mut first).await, Ok(1));
    assert_eq!(there(&market, &all).await, [(sent.id, true)]);
}
