//! The records: each names existing ones, has its rows in the indexes, and a credential of its own.

use std::sync::Arc;

use super::credentials::Credentials;
use super::finding::Finding;
use super::reading::Verification;
use super::rows::IndexEntries;
use super::tally::Tally;
use crate::engine::EngineError;
use crate::findings::Findings;
use crate::hooks::Hooks;
use crate::name::Name;
use crate::record::Record;
use crate::transaction::count_name;

impl<S: Hooks> Verification<'_, '_, S> {
    /// Verifies all records of a kind, and their indexes. Kinds that it names should come before. `check` verifies what only the
    /// service knows.
    ///
    /// # Errors
    /// If a tree cannot be read.
    pub fn records<R: Record<S>>(
        &mut self,
        mut check: impl FnMut(&R, &Name, &mut Findings),
    ) -> Result<(), EngineError> {
        let (mut rows, mut digests, mut tally) =
            (IndexEntries::<S, R>::new(), Credentials::default(), Tally::default());
        self.each_record(|this, key, record: Option<Arc<R>>| {
            if R::IS_NAMED {
                tally.push(key, record.as_deref());
            }
            let Some(record) = record else { return };
            let of = Name::at::<S, R>(key);
            let findings = &mut this.findings;
            if let Some(digest) = record.digest() {
                digests.add(digest, &of, findings);
            }
            let has_all = this.records.require(&*record, &of, findings);
            check(&record, &of, findings);
            record.tally(&mut this.records);
            rows.add(&*record);
            // The view holds only records whose parents it has.
            if has_all {
                record.loaded().into_iter().for_each(&mut *this.learn);
            }
        })?;
        digests.verify(&mut self.findings);
        rows.verify(self)?;
        if R::IS_NAMED {
            self.records.add::<S, R>(tally);
        }
        Ok(())
    }

    /// Reads all records of a kind and compares them with the numbers in `meta`. `each` receives every well-formed
    /// key, with its record if that can be read.
    fn each_record<R: Record<S>>(
        &mut self,
        mut each: impl FnMut(&mut Self, &[u8], Option<Arc<R>>),
    ) -> Result<(), EngineError> {
        let (mut found, mut highest) = (0, 0);
        self.entries(R::TREE, |this, key, value| {
            found += 1;
            let id = <R::Key as codegen_support::Key>::read(&key);
            let number = id.as_ref().map(codegen_support::Key::number);
            match number {
                Some(Some(number)) if number > 0 => highest = highest.max(number),
                Some(None) => {}
                _ => {
                    this.malformed_key(R::TREE, &key);
                    return Ok(());
                }
            }
            let record = value.and_then(|value| this.record(&key, &value));
            each(this, &key, record.map(Arc::new));
            Ok(())
        })?;
        if let Some(counted) = self.number(&count_name(R::TREE))?
            && counted != found
        {
            let tree = R::TREE;
            self.findings.push(&Finding::Count { tree, counted, found });
        }
        self.last_id(R::TREE, highest)
    }
}
