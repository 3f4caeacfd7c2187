//! Generates the conformance suite from `api.yaml`; `HITODE_API` names another file, as for the server.

fn main() {
    println!("cargo::rerun-if-env-changed=HITODE_API");
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo runs this in the package's folder.
    let file = std::env::var_os("HITODE_API").unwrap_or_else(|| "../api.yaml".into());
    let options = codegen::emit::TestOptions {
        file: "api.yaml",
        library: "conformance",
        world: "crate::world::world",
    };
    codegen::cargo::generate(file.as_ref(), "api.yaml", "conformance.rs", |model| {
        codegen::emit::complete_tests(model, options)
    });
}
