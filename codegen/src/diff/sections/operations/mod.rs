//! The surfaces and their operations: what a request needs, and what it gets.

mod answers;
mod files;
mod guards;
mod lists;
mod operation;
mod requests;
pub(crate) mod surfaces;
mod tools;
