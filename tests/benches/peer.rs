//! Hitode compared with what a user would otherwise write: axum and SQLite (`tests/peer`), on the same data and searches.
//!
//! Before each round both servers must give the same answers. The results also go to `tests/peer/results.md` and `results.svg`.

mod contender;
mod plot;
mod report;
mod requests;

use std::fs;
use std::path::Path;

use crate::machine::{self, Cores};
use crate::market;
use crate::process::Server;
use contender::{Contender, Programs};
use requests::Group;

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
const ROUNDS: usize = 5;
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peer/results");

/// What was measured with one number of workers.
struct Size {
    workers: u64,
    contenders: [Contender; 2],
    groups: [Group; 3],
}

impl Size {
    fn new(workers: u64, programs: &Programs, folder: &Path) -> Self {
        eprintln!("entering {workers} workers twice");
        let folder = folder.join(format!("peer-{workers}"));
        let (hitode, key) = Contender::hitode(programs, &folder.join("hitode"), workers);
        let peer = Contender::peer(programs, &folder.join("peer"), workers);
        Self {
            workers,
            contenders: [hitode, peer],
            groups: requests::groups(workers, &key),
        }
    }

    fn measure(&mut self, cores: Cores) {
        let first = &self.groups[0].requests[0];
        let [hitode, peer] = &mut self.contenders;
        let servers = [hitode.start(first, cores), peer.start(first, cores)];
        let bytes = self.groups.each_ref().map(|group| group.check(&servers));
        for (group, bytes) in self.groups.iter_mut().zip(bytes) {
            let bare = Server::start(&format!("bare {bytes}"), Path::new(""), cores);
            group.measure([&servers[0], &servers[1], &bare]);
        }
        for (contender, server) in self.contenders.iter_mut().zip(&servers) {
            contender.measure_memory(server);
        }
    }
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let rounds = rounds.unwrap_or(ROUNDS);
    machine::stay_on_all(cores);
    let programs = Programs::build();
    let mut measured = Vec::new();
    for workers in market::selected(SIZES).into_iter().map(|workers| workers as u64) {
        machine::stay_on_all(cores);
        let mut size = Size::new(workers, &programs, folder);
        machine::stay_on(cores.load);
        for round in 1..=rounds {
            eprintln!("{workers} workers, round {round} of {rounds}");
            size.measure(cores);
        }
        measured.push(size);
    }
    let caption = format!("{}; rounds: {rounds}", machine::date_and_processor());
    let report = report::markdown(&measured, &caption);
    println!("{report}");
    fs::write(format!("{RESULTS}.md"), report).expect("the results can be written");
    fs::write(format!("{RESULTS}.svg"), plot::svg(&measured, &caption)).expect("the plot can be written");
}
