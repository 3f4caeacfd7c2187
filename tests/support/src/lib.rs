//! Starts servers, in the test's process or in one of their own, and calls them.
//!
//! Knows no test and no store, and links no server: a test says which filter is called, or which program is started.

pub mod http;
pub mod in_process;
pub mod people;
pub mod process;
