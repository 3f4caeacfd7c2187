//! The commands that take care of what is stored: of a stopped server, or, for a backup, also of a running one.

pub mod backup;
pub mod check;
pub mod restore;
