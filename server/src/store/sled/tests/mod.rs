//! The guarantees of this engine beyond the suite's: files, commits, damage, across closing and reopening.

mod answers;
mod backup;
mod consistency;
mod damage;
mod feeds;
mod group;
mod kinds;
mod large;
mod life;
mod lost;
mod pages;
mod poisoned;
mod skills;
mod snapshot;
mod uses;

use std::path::PathBuf;
use std::sync::Mutex;

use contract::{AccountId, ApiKeyId, ApplicationId, Bounty, BountyId, BountyStatus, HumanId, NewHuman, Plan};
use tempfile::TempDir;

use super::{Durability, SledStore};
use crate::digest::Digest;
use crate::store::suite::{all, anyone, at, new_human, new_key, new_skill, number, plain_bounty, whole};
use crate::store::{Actor, BountyFilter, CommitReport, Engine, HumanFilter, NewAccount, Store, WatchCommits, suite};

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

fn open(dir: &TempDir) -> SledStore {
    SledStore::open(dir.path(), Durability::Synced).expect("the directory opens")
}
