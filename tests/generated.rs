//! The conformance suite of `api.yaml` as a program: its tests are made from the contract when it starts.

use std::process::ExitCode;

#[allow(dead_code, unused_imports, reason = "handwritten tests use the rest")]
mod world;

fn main() -> ExitCode {
    world::suite().main(world::world)
}
