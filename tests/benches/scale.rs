//! The cost of a contract's size: the same service with 15, 100 and 300 endpoints, generated, compiled and called.

mod contract;
mod handlers;
pub(crate) mod package;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::load::{Load, header, send};
use crate::machine::{self, Cores};
use crate::process::Server;
use crate::table::{Rounds, Table, bar};
use contract::GROUP;
use package::{Profile, Workspace};

const SIZES: [usize; 3] = [15, 100, 300];
const BUILDS: usize = 1;
const ROUNDS: usize = 9;
const CONNECTIONS: usize = 16;
const TIME: Duration = Duration::from_millis(1_500);
/// Most seconds for generating.
const GENERATING: f64 = 1.0;
/// Most CPU for compiling a contract, as a multiple of the smallest contract.
const COMPILING: f64 = 5.0;
/// The least ratio of a request's cost with the fewest endpoints to its cost with more.
const ROUTING: f64 = 0.95;

/// The index in its group of an endpoint that gets one resource under another.
const NESTED: usize = 8;
/// The requests, and whether the bar of routing applies. If all endpoints are called in turn, the processor's caches must hold
/// the code of all of them, which is not a cost of routing.
const ASKED: [(&str, bool); 5] = [
    ("an endpoint of the first group", true),
    ("an endpoint of the last", true),
    ("the first group's 15 in turn", true),
    ("the last group's 15 in turn", true),
    ("all in turn", false),
];

/// A service of one size, and its measurements.
struct Sized {
    endpoints: usize,
    lines: usize,
    optimised: Rounds,
    generating: Rounds,
    generating_cpu: Rounds,
    /// Contract and service, each in both profiles.
    compiling: [Compiling; 4],
    asked: [Asked; ASKED.len()],
}

/// CPU seconds of a compiler, and as a multiple of the smallest service.
#[derive(Default)]
struct Compiling {
    seconds: Rounds,
    times: Rounds,
}

/// CPU microseconds of a request, and the ratio of the smallest service to it.
#[derive(Default)]
struct Asked {
    cpu: Rounds,
    shares: Rounds,
}

pub(crate) fn measure(_: &Path, rounds: Option<usize>, cores: Cores) {
    let workspace = Workspace::write(&SIZES);
    let mut sizes = SIZES.map(Sized::new);
    // A contract is generated on every core.
    machine::stay_on_all(cores);
    let builds = rounds.unwrap_or(BUILDS);
    for round in 1..=builds {
        eprintln!("scale, builds, round {round} of {builds}");
        build(&mut sizes, &workspace);
    }
    machine::stay_on(cores.load);
    let servers = SIZES.map(|size| Server::run(Command::new(workspace.service(size)), cores));
    let rounds = rounds.unwrap_or(ROUNDS);
    for round in 1..=rounds {
        eprintln!("scale, requests, round {round} of {rounds}");
        ask(&mut sizes, &servers);
    }
    print(&sizes);
}

impl Sized {
    fn new(endpoints: usize) -> Self {
        Self {
            endpoints,
            lines: 0,
            optimised: Rounds::default(),
            generating: Rounds::default(),
            generating_cpu: Rounds::default(),
            compiling: Default::default(),
            asked: Default::default(),
        }
    }

    /// Generates in this process, which is optimised.
    fn generate(&mut self) {
        let source = contract::yaml(self.endpoints);
        let options = codegen::Options {
            file: "api.yaml",
            support: "codegen_support",
        };
        let before = Instant::now();
        let Ok(code) = codegen::generate(&source, options) else {
            panic!("the contract has no mistake");
        };
        self.optimised.push(before.elapsed().as_secs_f64());
        self.lines = code.lines().count();
    }

    /// Compiles everything again; returns the seconds of contract and service in both profiles.
    fn compile(&mut self, workspace: &Workspace) -> [f64; 4] {
        let dev = workspace.build(self.endpoints, Profile::Dev);
        let release = workspace.build(self.endpoints, Profile::Release);
        self.generating.push(dev.generating);
        self.generating_cpu.push(dev.generating_cpu);
        [dev.contract, release.contract, dev.service, release.service]
    }
}

fn build(sizes: &mut [Sized], workspace: &Workspace) {
    let mut smallest = None;
    for size in sizes {
        size.generate();
        let seconds = size.compile(workspace);
        eprintln!("  {}: {seconds:.2?} s", size.endpoints);
        let smallest = smallest.get_or_insert(seconds);
        for (compiling, (seconds, least)) in size.compiling.iter_mut().zip(seconds.iter().zip(smallest)) {
            compiling.seconds.push(*seconds);
            compiling.times.push(seconds / *least);
        }
    }
}

fn ask(sizes: &mut [Sized], servers: &[Server]) {
    let mut smallest = None;
    for (size, server) in sizes.iter_mut().zip(servers) {
        let cpu = asked(size.endpoints).map(|requests| cpu_of(server, requests));
        eprintln!("  {}: {cpu:.1?} µs", size.endpoints);
        let smallest = smallest.get_or_insert(cpu);
        for (asked, (cpu, least)) in size.asked.iter_mut().zip(cpu.iter().zip(smallest)) {
            asked.cpu.push(*cpu);
            asked.shares.push(*least / cpu);
        }
    }
}

/// The requests of each of [`ASKED`].
fn asked(endpoints: usize) -> [Vec<String>; ASKED.len()] {
    let requests = handlers::requests(endpoints).into_iter();
    let all: Vec<String> = requests.map(|(line, body)| send(&line, &key(), body)).collect();
    let last = all[all.len() - GROUP..].to_vec();
    [
        vec![all[NESTED].clone()],
        vec![last[NESTED].clone()],
        all[..GROUP].to_vec(),
        last,
        all,
    ]
}

fn key() -> String {
    header("X-API-Key", handlers::KEY) + &header("X-Staff-Token", handlers::KEY)
}

/// CPU microseconds of a request.
fn cpu_of(server: &Server, requests: Vec<String>) -> f64 {
    let load = Load {
        address: server.address,
        connections: CONNECTIONS,
        requests,
    };
    let before = server.cpu();
    let answers = load.send_for(TIME);
    (server.cpu() - before).as_secs_f64() * 1e6 / answers.count()
}

fn print(sizes: &[Sized]) {
    println!("## Generating in seconds on all cores, compiling in CPU seconds\n");
    let mut table = Table::new(&[
        "endpoints",
        "lines",
        "generating, optimised",
        "as build script",
        "met",
        "its CPU",
        "contract, dev",
        "times 15",
        "met",
        "release",
        "times 15",
        "met",
        "service, dev",
        "times 15",
        "release",
        "times 15",
    ]);
    for size in sizes {
        let mut cells = vec![size.endpoints.to_string(), size.lines.to_string()];
        cells.extend([size.optimised.cell(3), size.generating.cell(2)]);
        cells.extend([met(&size.generating, GENERATING), size.generating_cpu.cell(2)]);
        for (place, compiling) in size.compiling.iter().enumerate() {
            cells.extend([compiling.seconds.cell(2), compiling.times.cell(1)]);
            if place < 2 {
                cells.push(met(&compiling.times, COMPILING));
            }
        }
        table.row(cells);
    }
    table.print();
    println!("## Requests over {CONNECTIONS} connections, by number of endpoints\n");
    let mut table = Table::new(&["endpoints", "asked", "CPU µs", "15/this", "spread", "bar", "met"]);
    for (place, (what, has_bar)) in ASKED.into_iter().enumerate() {
        for size in sizes {
            let asked = &size.asked[place];
            let mut cells = vec![size.endpoints.to_string(), what.to_owned(), asked.cpu.cell(2)];
            cells.extend([asked.shares.cell(3), asked.shares.spread()]);
            cells.extend(bar(&asked.shares, has_bar.then_some(ROUTING)));
            table.row(cells);
        }
    }
    table.print();
}

fn met(rounds: &Rounds, most: f64) -> String {
    if rounds.median() <= most { "yes" } else { "**no**" }.to_owned()
}
