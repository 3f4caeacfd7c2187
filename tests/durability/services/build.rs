//! Generates contracts that have no handler, with their stores.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=services/build.rs");
    for name in ["clinic", "notes", "public", "work"] {
        let file = format!("services/{name}.yaml");
        let options = codegen::Options {
            file: &format!("tests/durability/{file}"),
            support: "codegen_support",
        };
        codegen::cargo::stored_contract_of(Path::new(&file), &format!("{name}.rs"), options);
    }
}
