//! The contract compiler: `api.yaml` in, Rust out.
//!
//! ```text
//! text ─ yaml ─ read ─▶ Spec ─ check ─ resolve ─▶ Model ─ emit, documents ─▶ Rust, OpenAPI, …
//!                                           two Models ─ diff ─▶ changes and who is affected
//! ```
//!
//! Every step is a pure function and knows no service. Only [`cargo`] reads and writes files, for build scripts.

mod aliases;
pub mod cargo;
pub mod check;
pub mod diagnostic;
pub mod diff;
pub mod documents;
pub mod emit;
mod json;
pub mod language;
pub mod matching;
pub mod model;
pub mod names;
pub mod nearest;
mod parallel;
pub mod read;
pub mod resolve;
pub mod rules;
pub mod spec;
pub mod step;
pub mod yaml;

pub use diagnostic::Diagnostic;
pub use emit::Options;
pub use model::Model;

/// Maximum bytes of a contract. A longer file is not a contract, and would take long to check.
pub const MAX_BYTES: usize = 1 << 20;

/// Compiles a contract: reads, checks and resolves it.
///
/// # Errors
/// Every error in the text, structural and semantic.
pub fn compile(source: &str) -> Result<Model, Vec<Diagnostic>> {
    read::checked(source).map(|spec| resolve::resolve(&spec))
}

/// Generates the Rust code of a contract.
///
/// # Errors
/// As [`compile`].
pub fn generate(source: &str, options: Options<'_>) -> Result<String, Vec<Diagnostic>> {
    compile(source).map(|model| emit::rust(&model, options))
}
