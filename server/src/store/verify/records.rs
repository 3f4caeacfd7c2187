//! The records: each names existing ones, has its rows in the indexes, and a credential of its own.

use std::sync::Arc;

use codegen_store::EngineError;
use contract::support::derived::Facts;
use contract::{Conversation, Message};

use super::credentials::Credentials;
use super::finding::Finding;
use super::name::Name;
use super::reading::Reading;
use super::rows::IndexEntries;
use super::skills::Skills;
use super::tally::Records;
use crate::store::keys::Id;
use crate::store::mirror::Change;
use crate::store::record::Record;
use crate::store::records::{SeeRecords, each};

/// Reads all records with single ids, and their indexes. Checks that the dictionary has their skills.
pub(super) fn records(
    reading: &mut Reading<'_, '_>,
    records: &mut Records,
    skills: &Skills,
    learn: &mut dyn FnMut(Change),
) -> Result<(), EngineError> {
    each(&mut All {
        reading,
        records,
        skills,
        learn,
    })
}

struct All<'a, 'r, 't> {
    reading: &'a mut Reading<'r, 't>,
    records: &'a mut Records,
    skills: &'a Skills,
    learn: &'a mut dyn FnMut(Change),
}

impl SeeRecords<EngineError> for All<'_, '_, '_> {
    fn see<R: Record<Id: Id>>(&mut self) -> Result<(), EngineError> {
        let (mut rows, mut digests) = (IndexEntries::new(), Credentials::default());
        let tally = self.reading.tally(|findings, record: Arc<R>| {
            let of = Name::of::<R>(record.id());
            if let Some(digest) = record.digest() {
                digests.add(digest, of, findings);
            }
            let has_all = self.records.require(&*record, of, findings);
            for skill in record.skills().iter().filter(|skill| !self.skills.has(skill)) {
                let (id, name) = (skill.id, skill.name.clone());
                findings.push(&Finding::Skill { of, id, name });
            }
            record.tally(self.records);
            rows.add(&*record);
            // The mirror holds only records whose accounts it has.
            if has_all {
                record.loaded().into_iter().for_each(&mut *self.learn);
            }
        })?;
        digests.verify(&mut self.reading.findings);
        rows.verify(self.reading)?;
        self.records.add(tally);
        Ok(())
    }
}

/// Reads the messages.
pub(super) fn messages(reading: &mut Reading<'_, '_>, records: &mut Records) -> Result<(), EngineError> {
    reading.records(|findings, of, message: Option<Message>| {
        // The key of a message has two ids, and names the conversation even if the message cannot be read.
        let id = of.under.expect("the key of a message has two ids");
        records.require_one(Conversation::RESOURCE, id, of, findings);
        message.iter().for_each(|message| message.tally(records));
    })
}
