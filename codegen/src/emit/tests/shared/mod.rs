//! What the emitters of tests share. It knows the model, and none of them.

pub(crate) mod cells;
pub(crate) mod lists;
pub(crate) mod misspelt;
pub(crate) mod rule;
pub(crate) mod shapes;
pub(crate) mod states;
pub(crate) mod steps;
pub(crate) mod traces;
pub(crate) mod values;

use crate::model::{Counts, Limit, Model, Operation, Surface};

/// An operation with what its tests need to know beside it.
pub(crate) struct Subject<'s> {
    pub(crate) model: &'s Model,
    pub(crate) surface: &'s Surface,
    pub(crate) operation: &'s Operation,
}

impl<'s> Subject<'s> {
    /// The limit on failed credentials, where the operation asks for one.
    pub(crate) fn failed_credentials(&self) -> Option<&'s Limit> {
        self.surface.credential.as_ref()?;
        let mut limits = self.model.limits.iter();
        limits.find(|limit| limit.counts == Counts::FailedCredentials)
    }
}
