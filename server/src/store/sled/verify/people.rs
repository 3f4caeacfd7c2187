//! Accounts with their keys, and workers.

use std::sync::Arc;

use codegen_store::EngineError;
use contract::{Account, ApiKey, Human, Tallied};

use super::credentials::Credentials;
use super::finding::Finding;
use super::name::Name;
use super::reading::Reading;
use super::skills::Skills;
use super::tally::Records;
use crate::store::mirror::Change;

/// Reads the accounts.
pub(super) fn accounts(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    learn: &mut dyn FnMut(Change),
) -> Result<(), EngineError> {
    records.accounts = reading.tally(|_, account: Arc<Account>| {
        account.tally(records);
        learn(Change::Account(account));
    })?;
    Ok(())
}

/// Reads the keys. Checks that each belongs to an account.
pub(super) fn keys(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    learn: &mut dyn FnMut(Change),
) -> Result<(), EngineError> {
    let mut digests = Credentials::default();
    reading.tally(|findings, key: Arc<ApiKey>| {
        let of = Name::of::<ApiKey>(key.id);
        digests.add(&key.digest, of, findings);
        records.accounts.require(key.account_id, of, findings);
        key.tally(records);
        learn(Change::Key(key));
    })?;
    digests.verify(&mut reading.findings);
    Ok(())
}

/// Reads the workers.
pub(super) fn humans(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    skills: &Skills,
    learn: &mut dyn FnMut(Change),
) -> Result<(), EngineError> {
    let mut digests = Credentials::default();
    records.humans = reading.tally(|findings, human: Arc<Human>| {
        let of = Name::of::<Human>(human.id);
        if let Some(digest) = &human.token_digest {
            digests.add(digest, of, findings);
        }
        for skill in human.skills.iter().filter(|skill| !skills.has(skill)) {
            let (id, name) = (skill.id, skill.name.clone());
            findings.push(&Finding::Skill { of, id, name });
        }
        human.tally(records);
        learn(Change::Human(human));
    })?;
    digests.verify(&mut reading.findings);
    Ok(())
}
