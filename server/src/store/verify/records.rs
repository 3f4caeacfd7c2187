//! The records: each names existing ones, has its rows in the indexes, and a credential of its own.

use std::sync::Arc;

use codegen_store::{EngineError, Findings};
use contract::support::derived::Derived;
use contract::{Human, Message, Tallied};

use super::credentials::Credentials;
use super::finding::Finding;
use super::name::Name;
use super::reading::Reading;
use super::rows::IndexEntries;
use super::skills::Skills;
use super::tally::{Records, Tally};
use crate::store::keys::Id;
use crate::store::mirror::Change;
use crate::store::record::Record;

/// Reads all records of a kind with single ids, and its indexes.
pub(super) fn records<R: Record<Id: Id> + Derived + Tallied>(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    learn: &mut dyn FnMut(Change),
) -> Result<Tally<R>, EngineError> {
    records_with(reading, records, learn, |_, _, _| ())
}

/// Reads the workers. Checks that the dictionary has their skills.
pub(super) fn humans(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    skills: &Skills,
    learn: &mut dyn FnMut(Change),
) -> Result<Tally<Human>, EngineError> {
    records_with(reading, records, learn, |findings, of, human: &Human| {
        for skill in human.skills.iter().filter(|skill| !skills.has(skill)) {
            let (id, name) = (skill.id, skill.name.clone());
            findings.push(&Finding::Skill { of, id, name });
        }
    })
}

fn records_with<R: Record<Id: Id> + Derived + Tallied>(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    learn: &mut dyn FnMut(Change),
    mut more: impl FnMut(&mut Findings, Name, &R),
) -> Result<Tally<R>, EngineError> {
    let (mut rows, mut digests) = (IndexEntries::new(), Credentials::default());
    let tally = reading.tally(|findings, record: Arc<R>| {
        let of = Name::of::<R>(record.id());
        if let Some(digest) = record.credential() {
            digests.add(digest, of, findings);
        }
        let has_all = records.require(&*record, of, findings);
        more(findings, of, &record);
        record.tally(records);
        rows.add(&*record);
        // The mirror holds only records whose accounts it has.
        if has_all {
            record.loaded().into_iter().for_each(&mut *learn);
        }
    })?;
    digests.verify(&mut reading.findings);
    rows.verify(reading)?;
    Ok(tally)
}

/// Reads the messages.
pub(super) fn messages(reading: &mut Reading<'_, '_>, records: &mut Records) -> Result<(), EngineError> {
    reading.records(|findings, of, message: Option<Message>| {
        // The key of a message has two ids, and names the conversation even if the message cannot be read.
        records.require_conversation(of, findings);
        message.iter().for_each(|message| message.tally(records));
    })
}
