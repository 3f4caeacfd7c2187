//! The commands except `serve`: each reads its flags, calls the operator API of a running server and prints the
//! result. In reading order: `connection` (address and token) → `client` (one call) → the commands. Must not know the
//! store or the handlers.

// These macros panic if the output is closed; the functions of `output` do not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod account;
mod call_error;
mod client;
pub mod completions;
mod connection;
pub(crate) mod error;
pub mod export;
pub mod import;
mod invite;
pub mod open;
pub mod operations;
pub(crate) mod output;
pub mod sandbox;
pub mod status;
mod table;
mod table_file;
pub mod worker;

use std::io::Read;
use std::path::Path;

use self::connection::Connection;
pub(crate) use self::connection::base_url;
use self::error::CommandError;

/// The backup of the running server at `url`, whose operator's token is in the data directory `data` if it is not in the
/// environment.
///
/// # Errors
/// If the server cannot be called, or rejects this.
pub(crate) fn receive_backup(url: &str, data: &Path) -> Result<impl Read + use<>, CommandError> {
    Ok(Connection::new(url, data).client()?.backup()?)
}
