//! What is stored beside records for any service.

pub mod answers;
pub mod credentials;
pub mod feeds;
pub mod usage;
pub mod waiters;
