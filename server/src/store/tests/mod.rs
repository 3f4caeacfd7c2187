//! The guarantees of the store beyond those of an engine: commits, damage of what it holds, closing and reopening.

mod answers;
mod backup;
mod consistency;
mod feeds;
mod group;
mod life;
mod lived;
mod pages;
mod poisoned;
mod skills;
mod uses;

use std::io;
use std::ops::Bound;
use std::sync::Mutex;

use codegen_store::{Durability, Raw, Reads, SledEngine, Tree};
use contract::{AccountId, ApiKeyId, ApplicationId, Bounty, BountyId, BountyStatus, HumanId, NewHuman};
use tempfile::TempDir;

use super::load::load;
use super::{Actor, CommitReport, Store, WatchCommits, tables};
use crate::digest::Digest;
use crate::market::tests::{
    TestStore, Writes, all, at, new_account, new_human, new_key, new_skill, number, plain_bounty, text_of, whole,
};

/// The observed commits, in order.
#[derive(Default)]
struct ReportedCommits(Mutex<Vec<Option<CommitReport>>>);

impl WatchCommits for ReportedCommits {
    fn committed(&self, commit: CommitReport) {
        self.0.lock().expect("no holder panics").push(Some(commit));
    }

    fn failed(&self) {
        self.0.lock().expect("no holder panics").push(None);
    }
}

impl ReportedCommits {
    /// How many writes shared each commit; `None` for a failed commit.
    fn groups(&self) -> Vec<Option<usize>> {
        let commits = self.0.lock().expect("no holder panics");
        commits
            .iter()
            .map(|commit| commit.map(|commit| commit.writes))
            .collect()
    }
}

/// All entries of all trees, by tree, key and value.
fn entries(reads: &(impl Reads + ?Sized)) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let of = |tree: &Tree| {
        let name = tree.name();
        codegen_store::scan(reads, *tree, (Bound::Unbounded, Bound::Unbounded), 64).map(move |entry| {
            let (key, value) = entry.expect("an entry");
            (name.to_owned(), key.to_vec(), value.to_vec())
        })
    };
    tables::SCHEMA.trees.iter().flat_map(of).collect()
}

/// All entries of an open store.
fn content(store: &Store) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    entries(store.trees().expect("it is open").engine())
}

/// A store that calls `sync` instead of syncing.
fn with_sync(dir: &TempDir, sync: impl FnMut(u64) -> io::Result<()> + Send + 'static) -> Store {
    let opened = SledEngine::open(dir.path(), &tables::SCHEMA, Durability::Synced, load).expect("it opens");
    opened.engine.replace_sync(sync);
    Store::start(dir.path(), opened, None).expect("it starts")
}

fn open(dir: &TempDir) -> Store {
    Store::open(dir.path(), Durability::Synced).expect("the directory opens")
}
