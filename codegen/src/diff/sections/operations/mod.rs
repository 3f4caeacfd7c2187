//! The surfaces and their operations: what a request needs, and what it gets.

mod answers;
mod envelopes;
mod files;
mod guards;
mod lists;
mod operation;
mod requests;
mod response_headers;
pub(crate) mod surfaces;
mod tools;
