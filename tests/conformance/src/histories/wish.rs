//! What a call should be like.

use codegen::model::{Operation, Surface};

/// What a call should be like.
#[derive(Clone, Debug, Default)]
pub(super) struct Wish {
    /// The id of the caller.
    pub(super) caller: Option<i64>,
    /// Records that the path or the body names.
    pub(super) records: Vec<(String, i64)>,
    /// Members that the body has.
    pub(super) members: Vec<String>,
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
    pub(super) fn naming(resource: &str, id: i64) -> Self {
        Self {
            records: vec![(resource.to_owned(), id)],
            ..Self::valid()
        }
    }

    pub(super) fn record(&self, resource: &str) -> Option<i64> {
        let mut records = self.records.iter();
        records.find(|(known, _)| known == resource).map(|(_, id)| *id)
    }
}

/// An operation with its surface.
pub(super) type Called<'m> = (&'m Surface, &'m Operation);
