//! From the model to what others read: documents for tools, for people and for agents.
//!
//! ```text
//! Model ─ shared: sentences, examples ─▶ openapi, llms, page ─▶ File, File, …
//! ```
//!
//! What the contract does not say, a document does not say either. Each document is written by a module of its own, which
//! knows the model and what they share, and no other document.

mod file;
pub mod llms;
pub mod openapi;
mod page;
mod shared;

pub use file::{File, Kind, Parameter};

use crate::Model;

/// All that a server of the contract serves beside its surfaces.
pub fn files(model: &Model) -> Vec<File> {
    let documents = [openapi::files, llms::files, page::files];
    documents.iter().flat_map(|files| files(model)).collect()
}
