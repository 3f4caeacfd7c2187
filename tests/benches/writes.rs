//! Acknowledged `POST /bounties`, compared with raw appends to the same disk and with the same server without its sync.

use std::fs;
use std::path::Path;
use std::time::Duration;

use contract::agent::create_bounty;

use crate::latency::Latencies;
use crate::load::{Answers, Load, header, post};
use crate::machine::Cores;
use crate::market;
use crate::process::Server;
use crate::raw;
use crate::table::{Rounds, Table, bar};

const CONNECTIONS: [usize; 4] = [1, 16, 64, 256];
const TIME: Duration = Duration::from_secs(2);
const ROUNDS: usize = 5;
/// The least ratio to raw appends at 64 connections.
const BAR: f64 = 0.2;
const BODY: &str =
    r#"{"title":"Photograph the shop front","description":"One picture of the front, in daylight.","budget":25}"#;

/// One number of connections, measured for one of the compared writers.
#[derive(Default)]
struct Cell {
    a_second: Rounds,
    cpu: Rounds,
    latencies: Latencies,
}

impl Cell {
    fn take(&mut self, answers: Answers) -> f64 {
        let a_second = answers.a_second();
        self.a_second.push(a_second);
        self.latencies.add(answers.latencies);
        a_second
    }
}

/// One number of connections, with the compared writers as ratios within a round.
struct Level {
    connections: usize,
    raw: Cell,
    synced: Cell,
    unsynced: Cell,
    of_raw: Rounds,
    of_unsynced: Rounds,
}

impl Level {
    fn new(connections: usize) -> Self {
        Self {
            connections,
            raw: Cell::default(),
            synced: Cell::default(),
            unsynced: Cell::default(),
            of_raw: Rounds::default(),
            of_unsynced: Rounds::default(),
        }
    }
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let (own, other) = (folder.join("synced"), folder.join("unsynced"));
    let [synced, unsynced] = [("synced", &own), ("unsynced", &other)].map(|(role, folder)| {
        let keys = market::enter_for(folder, 0, market::WRITERS, market::worker);
        let server = Server::start(role, folder, cores);
        let request = |key: &String| post(create_bounty::PATH, &header(contract::api_key::HEADER, key), BODY);
        (server, keys.iter().map(request).collect())
    });
    let bytes = bytes_of_a_write(&synced, &own);
    let mut levels = CONNECTIONS.map(Level::new);
    let rounds = rounds.unwrap_or(ROUNDS);
    for round in 1..=rounds {
        eprintln!("writes, round {round} of {rounds}");
        for level in &mut levels {
            let connections = level.connections;
            let raw = level.raw.take(raw::append_for(TIME, connections, bytes, folder, cores));
            let kept = post_for(&synced, connections, &mut level.synced);
            let lost = post_for(&unsynced, connections, &mut level.unsynced);
            level.of_raw.push(kept / raw);
            level.of_unsynced.push(kept / lost);
            eprintln!("  {connections:>3}: raw {raw:.0}, synced {kept:.0}, unsynced {lost:.0}");
        }
    }
    print(&levels, bytes);
}

/// A server, and the request of each account.
type Open = (Server, Vec<String>);

fn load((server, requests): &Open, connections: usize) -> Load {
    Load {
        address: server.address,
        connections,
        requests: requests.clone(),
    }
}

fn post_for(server: &Open, connections: usize, cell: &mut Cell) -> f64 {
    let before = server.0.cpu();
    let answers = load(server, connections).send_for(TIME);
    cell.cpu
        .push((server.0.cpu() - before).as_secs_f64() * 1e6 / answers.count());
    cell.take(answers)
}

/// The bytes by which the folder of a server grows with each write: a raw append writes as many.
fn bytes_of_a_write(server: &Open, folder: &Path) -> usize {
    let before = bytes_in(folder);
    let answers = load(server, 64).send_for(TIME);
    ((bytes_in(folder) - before) as f64 / answers.count()) as usize
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("the folder is there").flatten();
    entries
        .filter_map(|entry| entry.metadata().ok())
        .map(|file| file.len())
        .sum()
}

fn print(levels: &[Level], bytes: usize) {
    println!(
        "## Acknowledged `POST {}`, and raw appends of {bytes} bytes\n",
        create_bounty::PATH
    );
    let mut table = Table::new(&[
        "what",
        "connections",
        "a second",
        "of raw",
        "spread",
        "bar",
        "met",
        "of unsynced",
        "CPU µs",
        "p50 ms",
        "p90",
        "p99",
        "max",
    ]);
    for level in levels {
        let Level {
            connections,
            raw,
            synced,
            unsynced,
            ..
        } = level;
        let [bar, met] = bar(&level.of_raw, (*connections == 64).then_some(BAR));
        let compared = [
            level.of_raw.cell(2),
            level.of_raw.spread(),
            bar,
            met,
            level.of_unsynced.cell(2),
        ];
        table.row(row("append and fdatasync", *connections, raw, None));
        table.row(row("the server", *connections, synced, Some(compared)));
        table.row(row("without its sync", *connections, unsynced, None));
    }
    table.print();
}

fn row(what: &str, connections: usize, cell: &Cell, compared: Option<[String; 5]>) -> Vec<String> {
    let mut cells = vec![what.to_owned(), connections.to_string(), cell.a_second.cell(0)];
    cells.extend(compared.unwrap_or_default());
    cells.push(cell.cpu.cell(1));
    cells.extend(cell.latencies.cells());
    cells
}
