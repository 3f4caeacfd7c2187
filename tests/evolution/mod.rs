//! What an edit of `api.yaml` changes, no Rust touched: the real server is built from edited copies and called over HTTP
//! beside the one of the contract as it stands.
//!
//! ```text
//! edits ─▶ editions ─ cargo build ─▶ server ─▶ shown: before and after
//!                                └─▶ rejected: what the build says instead
//! ```

mod editions;
mod edits;
mod patches;
mod rejected;
mod server;
mod shown;
mod stored;

pub(crate) use editions::UNEDITED;
pub(crate) use server::{OPERATOR_TOKEN, Server};
