//! Bounties, and the applications to them.

use std::sync::Arc;

use contract::agent::list_bounties::shows;
use contract::{Account, Application, Bounty, Human};

use super::name::Name;
use super::reading::Reading;
use super::rows::IndexEntries;
use super::tally::{Stated, Tally};
use crate::store::mirror::Change;
use crate::store::sled::trees::Tree;

/// Reads the bounties and the index of the open ones. Returns the number of applications that each bounty states.
pub(super) fn bounties(
    reading: &mut Reading<'_>,
    accounts: &Tally<Account, Stated>,
    learn: &mut dyn FnMut(Change),
) -> sled::Result<Tally<Bounty, Stated>> {
    let mut rows = IndexEntries::new();
    let bounties = reading.tally(|findings, bounty: Arc<Bounty>| {
        let of = Name::of::<Bounty>(bounty.id);
        accounts.require(bounty.account_id, of, findings);
        rows.add(&*bounty);
        let stated = Stated::new(bounty.applications_count);
        // The mirror holds only open bounties, and their accounts.
        if shows(&bounty) && accounts.has(bounty.account_id) {
            learn(Change::Bounty(bounty));
        }
        stated
    })?;
    rows.verify(reading)?;
    Ok(bounties)
}

/// Reads the applications and their indexes. Checks that each belongs to a bounty and a worker, and that each bounty
/// states the right number.
pub(super) fn applications(
    reading: &mut Reading<'_>,
    bounties: &mut Tally<Bounty, Stated>,
    humans: &Tally<Human, ()>,
) -> sled::Result<()> {
    let mut rows = IndexEntries::new();
    reading.tally(|findings, application: Arc<Application>| {
        let of = Name::of::<Application>(application.id);
        bounties.require(application.bounty_id, of, findings);
        bounties.count(application.bounty_id);
        humans.require(application.human_id, of, findings);
        rows.add(&*application);
    })?;
    bounties.verify(Tree::Applications, &mut reading.findings);
    rows.verify(reading)
}
