//! The contract compiler: `api.yaml` in, Rust out.
//!
//! ```text
//! text ─ yaml ─ syntax ─▶ Spec ─ check ─ resolve ─ meaning ─▶ Model ─ emit, documents ─▶ Rust, OpenAPI, …
//!                                                       two Models ─ diff ─▶ changes and who is affected
//! ```
//!
//! Every step is a pure function and knows no service. Only [`cargo`] reads and writes files, for build scripts.

mod aliases;
pub mod calendar;
pub mod cargo;
pub mod check;
pub mod diagnostic;
pub mod diff;
pub mod documents;
pub mod emit;
pub mod fault_codes;
pub mod formats;
pub mod json;
mod languages;
pub mod matching;
mod meaning;
pub mod model;
pub mod names;
pub mod nearest;
mod parallel;
pub mod resolve;
pub mod rules;
pub mod span;
pub mod step;
pub mod syntax;
pub mod units;
pub mod yaml;

pub use diagnostic::Diagnostic;
pub use emit::Options;
pub use model::Model;
pub use yaml::MAX_BYTES;

/// Compiles the text of an `api.yaml`.
///
/// # Errors
/// All errors at once: structural errors, and semantic errors that can be found despite the former.
pub fn compile(source: &str) -> Result<Model, Vec<Diagnostic>> {
    compile_with_warnings(source).map(|(model, _)| model)
}

/// Like [`compile`], with the warnings of a contract that has no errors.
///
/// # Errors
/// As [`compile`].
pub fn compile_with_warnings(source: &str) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let Some(tree) = yaml::parse(source, &mut errors) else {
        return Err(errors);
    };
    let Some((spec, names)) = syntax::read(&tree, &mut errors) else {
        return Err(errors);
    };
    check::check(&spec, &names, &tree, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut model = resolve::resolve(&spec);
    meaning::declare(&spec, &mut model, &mut errors);
    if errors.is_empty() {
        let warnings = [check::warnings(&spec), meaning::missing_texts(&model)].concat();
        Ok((model, warnings))
    } else {
        Err(errors)
    }
}

/// Generates the Rust code of a contract.
///
/// # Errors
/// As [`compile`].
pub fn generate(source: &str, options: Options<'_>) -> Result<String, Vec<Diagnostic>> {
    compile(source).map(|model| emit::rust(&model, options))
}
