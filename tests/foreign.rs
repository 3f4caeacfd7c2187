//! `codegen conform`'s parts against a server in another language: `foreign/server.py`, written in Python by somebody who has
//! seen only the published documents. It has defects of its own, behind flags.

use crate::histories::MODEL;
use crate::world::roots;
use conformance::{
    Histories, HistoriesReport, HistoryClock, HistoryOptions, HttpSender, Level, ProbeOptions, ProbeOutcome,
    ProbeVerdict, Probes, Receiver, Request,
};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;
use test_support::judged::{expect_probes, probes};
use test_support::planted::{LATER_SEEDS, SEEDS, first_failing, first_failing_of, for_each, until_noticed};

/// Every how many defects one is tried; 1: all.
const EVERY: &str = "HITODE_FOREIGN_EVERY";

/// Parts of the names of the defects to try, separated by commas.
const FILTER: &str = "HITODE_BROKEN";

/// Some that are noticed within seconds, for the gate.
const FEW: [&str; 6] = [
    "media-type-charset",
    "delete-204",
    "poster-name-frozen",
    "photos-append",
    "mean-without-given",
    "delivery-21",
];

const TOKEN: &str = "token";

/// The kinds of the defects that show only behind limits, and only where webhooks reach the verifier.
const LIMITS: &str = "limits";
const DELIVERIES: &str = "deliveries";

/// The server, until it is dropped.
struct Foreign {
    process: Child,
    url: String,
}

impl Foreign {
    fn start(reach: &str, limits: &str, defects: &[&str]) -> Self {
        let mut command = python();
        command.args(["--port", "0", "--limits", limits, "--operator-token", TOKEN]);
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
    fn failing_probe(&self, seed: u64) -> Option<String> {
        let (name, found) = first_failing(Level::Values, seed, &|options| self.probes(options))?;
        Some(format!("{name}: {}", found.cause))
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

/// The lines of the list of its defects: each with its name and its kind.
fn listed() -> Vec<Vec<String>> {
    let output = python().arg("--list-defects").output().expect("python3 is installed");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect());
    lines.collect()
}

/// Its defects, without those that show only behind limits, or after a minute.
fn defects() -> Vec<Defect> {
    // Only the level of texts compares how HEAD is answered.
    let is_slow = |name: &str| ["retry-after-missing", "last-used-first", "head-works"].contains(&name);
    let shows = |fields: &Vec<String>| ![LIMITS, DELIVERIES].contains(&fields[1].as_str()) && !is_slow(&fields[0]);
    let defect = |fields: Vec<String>| Defect {
        is_of_form: fields[1] == "simple",
        name: fields[0].clone(),
    };
    let defects: Vec<Defect> = listed().into_iter().filter(shows).map(defect).collect();
    assert!(defects.len() > 300, "{defects:?}");
    defects
}

/// A defect of the server.
#[derive(Debug)]
struct Defect {
    name: String,
    /// Whether it is one of form or of a bound.
    is_of_form: bool,
}

impl Defect {
    /// Whether random calls or a probe notice it.
    fn is_noticed(&self) -> bool {
        let began = Instant::now();
        let mut tools: Vec<Tool> = SEEDS.map(Tool::Random).into();
        // What is likely comes first.
        tools.insert(if self.is_of_form { 0 } else { 1 }, Tool::Probes(SEEDS[0]));
        tools.extend(LATER_SEEDS.map(Tool::Random));
        let by = tools.into_iter().find_map(|tool| tool.notices(&self.name));
        let seconds = began.elapsed().as_secs_f32();
        println!("{}: {} ({seconds:.1} s)", self.name, by.as_deref().unwrap_or("MISSED"));
        by.is_some()
    }
}

/// What can notice a defect: probes and random calls, with a seed.
#[derive(Clone, Copy)]
enum Tool {
    Probes(u64),
    Random(u64),
}

impl Tool {
    /// What it notices of a defect.
    fn notices(self, defect: &str) -> Option<String> {
        // What probes and random calls notice depends on what the server holds.
        let server = Foreign::start("none", "off", &[defect]);
        match self {
            Self::Probes(seed) => Some(format!("the probe {}", server.failing_probe(seed)?)),
            Self::Random(seed) => {
                let found = server.histories(seed).differences.into_iter().next()?;
                Some(format!("random calls, seed {seed}: {}", found.cause))
            }
        }
    }
}

/// Those of these defects that nothing notices.
fn missed(defects: &[Defect]) -> Vec<&str> {
    let missed = Mutex::new(Vec::new());
    for_each(defects, |defect| {
        if !defect.is_noticed() {
            missed.lock().expect("no thread panicked").push(defect.name.as_str());
        }
    });
    let missed = missed.into_inner().expect("no thread panicked");
    println!("{} of {} defects noticed", defects.len() - missed.len(), defects.len());
    missed
}

#[test]
fn a_correct_server_in_another_language_passes() {
    let server = Foreign::start("none", "off", &[]);
    let report = server.histories(1);
    assert!(
        report.differences.is_empty() && report.never_met.is_empty(),
        "{report:#?}"
    );
}

#[test]
fn a_correct_server_in_another_language_passes_all_probes() {
    expect_probes(&Foreign::start("none", "off", &[]).probes(&probes(Level::Values)));
}

#[test]
fn a_few_defects_in_another_language_are_noticed() {
    let few: Vec<Defect> = defects()
        .into_iter()
        .filter(|defect| FEW.contains(&defect.name.as_str()))
        .collect();
    assert_eq!(few.len(), FEW.len());
    assert_eq!(missed(&few), [""; 0]);
}

/// Those that the environment selects: by name, or one in so many.
fn selected(one_in: usize) -> Vec<Defect> {
    let defects = defects();
    let every = std::env::var(EVERY).ok().and_then(|every| every.parse().ok());
    match std::env::var(FILTER) {
        Ok(parts) => {
            let is_selected = |defect: &Defect| parts.split(',').any(|part| defect.name.contains(part));
            defects.into_iter().filter(is_selected).collect()
        }
        Err(_) => defects.into_iter().step_by(every.unwrap_or(one_in)).collect(),
    }
}

#[test]
fn defects_in_another_language_are_noticed() {
    assert_eq!(missed(&selected(20)), [""; 0]);
}

/// Operations whose limits are tried: the first read and write of each API, and other methods.
const LIMITED: [&str; 8] = [
    "agent::list_humans::",
    "agent::create_bounty::",
    "agent::delete_key::",
    "worker::get_me::",
    "worker::update_me::",
    "worker::set_vote::",
    "join::",
    "operator::create_account::",
];

/// Requests in flight are for handwritten tests.
const OUT_OF_REACH: [&str; 3] = ["in-flight-unlimited", "in-flight-16", "in-flight-leak"];

/// The first probe of a limit that shows a difference, in real time.
fn by_limit(defects: &[&str]) -> Option<String> {
    let server = Foreign::start("none", "on", defects);
    let http = HttpSender::new(&server.url, &MODEL).expect("the machine has threads");
    let send = |request: &Request| http.send(request);
    let is_tried = |name: &str| name.contains("::limits: ") && LIMITED.iter().any(|start| name.starts_with(start));
    let run = |options: &ProbeOptions| {
        let options = ProbeOptions {
            histories: HistoryOptions {
                is_limited: true,
                has_addresses: true,
                ..options.histories.clone()
            },
            ..*options
        };
        Probes::run(HistoryClock::Real, &MODEL, &send, roots(TOKEN.to_owned()), &options)
    };
    let (name, found) = first_failing_of(Level::Values, SEEDS[0], &is_tried, &run)?;
    Some(format!("{name}: {}", found.cause))
}

#[test]
fn defects_of_limits_in_another_language_are_noticed() {
    expect_all_of(LIMITS, 8, &by_limit);
}

/// The first difference of what webhooks get.
fn by_delivery(defects: &[&str]) -> Option<String> {
    let server = Foreign::start("any", "off", defects);
    let receiver = Receiver::listen(SocketAddr::from(([127, 0, 0, 1], 0))).expect("there is a free port");
    let run = |options: &ProbeOptions| {
        let outcomes = server.probes(&ProbeOptions {
            histories: options.histories.clone(),
            receiver: Some(&receiver),
            ..*options
        });
        let lacks = |one: &ProbeOutcome| matches!(one.verdict, ProbeVerdict::NotTried(_));
        assert!(outcomes.len() == 1 && !outcomes.iter().any(lacks), "{outcomes:?}");
        outcomes
    };
    let is_tried = |name: &str| name == "agent::create_webhook::deliveries to webhooks";
    let (name, found) = first_failing_of(Level::Values, SEEDS[0], &is_tried, &run)?;
    Some(format!("{name}: {}", found.cause))
}

#[test]
fn defects_of_deliveries_in_another_language_are_noticed() {
    expect_all_of(DELIVERIES, 4, &by_delivery);
}

/// Expects that each defect of a kind is noticed, so many tried at once, and nothing without a defect.
fn expect_all_of(kind: &str, at_once: usize, notice: &(dyn Fn(&[&str]) -> Option<String> + Sync)) {
    let filter = std::env::var(FILTER).unwrap_or_default();
    let is_tried = |name: &str| !OUT_OF_REACH.contains(&name) && filter.split(',').any(|part| name.contains(part));
    let of_kind = listed().into_iter().filter(|fields| fields[1] == kind);
    let names = of_kind.map(|fields| fields[0].clone());
    let names: Vec<String> = names.filter(|name| is_tried(name)).collect();
    let missed = Mutex::new(Vec::new());
    let tried = |name: &String| {
        let by = notice(&[name]);
        println!("{name}: {}", by.as_deref().unwrap_or("MISSED"));
        if by.is_none() {
            missed.lock().expect("no thread panicked").push(name.clone());
        }
    };
    // Mostly they wait.
    for some in names.chunks(at_once) {
        std::thread::scope(|scope| {
            some.iter().for_each(|name| _ = scope.spawn(|| tried(name)));
        });
    }
    assert_eq!(missed.into_inner().expect("no thread panicked"), [""; 0]);
    assert_eq!(notice(&[]), None);
}
