//! The effects of an edit of `api.yaml` without a change of Rust: the real server is built from edited copies and called over
//! HTTP beside the one of the unedited contract.
//!
//! ```text
//! edits ─▶ editions ─ cargo build ─▶ server ─▶ shown: before and after
//!                                └─▶ rejected: what the build says instead
//! ```

mod backups;
mod editions;
mod edits;
mod patches;
mod rejected;
mod responses;
mod server;
mod stored;

pub(crate) use editions::UNEDITED;
pub(crate) use server::{OPERATOR_TOKEN, Server};
