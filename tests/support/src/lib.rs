//! Starts servers, in the test's process or in one of their own, and calls them.
//!
//! It knows no test and no store, and links no server: a test names the filter to call, or the program to start.

pub mod http;
pub mod in_process;
pub mod judged;
pub mod mutants;
pub mod people;
pub mod planted;
pub mod png;
pub mod process;
