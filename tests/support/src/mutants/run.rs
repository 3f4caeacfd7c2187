//! Tries mutants of a contract: probes and random calls by the right model, against the interpreter of the edited one.

use super::{Mutant, Way, mutants};
use crate::in_process::InProcess;
use crate::planted::{SEEDS, first_failing_of, for_each, until_noticed};
use codegen::Model;
use codegen_support::Clock;
use conformance::{Histories, HistoryClock, HistoryOptions, Level, ProbeOptions, Probes, Request, Response, Sender};
use mock::{Mock, Options};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Environment variable: a part of the names of the mutants to try.
const ONE: &str = "MUTANT";

/// The percentage of all mutants that nothing may notice, beside the known ones: those that change nothing are among them.
const MOST_UNKNOWN: usize = 3;

/// The random calls of a history with a mutant.
const CALLS: usize = 4000;

/// A mutant that nothing notices, or several.
#[derive(Clone, Copy, Debug)]
pub struct Survivor {
    /// Parts of its name, in this order.
    pub words: &'static [&'static str],
    /// Why nothing notices it.
    pub because: &'static str,
}

impl Survivor {
    fn is_about(&self, name: &str) -> bool {
        let mut rest = name;
        self.words.iter().all(|word| match rest.split_once(word) {
            Some((_, behind)) => {
                rest = behind;
                true
            }
            None => false,
        })
    }
}

/// The mutants of a contract.
pub struct MutantRun {
    /// The contract.
    pub model: &'static Model,
    /// The secrets of the credentials that no operation makes, by their names.
    pub roots: Vec<(String, String)>,
    /// Mutants that nothing notices.
    pub known: &'static [Survivor],
}

impl MutantRun {
    /// Tries one mutant in so many, or those with the text of the environment variable `MUTANT` in their names.
    ///
    /// # Panics
    /// If nothing notices one of a sample that is not known, or more than 3 % of all.
    pub fn expect_noticed(&self, one_in: usize) {
        let all = mutants(self.model);
        let named = std::env::var(ONE).ok();
        println!("{} mutants", all.len());
        let tried: Vec<&Mutant> = match &named {
            Some(part) => all.iter().filter(|mutant| mutant.name().contains(part)).collect(),
            // By name, so that an edit of the contract does not change the sample.
            None => all
                .iter()
                .filter(|mutant| number(&mutant.name()).is_multiple_of(one_in))
                .collect(),
        };
        assert!(!tried.is_empty(), "there is no such mutant");
        let counts = Mutex::new(BTreeMap::<&str, Count>::new());
        let (survivors, idle) = (Mutex::new(BTreeSet::new()), AtomicUsize::new(0));
        for_each(&tried, |mutant| {
            let began = Instant::now();
            let by = self.noticed(mutant);
            let seconds = began.elapsed().as_secs_f32();
            let name = mutant.name();
            let noticed = match &by {
                Some(by) => by,
                None if mutant.is_idle() => "changes nothing",
                None => "SURVIVES",
            };
            println!("{name}: {noticed} ({seconds:.1} s)");
            let mut counts = counts.lock().expect("no thread panicked");
            let count = counts.entry(mutant.kind).or_default();
            count.all += 1;
            count.seconds += seconds;
            match by {
                Some(_) => count.noticed += 1,
                None if mutant.is_idle() => _ = idle.fetch_add(1, Ordering::Relaxed),
                None => _ = survivors.lock().expect("no thread panicked").insert(name),
            }
        });
        for (kind, count) in counts.into_inner().expect("no thread panicked") {
            println!("{kind}: {} of {}, {:.0} s", count.noticed, count.all, count.seconds);
        }
        let survivors = survivors.into_inner().expect("no thread panicked");
        let idle = idle.into_inner();
        println!("{} of {} survive, {idle} change nothing", survivors.len(), tried.len());
        let is_known = |name: &&String| self.known.iter().any(|known| known.is_about(name));
        let unknown: Vec<&String> = survivors.iter().filter(|name| !is_known(name)).collect();
        // That no call shows a change may be the fault of the verifier.
        let most = match one_in {
            1 => (tried.len() * MOST_UNKNOWN / 100).saturating_sub(idle),
            _ => 0,
        };
        assert!(unknown.len() <= most, "nothing notices:\n  {}", words(&unknown));
        if named.is_none() && one_in == 1 {
            let is_idle = |known: &&Survivor| !survivors.iter().any(|name| known.is_about(name));
            let idle: Vec<&Survivor> = self.known.iter().filter(is_idle).collect();
            assert!(idle.is_empty(), "these are noticed: {idle:?}");
        }
    }

    /// What notices a mutant.
    fn noticed(&self, mutant: &Mutant) -> Option<String> {
        let start = match mutant.operation.as_str() {
            "" => String::new(),
            operation => format!("{operation}::"),
        };
        let own = |name: &str| name.starts_with(&start);
        let by_own_probe = || self.by_probe(mutant, &|name| own(name));
        let random = |seed: u64| self.by_random_calls(mutant, seed);
        let of_one = !mutant.operation.is_empty();
        of_one
            .then(by_own_probe)
            .flatten()
            .or_else(|| random(SEEDS[0]))
            .or_else(|| (!of_one).then(by_own_probe).flatten())
            .or_else(|| random(SEEDS[1]))
            .or_else(|| random(SEEDS[2]))
    }

    fn by_probe(&self, mutant: &Mutant, is_tried: &dyn Fn(&str) -> bool) -> Option<String> {
        let run = |options: &ProbeOptions| {
            self.in_time(mutant, |time, send| {
                let options = ProbeOptions {
                    histories: without_tools(options.histories.clone()),
                    ..*options
                };
                Probes::run(time, self.model, send, self.roots.clone(), &options)
            })
        };
        let (name, found) = first_failing_of(Level::Texts, SEEDS[0], is_tried, &run)?;
        Some(format!("probe {name}: {}", found.cause))
    }

    fn by_random_calls(&self, mutant: &Mutant, seed: u64) -> Option<String> {
        let options = HistoryOptions {
            calls: CALLS,
            ..without_tools(until_noticed(seed, Level::Texts))
        };
        let report = self.in_time(mutant, |time, send| {
            Histories::run_in_time(time, self.model, send, self.roots.clone(), &options)
        });
        let found = report.differences.into_iter().next()?;
        Some(format!(
            "random calls, seed {seed}: {}: {}",
            found.operation, found.cause
        ))
    }

    /// Calls an empty service with the defect.
    fn in_time<T>(&self, mutant: &Mutant, run: impl FnOnce(HistoryClock<'_>, &Sender<'_>) -> T) -> T {
        let edited = match &mutant.way {
            Way::Model(edit) => {
                let mut model = self.model.clone();
                edit(&mut model);
                // A mutant is as large as the contract, and a process tries some hundreds.
                Box::leak(Box::new(model))
            }
            Way::Layer(..) => self.model,
        };
        let options = Options {
            rate_limits: false,
            credentials: self.roots.clone(),
            ..Options::default()
        };
        let clock = Clock::manual(1_750_000_027);
        let service = InProcess::mocked(Mock::new(edited, options), clock.clone());
        let memory = Mutex::default();
        let send = |request: &Request| -> Result<Response, String> {
            let right = |request: &Request| service.call(request);
            Ok(match &mutant.way {
                Way::Model(_) => right(request),
                Way::Layer(wrong, _) => wrong(request, &right, &memory),
            })
        };
        let time = HistoryClock::Manual {
            now: &|| clock.date_millis(),
            advance: &|by| clock.advance(by),
        };
        run(time, &send)
    }
}

/// Without tools: their list says what the model says, so it would show each mutant.
fn without_tools(options: HistoryOptions) -> HistoryOptions {
    HistoryOptions {
        has_tools: false,
        ..options
    }
}

/// A number that follows from a name (FNV-1a).
fn number(name: &str) -> usize {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    usize::try_from(hash % (1 << 31)).unwrap_or_default()
}

/// The results of a kind.
#[derive(Default)]
struct Count {
    all: usize,
    noticed: usize,
    seconds: f32,
}

fn words(names: &[&String]) -> String {
    names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join("\n  ")
}
