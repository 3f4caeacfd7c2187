//! The commands that work on the data directory of a stopped server.

pub mod backup;
pub mod check;
pub mod restore;
