//! Bounties, and the applications to them.

use std::sync::Arc;

use codegen_store::EngineError;
use contract::{Application, Bounty, Tallied};

use super::name::Name;
use super::reading::Reading;
use super::rows::IndexEntries;
use super::tally::Records;
use crate::store::mirror::Change;

/// Reads the bounties and the index of the open ones.
pub(super) fn bounties(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    learn: &mut dyn FnMut(Change),
) -> Result<(), EngineError> {
    let mut rows = IndexEntries::new();
    records.bounties = reading.tally(|findings, bounty: Arc<Bounty>| {
        let of = Name::of::<Bounty>(bounty.id);
        records.accounts.require(bounty.account_id, of, findings);
        bounty.tally(records);
        rows.add(&*bounty);
        // The mirror holds only bounties whose accounts it has.
        if records.accounts.has(bounty.account_id) {
            learn(Change::Bounty((&*bounty).into()));
        }
    })?;
    rows.verify(reading)
}

/// Reads the applications and their indexes. Checks that each belongs to a bounty and a worker.
pub(super) fn applications(reading: &mut Reading<'_, '_>, records: &mut Records) -> Result<(), EngineError> {
    let mut rows = IndexEntries::new();
    reading.tally(|findings, application: Arc<Application>| {
        let of = Name::of::<Application>(application.id);
        records.bounties.require(application.bounty_id, of, findings);
        records.humans.require(application.human_id, of, findings);
        application.tally(records);
        rows.add(&*application);
    })?;
    rows.verify(reading)
}
