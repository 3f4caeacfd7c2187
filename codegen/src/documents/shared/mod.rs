//! What documents share: the sentences that they are made of, requests and values that are examples.

pub(super) mod address;
pub(super) mod examples;
pub(super) mod lists;
pub(super) mod part;
pub(super) mod refusals;
pub(super) mod words;
