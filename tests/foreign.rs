//! `codegen conform`'s parts against a server in another language: `foreign/server.py`, written in Python by somebody who has
//! seen only the published documents. It has defects of its own, behind flags.

use crate::histories::MODEL;
use crate::world::{failing_of, roots, suite};
use conformance::{
    DeclaredWorld, Histories, HistoriesReport, HistoryClock, HttpSender, Level, Network, ProbeOptions, ProbeOutcome,
    ProbeVerdict, Probes, Request, RunOptions,
};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;
use test_support::judged::{expect_probes, expect_shadowed, probes};
use test_support::planted::{LATER_SEEDS, SEEDS, until_noticed};

/// Every how many defects one is tried; 1: all.
const EVERY: &str = "HITODE_FOREIGN_EVERY";

/// Parts of the names of the defects to try, separated by commas.
const FILTER: &str = "HITODE_BROKEN";

const TOKEN: &str = "token";

/// Defects that neither a fixed test, nor a probe, nor the random calls of these seeds notice.
const KNOWN_MISSES: [&str; 7] = [
    "credential-text",
    "me-forbidden-name",
    "photo-size-characters",
    "photo-nulls-dropped",
    "wait-ended-key",
    "applications-cut-20",
    // Random calls give a worker too few reviews; the scenarios notice it.
    "mean-rounded-down",
];

/// The server, until it is dropped.
struct Foreign {
    process: Child,
    url: String,
}

impl Foreign {
    fn start(reach: &str, defects: &[&str]) -> Self {
        let mut command = python();
        command.args(["--port", "0", "--limits", "off", "--operator-token", TOKEN]);
        command.args(["--webhook-reach", reach]);
        command.args(defects.iter().flat_map(|defect| ["--defect", defect]));
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 is installed");
        let mut line = String::new();
        let out = process.stdout.take().expect("it is piped");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("it says where it listens");
        let url = line.trim().rsplit(' ').next().expect("an address").to_owned();
        Self { process, url }
    }

    fn histories(&self, seed: u64) -> HistoriesReport {
        let http = HttpSender::new(&self.url, &MODEL).expect("the machine has threads");
        let options = until_noticed(seed, Level::Values);
        let send = |request: &Request| http.send(request);
        Histories::run(&MODEL, &send, roots(TOKEN.to_owned()), &options)
    }

    fn probes(&self, options: &ProbeOptions) -> Vec<ProbeOutcome> {
        let http = HttpSender::new(&self.url, &MODEL).expect("the machine has threads");
        let send = |request: &Request| http.send(request);
        Probes::run(HistoryClock::Real, &MODEL, &send, roots(TOKEN.to_owned()), options)
    }

    /// The first probe that shows a difference.
    fn failing_probe(&self) -> Option<String> {
        let options = ProbeOptions {
            histories: until_noticed(SEEDS[0], Level::Values),
            ..probes(Level::Values)
        };
        let mut failed = self
            .probes(&options)
            .into_iter()
            .filter_map(|outcome| match outcome.verdict {
                ProbeVerdict::Failed(difference) => Some(format!("{}: {}", outcome.name, difference.cause)),
                _ => None,
            });
        failed.next()
    }

    /// The fixed tests that fail, until there are so many.
    fn failing(&self, most_failures: usize) -> Vec<String> {
        let contract = suite().contract;
        let network = Network::without_limits(&self.url, contract);
        let world = DeclaredWorld::new(contract, Box::new(network), roots(TOKEN.to_owned()));
        let options = RunOptions {
            most_failures,
            ..RunOptions::default()
        };
        failing_of(world.at(Level::Values), &options)
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn python() -> Command {
    let mut command = Command::new("python3");
    command.args(["-B", concat!(env!("CARGO_MANIFEST_DIR"), "/foreign/server.py")]);
    command
}

/// Its defects, without those that show only behind limits, or after a minute.
fn defects() -> Vec<Defect> {
    let output = python().arg("--list-defects").output().expect("python3 is installed");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let fields = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let is_slow = |name: &str| ["retry-after-missing", "last-used-first"].contains(&name);
    let shows = |fields: &Vec<&str>| fields.get(1) != Some(&"limits") && !is_slow(fields[0]);
    let defect = |fields: Vec<&str>| Defect {
        name: fields[0].to_owned(),
        is_of_form: fields.get(1) == Some(&"simple"),
    };
    fields.filter(shows).map(defect).collect()
}

/// A defect of the server.
#[derive(Debug)]
struct Defect {
    name: String,
    /// Whether it is one of form or of a bound.
    is_of_form: bool,
}

impl Defect {
    fn is_known_miss(&self) -> bool {
        KNOWN_MISSES.contains(&self.name.as_str())
    }

    fn is_noticed(&self) -> bool {
        is_noticed(&[&self.name], self.is_of_form)
    }
}

/// Whether random calls or a fixed test notice these defects of one server.
fn is_noticed(defects: &[&str], are_of_form: bool) -> bool {
    let began = Instant::now();
    // What random calls notice depends on what the server holds.
    let start = || Foreign::start("none", defects);
    let by_seed = |seed: u64| {
        let found = start().histories(seed).differences.into_iter().next()?;
        Some(format!("random calls, seed {seed}: {}", found.cause))
    };
    let by_random = |seeds: [u64; 3]| seeds.into_iter().find_map(by_seed);
    let by_fixed = || {
        let failed = start().failing(1).into_iter().next()?;
        Some(format!("the fixed test {}", failed.lines().next().unwrap_or_default()))
    };
    let by_probe = || Some(format!("the probe {}", start().failing_probe()?));
    // What is likely comes first.
    let by = match are_of_form {
        true => by_fixed().or_else(|| by_random(SEEDS)),
        false => by_random(SEEDS).or_else(by_fixed),
    };
    let by = by.or_else(by_probe).or_else(|| by_random(LATER_SEEDS));
    let (seconds, names) = (began.elapsed().as_secs_f32(), defects.join(", "));
    println!("{names}: {} ({seconds:.1} s)", by.as_deref().unwrap_or("MISSED"));
    by.is_some()
}

/// Those of these defects that are noticed, and those that are not; several are tried at once.
fn tried(defects: &[Defect]) -> (Vec<&str>, Vec<&str>) {
    let (left, tried) = (Mutex::new(defects.iter()), Mutex::new(Vec::new()));
    let next = || left.lock().expect("no thread panicked").next();
    let work = || {
        while let Some(defect) = next() {
            let is_noticed = defect.is_noticed();
            let mut tried = tried.lock().expect("no thread panicked");
            tried.push((defect.name.as_str(), is_noticed));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let tried = tried.into_inner().expect("no thread panicked");
    let (noticed, missed): (Vec<_>, Vec<_>) = tried.into_iter().partition(|(_, is_noticed)| *is_noticed);
    println!("{} of {} defects noticed", noticed.len(), defects.len());
    let names = |tried: Vec<(_, bool)>| tried.into_iter().map(|(defect, _)| defect).collect();
    (names(noticed), names(missed))
}

#[test]
fn a_correct_server_in_another_language_passes() {
    let server = Foreign::start("none", &[]);
    let network = Network::without_limits(&server.url, suite().contract);
    let roots = roots(TOKEN.to_owned());
    expect_shadowed(suite(), Box::new(network), roots, (Level::Values, 1));
    let report = server.histories(1);
    assert!(
        report.differences.is_empty() && report.never_met.is_empty(),
        "{report:#?}"
    );
}

#[test]
fn a_correct_server_in_another_language_passes_all_probes() {
    expect_probes(&Foreign::start("none", &[]).probes(&probes(Level::Values)));
}

/// The defects that are not known to be missed.
fn noticeable() -> Vec<Defect> {
    let defects: Vec<Defect> = defects().into_iter().filter(|defect| !defect.is_known_miss()).collect();
    assert!(defects.len() > 200, "{defects:?}");
    defects
}

/// One in sixty, for the gate.
#[test]
fn a_few_defects_in_another_language_are_noticed() {
    let few: Vec<Defect> = noticeable().into_iter().skip(30).step_by(60).collect();
    let (_, missed) = tried(&few);
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn defects_in_another_language_are_noticed() {
    let every = std::env::var(EVERY).ok().and_then(|every| every.parse().ok());
    let defects = noticeable();
    let sample: Vec<Defect> = match std::env::var(FILTER) {
        Ok(parts) => {
            let is_selected = |defect: &Defect| parts.split(',').any(|part| defect.name.contains(part));
            defects.into_iter().filter(is_selected).collect()
        }
        Err(_) => defects.into_iter().step_by(every.unwrap_or(20)).collect(),
    };
    let (_, missed) = tried(&sample);
    assert!(missed.is_empty(), "{missed:?}");
}

/// A server that has all of them at once passes; if it does not, the one that is noticed is looked for.
#[test]
fn known_misses_in_another_language_are_missed_still() {
    let known: Vec<Defect> = defects().into_iter().filter(Defect::is_known_miss).collect();
    assert_eq!(known.len(), KNOWN_MISSES.len(), "{known:?}");
    if is_noticed(&KNOWN_MISSES, false) {
        let (noticed, _) = tried(&known);
        panic!("noticed now, so remove them from KNOWN_MISSES: {noticed:?}");
    }
}
