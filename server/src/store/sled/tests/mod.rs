//! The guarantees of this engine beyond the suite's: files, commits, damage, across closing and reopening.

mod answers;
mod backup;
mod consistency;
mod feeds;
mod group;
mod large;
mod life;
mod lived;
mod pages;
mod poisoned;
mod skills;
mod uses;

use std::io;
use std::ops::Bound;
use std::path::PathBuf;
use std::sync::Mutex;

use codegen_store::{Durability, Raw, Reads, SledEngine, Tree};
use contract::{AccountId, ApiKeyId, ApplicationId, Bounty, BountyId, BountyStatus, HumanId, NewHuman, Plan};
use tempfile::TempDir;

use super::SledStore;
use super::load::load;
use crate::digest::Digest;
use crate::store::suite::{all, anyone, at, new_human, new_key, new_skill, number, plain_bounty, whole};
use crate::store::{
    Actor, BountyFilter, CommitReport, Engine, HumanFilter, NewAccount, Store, WatchCommits, suite, tables,
};

type TestStore = suite::TestStore<suite::Embedded>;

impl TestStore {
    fn path(&self) -> PathBuf {
        self.dir.path().to_owned()
    }
}

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
fn content(store: &SledStore) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    entries(store.trees.upgrade().expect("it is open").engine())
}

/// A store that calls `sync` instead of syncing.
fn with_sync(dir: &TempDir, sync: impl FnMut(u64) -> io::Result<()> + Send + 'static) -> SledStore {
    let opened = SledEngine::open(dir.path(), &tables::SCHEMA, Durability::Synced, load).expect("it opens");
    opened.engine.replace_sync(sync);
    SledStore::start(dir.path(), opened, None).expect("it starts")
}

fn open(dir: &TempDir) -> SledStore {
    SledStore::open(dir.path(), Durability::Synced).expect("the directory opens")
}
