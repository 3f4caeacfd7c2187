//! The verifier as a test program, for a service in its process.

use crate::contract::Contract;
use crate::exchange::{Request, Response};
use crate::histories::{HistoryClock, HistoryOptions, ProbeOptions, ProbeOutcome, ProbeVerdict, Probes};
use crate::level::Level;
use crate::matrix::Matrix;
use codegen::Model;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::cell::Cell;
use std::process::ExitCode;
use std::time::Duration;

/// The number of threads, as for other test programs.
const THREADS: &str = "RUST_TEST_THREADS";

/// Of so many probes one is tried, unless the environment variable `HITODE_PROBES` says another number.
pub fn one_in(standard: usize) -> usize {
    let asked = std::env::var("HITODE_PROBES")
        .ok()
        .and_then(|number| number.parse().ok());
    asked.unwrap_or(standard).max(1)
}

/// What the names of probes of limits contain.
const LIMITS: &str = "::limits: ";

/// A server in this process, whose clock stands still.
pub trait Server: Sync {
    /// Sends a request and waits for the answer.
    fn call(&self, request: &Request) -> Response;

    /// Sends a request without the last byte of its body; once the server waits for that, runs `meanwhile`, and then sends it.
    /// [`HeldBody`](crate::HeldBody) is such a body.
    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response;

    /// The time of its clock, in milliseconds since 1970.
    fn now(&self) -> u64;

    /// Advances its clock.
    fn advance(&self, by: Duration);
}

impl dyn Server {
    /// Tries probes.
    pub fn probe(
        &self,
        model: &'static Model,
        roots: Vec<(String, String)>,
        options: &ProbeOptions,
    ) -> Vec<ProbeOutcome> {
        let send = |request: &Request| Ok(self.call(request));
        let held = |request: &Request, meanwhile: &mut dyn FnMut()| Ok(self.call_held(request, meanwhile));
        let clock = HistoryClock::Manual {
            now: &|| self.now(),
            advance: &|by| self.advance(by),
        };
        let options = ProbeOptions {
            histories: options.histories.clone(),
            held: Some(&held),
            ..*options
        };
        Probes::run(clock, model, &send, roots, &options)
    }
}

/// The probes of a contract as a test program.
pub struct Program {
    /// The contract.
    pub contract: Contract,
    /// The secrets of the credentials that no operation makes, by their names.
    pub roots: Vec<(String, String)>,
    /// An empty server, with or without limits.
    pub open: fn(is_limited: bool) -> Box<dyn Server>,
    /// Of the probes without limits one in so many is tried, unless the environment variable `HITODE_PROBES` says another number.
    pub one_in: usize,
}

impl Program {
    /// Runs the tests that the arguments of the process select: for each surface, `generated::SURFACE::probes` and
    /// `generated::SURFACE::limits`; and one that fails if no probe covers a response.
    pub fn main(self) -> ExitCode {
        let mut arguments = Arguments::from_args();
        let threads = || std::env::var(THREADS).ok()?.parse().ok();
        arguments.test_threads = arguments.test_threads.or_else(threads);
        let program: &'static Self = Box::leak(Box::new(self));
        let parts = program.contract.model.surfaces.iter().flat_map(|surface| {
            [("probes", false), ("limits", true)].map(|(part, is_limited)| {
                let name = format!("generated::{}::{part}", surface.name);
                Trial::ignorable_test(name, move || program.surface(&surface.name, is_limited))
            })
        });
        let gaps = Trial::test("generated::every_response_is_covered", || {
            match Matrix::new(program.contract).gaps().as_slice() {
                [] => Ok(()),
                gaps => Err(gaps.join("\n").into()),
            }
        });
        libtest_mimic::run(&arguments, parts.chain([gaps]).collect()).exit_code()
    }

    /// Tries the probes of a surface.
    fn surface(&self, surface: &str, is_limited: bool) -> Result<Completion, Failed> {
        const FEW: usize = 20;
        let (own, nth) = (format!("{surface}::"), Cell::new(0));
        let one_in = if is_limited { 1 } else { one_in(self.one_in) };
        let is_tried = |name: &str| {
            let is_own = name.starts_with(&own) && name.contains(LIMITS) == is_limited;
            nth.set(nth.get() + usize::from(is_own));
            is_own && nth.get() % one_in == 0
        };
        let options = ProbeOptions {
            histories: HistoryOptions {
                filter: Some(own.clone()),
                level: Level::Texts,
                is_limited,
                shortens: false,
                ..HistoryOptions::default()
            },
            is_tried: &is_tried,
            held: None,
            receiver: None,
            longest: None,
            ended: &|_| {},
        };
        let outcomes = (self.open)(is_limited).probe(self.contract.model, self.roots.clone(), &options);
        let (mut passed, mut failed, mut reasons) = (0, Vec::new(), Vec::new());
        for outcome in &outcomes {
            match &outcome.verdict {
                ProbeVerdict::Passed => passed += 1,
                ProbeVerdict::NotTried(why) => reasons.push(format!("{}: {why}", outcome.name)),
                ProbeVerdict::Failed(found) => failed.push(format!(
                    "{}: {}\n{}  came: {}\n  wanted: {}\n  {}",
                    outcome.name, found.cause, found.script, found.got, found.wanted, found.declared
                )),
            }
        }
        match (failed.is_empty(), passed) {
            (false, _) => Err(failed.join("\n").into()),
            (true, _) if outcomes.len() >= FEW && passed * 2 < outcomes.len() => {
                Err(format!("{passed} of {} were tried; {}", outcomes.len(), reasons.join("\n")).into())
            }
            (true, 0) => Ok(Completion::ignored_with(
                reasons.pop().unwrap_or_else(|| "there is none".to_owned()),
            )),
            (true, _) => {
                println!("{surface}: {passed} passed, not tried:\n{}", reasons.join("\n"));
                Ok(Completion::Completed)
            }
        }
    }
}
