//! The conformance suite of the lockers as a program: its tests and probes are made from their contract when it starts.

use conformance::{DeclaredWorld, Level};
use std::process::ExitCode;
use std::sync::OnceLock;
use world::{Depot, roots, suite};

#[allow(dead_code, unused_imports, reason = "handwritten tests use the rest")]
mod world;

fn main() -> ExitCode {
    suite().main(world, 1)
}

/// The world of the generated tests.
fn world() -> &'static DeclaredWorld {
    static WORLD: OnceLock<DeclaredWorld> = OnceLock::new();
    WORLD.get_or_init(|| DeclaredWorld::new(suite().contract, Box::new(Depot::new()), roots()).at(Level::Texts))
}
