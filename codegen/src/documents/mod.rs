//! Documents generated from the model, for tools, people and agents.
//!
//! ```text
//! Model ─ shared: sentences, examples ─▶ openapi, page, llms ─▶ File, File, …
//! ```
//!
//! Documents state only what the contract states. Each document is a module that knows the model and `shared`, and no
//! other document.

mod facts;
mod file;
pub mod llms;
pub mod openapi;
mod page;
mod shared;
mod site;
pub mod tools;

pub use facts::module as facts;
pub use file::{File, FileKind, Parameter, When};
pub use site::in_folder as site;

use crate::Model;

/// All files that a server of the contract serves beside its surfaces.
pub fn files(model: &Model) -> Vec<File> {
    let documents = [openapi::files, page::files, llms::files];
    let files = documents.iter().flat_map(|files| files(model));
    files.chain(site::console::files()).collect()
}
