//! The probes of `api.yaml` as a program: they are made from the contract when it starts, and tried with the service in this process.

use conformance::{Program, Server};
use contract::operator_token;
use std::process::ExitCode;
use std::sync::LazyLock;
use test_support::in_process::Clocked;
use world::{Market, Service};

#[allow(dead_code, unused_imports, reason = "handwritten tests use the rest")]
mod world;

/// One probe in so many is tried.
const PROBES: usize = 40;

/// The operator's token.
static OPERATOR: LazyLock<String> = LazyLock::new(operator_token::mint);

fn main() -> ExitCode {
    let program = Program {
        contract: world::contract(),
        roots: world::roots(OPERATOR.clone()),
        open,
        one_in: PROBES,
    };
    program.main()
}

fn open(is_limited: bool) -> Box<dyn Server> {
    Box::new(Clocked::new(|clock| {
        let market = Market::new(OPERATOR.clone(), clock.clone());
        let service = match is_limited {
            true => Service::limited(market.app(), clock.clone()),
            false => market.service().clone(),
        };
        (service.calls, market)
    }))
}
