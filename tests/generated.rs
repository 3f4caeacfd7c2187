//! The conformance suite of `api.yaml` as a program: its tests are made from the contract when it starts. They test the service
//! in this process, or the server that the environment names.

use conformance::{DeclaredWorld, Network};
use contract::Clock;
use std::process::ExitCode;
use std::sync::OnceLock;
use world::Market;

#[allow(dead_code, unused_imports, reason = "handwritten tests use the rest")]
mod world;

/// The server's address: `http://HOST:PORT`. Not the `HITODE_URL` of the operator's commands: a user who has set that does not
/// expect tests to create accounts there.
const URL: &str = "HITODE_TEST_URL";
/// The operator's token; the operator's commands use the same variable.
const OPERATOR_TOKEN: &str = "HITODE_OPERATOR_TOKEN";
/// `off` if the server limits no requests.
const LIMITS: &str = "HITODE_TEST_LIMITS";

/// One probe in so many is tried.
const PROBES: usize = 40;

fn main() -> ExitCode {
    world::suite().main(world, PROBES)
}

fn world() -> &'static DeclaredWorld {
    static WORLD: OnceLock<DeclaredWorld> = OnceLock::new();
    WORLD.get_or_init(|| of_environment().unwrap_or_else(|| world::world_of(Market::open(Clock::system()))))
}

/// The world of the server that the environment names, if it names one.
fn of_environment() -> Option<DeclaredWorld> {
    let url = std::env::var(URL).ok().filter(|url| !url.is_empty())?;
    let operator = std::env::var(OPERATOR_TOKEN).ok().filter(|token| !token.is_empty());
    let operator = operator.unwrap_or_else(|| panic!("{OPERATOR_TOKEN} is to hold the operator's token of {url}"));
    let server = match std::env::var(LIMITS).as_deref() {
        Ok("off") => Network::without_limits,
        _ => Network::new,
    };
    Some(world::world_at(server(&url, world::suite().contract), operator))
}
