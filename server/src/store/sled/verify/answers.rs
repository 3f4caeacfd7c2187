//! The answers to requests with idempotency keys: each has its row in the index of expiries.

use super::finding::{Finding, Hex};
use super::name::Name;
use super::reading::Reading;
use crate::store::sled::answers;
use crate::store::sled::checksum::Checksum;
use crate::store::sled::record::Chunks;
use crate::store::sled::trees::Tree;

/// Reads the answers and their index.
pub(super) fn answers(reading: &mut Reading<'_>) -> sled::Result<()> {
    let mut expected = Checksum::default();
    reading.entries(Tree::Answers, |reading, key, value| {
        let Some(name) = Name::of_answer(&key) else {
            let (tree, key) = (Tree::Answers, key.to_vec());
            reading.findings.push(Finding::Key { tree, key });
            return Ok(());
        };
        let value = match Chunks::referred_to_by(&value) {
            None => value,
            Some(pieces) => {
                reading.refers(pieces, name);
                match reading.trees.join(pieces)? {
                    Some(whole) => whole.into(),
                    None => return Ok(()),
                }
            }
        };
        match answers::decode(&value) {
            Some((expires, _)) => expected.add(Tree::AnswerExpiry, &answers::row(expires, &key), &[]),
            None => reading.findings.push(Finding::Unreadable {
                of: name.to_string(),
                cause: "it has no expiry".to_owned(),
            }),
        }
        Ok(())
    })?;
    if reading.entries(Tree::AnswerExpiry, |_, _, _| Ok(()))? != expected {
        missing(reading)?;
        stray(reading)?;
    }
    Ok(())
}

/// Finds answers without their rows.
fn missing(reading: &mut Reading<'_>) -> sled::Result<()> {
    for entry in reading.trees.entries_of(Tree::Answers) {
        let (key, _) = entry?;
        let Some(row) = row_of(reading, &key)? else { continue };
        if reading.trees.value(Tree::AnswerExpiry, &row)?.is_none() {
            let (index, row) = (Tree::AnswerExpiry, format!("answer {}", Hex(&key)));
            reading.findings.push(Finding::MissingRow { index, row });
        }
    }
    Ok(())
}

/// Finds rows that no answer has.
fn stray(reading: &mut Reading<'_>) -> sled::Result<()> {
    for entry in reading.trees.entries_of(Tree::AnswerExpiry) {
        let (row, value) = entry?;
        let of_answer = match answers::id_of(&row) {
            Some(id) => row_of(reading, id)?,
            None => None,
        };
        if of_answer.as_deref() != Some(&row[..]) || !value.is_empty() {
            let (index, row) = (Tree::AnswerExpiry, format!("the row {}", Hex(&row)));
            reading.findings.push(Finding::StrayRow { index, row });
        }
    }
    Ok(())
}

/// The row that the answer with this key has, if it can be read.
fn row_of(reading: &Reading<'_>, key: &[u8]) -> sled::Result<Option<Vec<u8>>> {
    let Ok(Some(value)) = reading.trees.whole_value(Tree::Answers, key) else {
        return Ok(None);
    };
    Ok(answers::decode(&value).map(|(expires, _)| answers::row(expires, key)))
}
