//! Generates the contract from `api.yaml`.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("api.yaml");
    let options = codegen::Options {
        file: "tests/lockers/api.yaml",
        support: "codegen_support",
    };
    codegen::cargo::generate(&file, options.file, "contract.rs", |model| {
        codegen::emit::rust(model, options)
    });
}
