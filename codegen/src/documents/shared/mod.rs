//! Helpers that documents share: sentences, example requests and example values.

pub(super) mod address;
pub(super) mod descriptions;
pub(super) mod events;
pub(super) mod examples;
pub(crate) mod idempotency;
pub(super) mod lists;
pub(super) mod patterns;
pub(super) mod possible_errors;
pub(super) mod realms;
pub(super) mod selection;
pub(super) mod words;
