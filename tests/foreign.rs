//! `codegen conform`'s parts against a server in another language: `foreign/server.py`, written in Python by somebody who has
//! seen only the published documents. It has defects of its own, behind flags.

use crate::histories::MODEL;
use crate::world::{failing, roots, suite};
use conformance::{DeclaredWorld, Histories, HistoriesReport, HttpSender, Level, Network, Request};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use test_support::planted::{SEEDS, until_noticed};

/// Every how many defects one is tried; 1: all.
const EVERY: &str = "HITODE_FOREIGN_EVERY";

const TOKEN: &str = "token";

/// The server, until it is dropped.
struct Foreign {
    process: Child,
    url: String,
}

impl Foreign {
    fn start(reach: &str, defect: Option<&str>) -> Self {
        let mut command = python();
        command.args(["--port", "0", "--limits", "off", "--operator-token", TOKEN]);
        command.args(["--webhook-reach", reach]);
        command.args(defect.iter().flat_map(|defect| ["--defect", defect]));
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

    fn failing(&self) -> Vec<String> {
        let contract = suite().contract;
        let network = Network::without_limits(&self.url, contract);
        let world = DeclaredWorld::new(contract, Box::new(network), roots(TOKEN.to_owned()));
        failing(world.at(Level::Values), |_| true)
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

/// Its defects, without those that show behind limits only: the name, and whether it is one of form or of a bound.
fn defects() -> Vec<(String, bool)> {
    let output = python().arg("--list-defects").output().expect("python3 is installed");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let fields = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let shows = |fields: &Vec<&str>| fields.get(1) != Some(&"limits") && fields[0] != "retry-after-missing";
    let defects = fields.filter(shows);
    defects
        .map(|fields| (fields[0].to_owned(), fields.get(1) == Some(&"simple")))
        .collect()
}

#[test]
fn a_correct_server_in_another_language_passes() {
    let server = Foreign::start("none", None);
    assert_eq!(server.failing(), [""; 0]);
    let report = server.histories(1);
    assert!(
        report.differences.is_empty() && report.never_met.is_empty(),
        "{report:#?}"
    );
}

#[test]
fn defects_in_another_language_are_noticed() {
    let every = std::env::var(EVERY).ok().and_then(|every| every.parse().ok());
    let every: usize = every.unwrap_or(20);
    let defects = defects();
    assert!(defects.len() > 200, "{defects:?}");
    let tried: Vec<_> = defects.into_iter().step_by(every).collect();
    let is_missed = |(defect, is_of_form): &&(String, bool)| {
        let server = Foreign::start("none", Some(defect));
        let by_fixed = || (!server.failing().is_empty()).then(|| "a fixed test".to_owned());
        let differs = |seed: &&u64| !server.histories(**seed).differences.is_empty();
        let by_random = || {
            SEEDS
                .iter()
                .find(differs)
                .map(|seed| format!("random calls, seed {seed}"))
        };
        // What is likely comes first.
        let by = match is_of_form {
            true => by_fixed().or_else(by_random),
            false => by_random().or_else(by_fixed),
        };
        println!("{defect}: {}", by.as_deref().unwrap_or("MISSED"));
        by.is_none()
    };
    let missed: Vec<_> = tried.iter().filter(is_missed).collect();
    println!("{} of {} defects noticed", tried.len() - missed.len(), tried.len());
    assert!(missed.is_empty(), "{missed:?}");
}
