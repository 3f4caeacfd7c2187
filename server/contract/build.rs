//! Generates the contract from `api.yaml`; `HITODE_API` names another file.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=HITODE_API");
    println!("cargo::rerun-if-changed=build.rs");
    let ours = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../api.yaml");
    let file = std::env::var_os("HITODE_API").map_or(ours, PathBuf::from);
    let options = codegen::Options {
        file: "api.yaml",
        support: "codegen_support",
    };
    codegen::cargo::generate(&file, "api.yaml", "contract.rs", |model| {
        codegen::emit::rust(model, options)
    });
}
