//! A board of notes on disk. The contract says it whole, so it has no handler: `notes --data DIR --listen ADDRESS`.

#[macro_use]
mod serve;

service!("/notes.rs");
