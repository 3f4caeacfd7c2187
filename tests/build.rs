//! Generates the conformance suite from `api.yaml`; `HITODE_API` names another file, as it does for the server.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=HITODE_API");
    println!("cargo::rerun-if-changed=build.rs");
    let ours = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../api.yaml");
    let file = std::env::var_os("HITODE_API").map_or(ours, PathBuf::from);
    let options = codegen::emit::TestOptions {
        file: "api.yaml",
        kit: "conformance",
        world: "crate::world::world",
    };
    codegen::cargo::generate(&file, "api.yaml", "conformance.rs", |model| {
        codegen::emit::tests(model, options)
    });
}
