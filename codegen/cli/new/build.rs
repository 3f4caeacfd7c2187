//! Generates the server, its store and its documents from `api.yaml`.

fn main() {
    codegen::cargo::stored_contract("api.yaml");
    codegen::cargo::documents("api.yaml");
}
