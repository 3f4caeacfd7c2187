//! The answers to requests with idempotency keys: each has its row in the index of expiries.

use codegen_store::{Checksum, EngineError, Hex, Reads};

use super::finding::Finding;
use super::name::Name;
use super::reading::Reading;
use crate::store::{answers, tables};

/// Reads the answers and their index.
pub(super) fn answers(reading: &mut Reading<'_, '_>) -> Result<(), EngineError> {
    let mut expected = Checksum::default();
    reading.values(tables::ANSWERS, |reading, key, value| {
        let Some(name) = Name::of_answer(&key) else {
            let (tree, key) = (tables::ANSWERS, key.to_vec());
            reading.findings.push(&Finding::Key { tree, key });
            return;
        };
        match answers::decode(&value) {
            Some((expires, _)) => expected.add(tables::ANSWER_EXPIRY, &answers::row(expires, &key), &[]),
            None => reading.findings.push(&Finding::Unreadable {
                of: name.to_string(),
                cause: "it has no expiry".to_owned(),
            }),
        }
    })?;
    if reading.values(tables::ANSWER_EXPIRY, |_, _, _| ())? != expected {
        missing(reading)?;
        stray(reading)?;
    }
    Ok(())
}

/// Finds answers without their rows.
fn missing(reading: &mut Reading<'_, '_>) -> Result<(), EngineError> {
    for key in reading.keys_again(tables::ANSWERS) {
        let key = key?;
        let Some(row) = row_of(reading, &key)? else { continue };
        if reading.reader.reads().get(tables::ANSWER_EXPIRY, &row)?.is_none() {
            let (index, row) = (tables::ANSWER_EXPIRY, format!("answer {}", Hex(&key)));
            reading.findings.push(&Finding::MissingRow { index, row });
        }
    }
    Ok(())
}

/// Finds rows that no answer has.
fn stray(reading: &mut Reading<'_, '_>) -> Result<(), EngineError> {
    for row in reading.keys_again(tables::ANSWER_EXPIRY) {
        let row = row?;
        let value = reading
            .reader
            .reads()
            .get(tables::ANSWER_EXPIRY, &row)?
            .unwrap_or_default();
        let of_answer = match answers::id_of(&row) {
            Some(id) => row_of(reading, id)?,
            None => None,
        };
        if of_answer.as_deref() != Some(&row[..]) || !value.is_empty() {
            let (index, row) = (tables::ANSWER_EXPIRY, format!("the row {}", Hex(&row)));
            reading.findings.push(&Finding::StrayRow { index, row });
        }
    }
    Ok(())
}

/// The row that the answer with this key has, if it can be read.
fn row_of(reading: &Reading<'_, '_>, key: &[u8]) -> Result<Option<Vec<u8>>, EngineError> {
    let Some(value) = reading.readable(tables::ANSWERS, key)? else {
        return Ok(None);
    };
    Ok(answers::decode(&value).map(|(expires, _)| answers::row(expires, key)))
}
