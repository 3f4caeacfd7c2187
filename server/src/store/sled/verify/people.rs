//! Accounts with their keys, and workers.

use std::sync::Arc;

use contract::{Account, ApiKey, Human};

use super::credentials::Credentials;
use super::finding::Finding;
use super::name::Name;
use super::reading::Reading;
use super::skills::Skills;
use super::tally::{Stated, Tally};
use crate::store::mirror::Change;
use crate::store::sled::trees::Tree;

/// Reads the accounts. Returns the number of keys that each account states.
pub(super) fn accounts(
    reading: &mut Reading<'_>,
    learn: &mut dyn FnMut(Change),
) -> sled::Result<Tally<Account, Stated>> {
    reading.tally(|_, account: Arc<Account>| {
        let stated = Stated::new(account.active_keys);
        learn(Change::Account(account));
        stated
    })
}

/// Reads the keys. Checks that each belongs to an account, and that each account states the right number.
pub(super) fn keys(
    reading: &mut Reading<'_>,
    accounts: &mut Tally<Account, Stated>,
    learn: &mut dyn FnMut(Change),
) -> sled::Result<()> {
    let mut digests = Credentials::default();
    reading.tally(|findings, key: Arc<ApiKey>| {
        let of = Name::of::<ApiKey>(key.id);
        digests.add(&key.digest, of, findings);
        accounts.count(key.account_id);
        accounts.require(key.account_id, of, findings);
        learn(Change::Key(key));
    })?;
    digests.verify(&mut reading.findings);
    accounts.verify(Tree::Keys, &mut reading.findings);
    Ok(())
}

/// Reads the workers.
pub(super) fn humans(
    reading: &mut Reading<'_>,
    skills: &Skills,
    learn: &mut dyn FnMut(Change),
) -> sled::Result<Tally<Human, ()>> {
    let mut digests = Credentials::default();
    let humans = reading.tally(|findings, human: Arc<Human>| {
        let of = Name::of::<Human>(human.id);
        if let Some(digest) = &human.token_digest {
            digests.add(digest, of, findings);
        }
        for skill in human.skills.iter().filter(|skill| !skills.has(skill)) {
            let (id, name) = (skill.id, skill.name.clone());
            findings.push(Finding::Skill { of, id, name });
        }
        learn(Change::Human(human));
    })?;
    digests.verify(&mut reading.findings);
    Ok(humans)
}
