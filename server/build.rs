//! Generates the handlers that follow from `api.yaml`, and the records that are not written by hand; `HITODE_API` names another file.

use codegen::emit::Host;

fn main() {
    println!("cargo::rerun-if-env-changed=HITODE_API");
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo runs this in the package's folder.
    let file = std::env::var_os("HITODE_API").unwrap_or_else(|| "../api.yaml".into());
    let options = codegen::Options {
        file: "api.yaml",
        support: "contract::support",
    };
    let host = Host {
        contract: "contract",
        service: "crate::store::Market",
        actor: "crate::store::Actor",
        app: "crate::app::Hitode",
        next_tree: "crate::store::tables::NEXT",
    };
    codegen::cargo::handlers_of(file.as_ref(), "handlers.rs", options, host);
}
