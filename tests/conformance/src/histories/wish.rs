//! What a call should be like.

use super::known::Record;
use codegen::model::{Operation, RecordId, Surface};
use serde_json::Value;

/// What a call should be like.
#[derive(Clone, Debug, Default)]
pub(super) struct Wish {
    /// The id of the caller.
    pub(super) caller: Option<RecordId>,
    /// Records that the path or the body names.
    pub(super) records: Vec<(String, RecordId)>,
    /// Members that the body has.
    pub(super) members: Vec<String>,
    /// Members that the body lacks.
    pub(super) absent: Vec<String>,
    /// Members that have these values.
    pub(super) values: Vec<(String, Value)>,
    /// Parameters of the query that filter.
    pub(super) filters: Vec<String>,
    /// Whether the records belong to other callers.
    pub(super) is_of_others: bool,
    /// Whether it has an idempotency key.
    pub(super) has_key: bool,
    /// Whether everything is valid.
    pub(super) is_valid: bool,
}

impl Wish {
    /// A valid call.
    pub(super) fn valid() -> Self {
        Self {
            is_valid: true,
            ..Self::default()
        }
    }

    /// A valid call that names this record.
    pub(super) fn naming(resource: &str, id: RecordId) -> Self {
        Self {
            records: vec![(resource.to_owned(), id)],
            ..Self::valid()
        }
    }

    /// A valid one by whom and about what a record is: these are its fields.
    pub(super) fn within(within: &[(Option<String>, String)], record: &Record) -> Self {
        let mut wish = Self::valid();
        wish.stay_within(within, record);
        wish
    }

    /// It is by whom and about what a record is.
    pub(super) fn stay_within(&mut self, within: &[(Option<String>, String)], record: &Record) {
        for (parent, field) in within {
            match (parent, record.link(field)) {
                (Some(parent), Some(id)) => self.records.push((parent.clone(), id)),
                (None, Some(id)) => self.caller = Some(id),
                _ => {}
            }
        }
    }

    pub(super) fn record(&self, resource: &str) -> Option<RecordId> {
        let mut records = self.records.iter();
        records.find(|(known, _)| known == resource).map(|(_, id)| *id)
    }
}

/// An operation with its surface.
pub(super) type Called<'m> = (&'m Surface, &'m Operation);
