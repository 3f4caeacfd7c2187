//! Generates the contract from `api.yaml`, and its documents; `HITODE_API` names another file.

fn main() {
    println!("cargo::rerun-if-env-changed=HITODE_API");
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo runs this in the package's folder.
    let file = std::env::var_os("HITODE_API").unwrap_or_else(|| "../../api.yaml".into());
    let options = codegen::Options {
        file: "api.yaml",
        support: "codegen_support",
    };
    codegen::cargo::generate(file.as_ref(), "api.yaml", "contract.rs", |model| {
        codegen::emit::rust(model, options)
    });
    codegen::cargo::documents_of(file.as_ref(), "api.yaml");
}
