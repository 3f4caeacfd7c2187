//! Helpers that emitters of tests share. They know the model, and no emitter.

pub(crate) mod cells;
pub(crate) mod lists;
pub(crate) mod matrix;
pub(crate) mod misspelt;
pub(crate) mod rule;
pub(crate) mod shapes;
pub(crate) mod states;
pub(crate) mod steps;
pub(crate) mod traces;
pub(crate) mod values;

use crate::model::{Counts, Limit, Model, Operation, Surface};

/// An operation with the facts that its tests need.
pub(crate) struct Subject<'s> {
    pub(crate) model: &'s Model,
    pub(crate) surface: &'s Surface,
    pub(crate) operation: &'s Operation,
}

impl<'s> Subject<'s> {
    /// The limit on failed credentials, if the operation needs a credential.
    pub(crate) fn failed_credentials(&self) -> Option<&'s Limit> {
        self.surface.credential.as_ref()?;
        let mut limits = self.model.limits.iter();
        limits.find(|limit| limit.counts == Counts::FailedCredentials)
    }
}
