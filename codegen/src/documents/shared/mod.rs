//! What documents share: the sentences that they are made of, requests and values that are examples.

pub(super) mod address;
pub(super) mod examples;
pub(super) mod lists;
pub(super) mod possible_errors;
pub(super) mod selection;
pub(super) mod words;
