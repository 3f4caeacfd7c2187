//! Errors that a request to an operation can cause.

use super::{Counts, ErrorEntry, Model, Operation, Surface};
use crate::step::Step;

impl Model {
    /// The errors that a request to an operation can cause, in order of precedence.
    ///
    /// Errors of [`Step::Route`] and [`Step::Method`] are not included: such requests reach no operation.
    pub fn errors_of<'m>(&'m self, surface: &Surface, operation: &Operation) -> Vec<&'m ErrorEntry> {
        let can_reject = |error: &&ErrorEntry| self.can_respond(surface, operation, error);
        self.errors.iter().filter(can_reject).collect()
    }

    /// Whether a request to an operation can cause an error.
    pub fn can_respond(&self, surface: &Surface, operation: &Operation, error: &ErrorEntry) -> bool {
        let credential = self.credential_of(surface);
        match error.step {
            Step::Route | Step::Method => false,
            Step::Available | Step::Busy | Step::Decode | Step::Internal => true,
            Step::Credential => credential.is_some(),
            Step::CredentialLimit => {
                let mut limits = self.limits.iter();
                credential.is_some() && limits.any(|limit| limit.counts == Counts::FailedCredentials)
            }
            Step::Suspended => credential
                .and_then(|credential| credential.caller.as_ref())
                .is_some_and(|caller| caller.suspended.is_some()),
            Step::Limit => operation.limit.is_some(),
            Step::ResponseBytes => self.response_bytes(surface).is_some(),
            Step::InFlight => self.at_once(surface, operation).is_some(),
            Step::MediaType | Step::BodySize | Step::BodyTime => operation.takes_body(),
            Step::KeyReused | Step::KeyInProgress => operation.keep_seconds.is_some(),
            Step::KeySecret => operation.keep_seconds.is_some() && operation.shows_secret(),
            Step::Plan | Step::Exists | Step::Owner => {
                let mut guards = operation.guard_kinds();
                guards.any(|guard| self.step_that_rejects(guard) == error.step)
            }
            Step::Quota => !operation.quotas.is_empty(),
            Step::Transition => operation.transitions.is_some(),
            Step::Rule => operation.has_rule(&error.name),
            Step::Write | Step::Outcome => operation.method != "GET",
        }
    }
}
