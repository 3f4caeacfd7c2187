//! Generates the handlers that follow from `api.yaml`, the records that are not written by hand, and the pages for people;
//! `HITODE_API` names another file.

use codegen::emit::Host;
use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=HITODE_API");
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo runs this in the package's folder.
    let file = env::var_os("HITODE_API").unwrap_or_else(|| "../api.yaml".into());
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
    let file = Path::new(&file);
    codegen::cargo::handlers_of(file, "handlers.rs", options, host);
    let sites: [(&str, &[&str]); 2] = [("pages/start", &[]), ("pages/jobs", &["worker", "join"])];
    codegen::cargo::sites(file, options, &sites);
}
