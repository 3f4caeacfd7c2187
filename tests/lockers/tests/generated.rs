//! The probes of the lockers' contract as a program: they are made from the contract when it starts.

use conformance::{Contract, Program, Server};
use lockers::{LimitSettings, Lockers};
use std::process::ExitCode;
use std::sync::Arc;
use test_support::in_process::Clocked;
use world::{BADGE, roots, service, unlimited};

#[allow(dead_code, unused_imports, reason = "handwritten tests use the rest")]
mod world;

fn main() -> ExitCode {
    let program = Program {
        contract: Contract::from_source(include_str!("../api.yaml"), "tests/lockers/api.yaml"),
        roots: roots(),
        open,
        one_in: 4,
    };
    program.main()
}

fn open(is_limited: bool) -> Box<dyn Server> {
    Box::new(Clocked::new(|clock| {
        let settings = match is_limited {
            true => LimitSettings::default(),
            false => unlimited(),
        };
        let settings = LimitSettings {
            clock: clock.clone(),
            ..settings
        };
        let app = Lockers::in_memory(BADGE, clock.clone());
        (service(Arc::new(app), &settings), ())
    }))
}
