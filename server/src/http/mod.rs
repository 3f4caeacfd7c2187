//! What is served over HTTP, and how connections are kept.

pub(crate) mod health;
pub mod listener;
pub(crate) mod metrics;
mod page;
