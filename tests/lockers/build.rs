//! Generates from `api.yaml` the contract in Rust, with its store, and without one for tests of other services.

use std::path::Path;

/// The contract's path in messages and in the documentation of the generated code.
const SHOWN: &str = "tests/lockers/api.yaml";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo runs this in the package's folder.
    let file = Path::new("api.yaml");
    let options = codegen::Options {
        file: SHOWN,
        support: "codegen_support",
    };
    codegen::cargo::generate(file, SHOWN, "contract.rs", |model| codegen::emit::rust(model, options));
    codegen::cargo::stored_contract_of(file, "stored.rs", options);
    codegen::cargo::documents_of(file, SHOWN);
}
