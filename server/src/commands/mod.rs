//! What `hitode` does besides serving: the operator's work, over the operator surface of a running server.
//!
//! Each command reads its flags, calls the server and prints. Knows no store and no handler: what is done here, any HTTP
//! client with the operator's token could do. In reading order: `connection` (where the server is, and the token) → `client`
//! (one call) → the commands.

// These macros panic when nobody reads any more; what is in `output` does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod account;
mod call_error;
mod client;
pub mod completions;
mod connection;
mod error;
pub mod import;
mod output;
mod table;
pub mod worker;
