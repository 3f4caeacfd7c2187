//! The commands besides `serve`: each reads its flags, calls the operator API of a running server and prints. They know no
//! store and no handler. In reading order: `connection` (where the server is, and the token) → `client` (one call) → the
//! commands.

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
