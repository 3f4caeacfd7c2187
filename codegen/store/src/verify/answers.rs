//! The answers to requests with idempotency keys: each has its row in the index of expiries. What was counted towards quotas
//! can be read.

use codegen_support::AnswerId;

use super::finding::Finding;
use super::reading::Verification;
use crate::engine::{EngineError, Reads};
use crate::findings::Hex;
use crate::hooks::Hooks;
use crate::kept::{answers, usage};
use crate::name::of_bytes;
use crate::sled::Checksum;

impl<S: Hooks> Verification<'_, '_, S> {
    /// Verifies the stored answers and their index.
    ///
    /// # Errors
    /// If a tree cannot be read.
    pub fn answers(&mut self) -> Result<(), EngineError> {
        answers(self)
    }

    /// Verifies what was counted towards quotas.
    ///
    /// # Errors
    /// If the tree cannot be read.
    pub fn quota_usage(&mut self) -> Result<(), EngineError> {
        let tree = S::TREES.quota_usage;
        self.values(tree, |reading, key, value| {
            if usage::owner_of::<S>(&key).is_none() || usage::usage_of(&value).is_none() {
                reading.malformed_key(tree, &key);
            }
        })?;
        Ok(())
    }
}

fn answers<S: Hooks>(reading: &mut Verification<'_, '_, S>) -> Result<(), EngineError> {
    let mut expected = Checksum::default();
    reading.values(S::TREES.answers, |reading, key, value| {
        if key.len() != size_of::<AnswerId>() {
            reading.malformed_key(S::TREES.answers, &key);
            return;
        }
        match answers::decode(&value) {
            Some((expires, _)) => expected.add(S::TREES.answer_expiry, &answers::row(expires, &key), &[]),
            None => reading.findings.push(&Finding::Unreadable {
                of: of_bytes("stored answer", &key),
                cause: "it has no expiry".to_owned(),
            }),
        }
    })?;
    if reading.values(S::TREES.answer_expiry, |_, _, _| ())? != expected {
        missing(reading)?;
        stray(reading)?;
    }
    Ok(())
}

/// Finds answers without their rows.
fn missing<S: Hooks>(reading: &mut Verification<'_, '_, S>) -> Result<(), EngineError> {
    for key in reading.keys_again(S::TREES.answers) {
        let key = key?;
        let Some(row) = row_of(reading, &key)? else { continue };
        if reading.reader.reads().get(S::TREES.answer_expiry, &row)?.is_none() {
            let (index, row) = (S::TREES.answer_expiry, format!("answer {}", Hex(&key)));
            reading.findings.push(&Finding::MissingRow { index, row });
        }
    }
    Ok(())
}

/// Finds rows that no answer has.
fn stray<S: Hooks>(reading: &mut Verification<'_, '_, S>) -> Result<(), EngineError> {
    for row in reading.keys_again(S::TREES.answer_expiry) {
        let row = row?;
        let value = reading
            .reader
            .reads()
            .get(S::TREES.answer_expiry, &row)?
            .unwrap_or_default();
        let of_answer = match answers::id_of(&row) {
            Some(id) => row_of(reading, id)?,
            None => None,
        };
        if of_answer.as_deref() != Some(&row[..]) || !value.is_empty() {
            let (index, row) = (S::TREES.answer_expiry, format!("the row {}", Hex(&row)));
            reading.findings.push(&Finding::StrayRow { index, row });
        }
    }
    Ok(())
}

/// The row that the answer with this key has, if it can be read.
fn row_of<S: Hooks>(reading: &Verification<'_, '_, S>, key: &[u8]) -> Result<Option<Vec<u8>>, EngineError> {
    let Some(value) = reading.readable(S::TREES.answers, key)? else {
        return Ok(None);
    };
    Ok(answers::decode(&value).map(|(expires, _)| answers::row(expires, key)))
}
