//! How the store serves the market: its view, who may write, and whom a commit wakes.

use std::sync::RwLock;

use codegen_store::kept::waiters::Waiters;
use codegen_store::kind::{Column, Kind};
use codegen_store::{
    Batch, CommonTrees, Engine, EngineError, Findings, Hooks, Job, Reader, Retention, Schema, Service, StoreResult,
    TransactionError, Unauthorized, torn,
};
use contract::Bounty;
use contract::events::{KEEP_SECONDS, MAX_KEPT, Recipient};
use parking_lot::Mutex;

use super::actor::Actor;
use super::authorize::authorize;
use super::kinds::KINDS;
use super::load::load;
use super::market::{Market, Trees, Tx};
use super::mirror::{Change, Mirror, Update};
use super::skills;
use super::tables::{self, SCHEMA};

impl Service for Market {
    type View = Mirror;
    type Change = Change;
    type Actor = Actor;
    type Recipient = Recipient;
    type QuotaOwner = i64;

    const TREES: CommonTrees = CommonTrees {
        answers: tables::ANSWERS,
        answer_expiry: tables::ANSWER_EXPIRY,
        quota_usage: tables::QUOTA_USAGE,
        feeds: tables::FEEDS,
        events: tables::EVENTS,
    };
    const RETENTION: Retention = Retention {
        keep: KEEP_SECONDS,
        max: MAX_KEPT,
    };
    const QUOTA_OWNER: &'static [Column] = &[Column::Number("owner_id")];

    fn woken(of: Recipient) -> Change {
        Change::Event(of)
    }
}

impl Hooks for Market {
    fn new(engine: &dyn Engine, view: &Mirror) -> StoreResult<Self> {
        let unused_skills = Mutex::new(skills::unused(engine, view)?);
        Ok(Self {
            unused_skills,
            ..Self::default()
        })
    }

    fn schema() -> &'static Schema {
        &SCHEMA
    }

    fn kinds() -> &'static [Kind<Self>] {
        &KINDS
    }

    fn load(reader: &mut Reader<'_>) -> Result<Result<Mirror, Findings>, EngineError> {
        load(reader)
    }

    fn authorize(tx: &Tx<'_>, actor: &Actor) -> Result<Result<(), Unauthorized>, TransactionError> {
        authorize(tx, *actor)
    }

    fn before(&self, trees: &Trees, entries: &Batch) -> StoreResult<()> {
        self.unshown.keep(trees.engine(), entries)
    }

    fn show(&self, view: &RwLock<Mirror>, trees: &Trees, changes: Vec<Change>) -> StoreResult<()> {
        let mut update = Update::from_changes(changes);
        let woken = update.take_woken();
        let has_steps = update.has_steps();
        let changed = update.with_webhooks(&woken);
        add_returning(view, trees, &mut update)?;
        let mut mirror = view.write().map_err(torn)?;
        mirror.apply(update);
        self.unshown.forget();
        drop(mirror);
        self.changed.add(changed.into_iter());
        self.waiters.wake(woken);
        if has_steps {
            self.steps.notify_one();
        }
        Ok(())
    }

    fn waiters(&self) -> &Waiters<Recipient> {
        &self.waiters
    }

    fn upkeep(&self) -> Option<Box<dyn Job<Self>>> {
        skills::removal(&self.unused_skills.lock())
    }

    fn upkept(&self) {
        skills::removed(&mut self.unused_skills.lock());
    }
}

/// Reads the bounties of accounts whose suspension ends.
fn add_returning(view: &RwLock<Mirror>, trees: &Trees, update: &mut Update) -> StoreResult<()> {
    let returning = view.read().map(|mirror| mirror.returning(update));
    for id in returning.map_err(torn)? {
        let bounty: Option<Bounty> = trees.get(id)?;
        bounty.iter().for_each(|bounty| update.add_bounty(bounty.into()));
    }
    Ok(())
}
