//! The time until the program answers, and then its memory and disk use.

use std::path::{Path, PathBuf};
use std::time::Instant;

use test_support::http::Connection;

use crate::machine::{Cores, MIB, on_disk};
use crate::market;
use crate::process::Server;
use crate::table::{Rounds, Table};

const WORKERS: [usize; 2] = [0, 100_000];
/// Connections that are opened and stay idle after their first answer.
const CONNECTIONS: usize = 500;
const ROUNDS: usize = 3;

struct Filled {
    workers: usize,
    folder: PathBuf,
    entering: f64,
    starting: Rounds,
    peak: Rounds,
    resident: Rounds,
    connection: Rounds,
}

impl Filled {
    fn new(workers: usize, folder: &Path) -> Self {
        let folder = folder.join(format!("start-{workers}"));
        let before = Instant::now();
        market::enter(&folder, workers);
        Self {
            workers,
            folder,
            entering: before.elapsed().as_secs_f64(),
            starting: Rounds::default(),
            peak: Rounds::default(),
            resident: Rounds::default(),
            connection: Rounds::default(),
        }
    }

    fn measure(&mut self, cores: Cores) {
        let before = Instant::now();
        let server = Server::start("program", &self.folder, cores);
        let first = answered(&server);
        self.starting.push(before.elapsed().as_secs_f64());
        let resident = server.resident();
        self.peak.push(server.peak() / MIB);
        self.resident.push(resident / MIB);
        let open: Vec<_> = (1..CONNECTIONS).map(|_| answered(&server)).collect();
        self.connection
            .push((server.resident() - resident) / open.len() as f64 / 1024.0);
        drop((first, open));
    }
}

/// A connection with one complete answer.
fn answered(server: &Server) -> Connection {
    let mut connection = Connection::to(server.address).expect("the server listens");
    let answer = connection
        .call("GET", "/healthz", &[], None)
        .expect("the server answers");
    assert_eq!(answer.status, 200, "{answer:?}");
    connection
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let mut stores = WORKERS.map(|workers| {
        eprintln!("entering {workers} workers");
        Filled::new(workers, folder)
    });
    let rounds = rounds.unwrap_or(ROUNDS);
    for round in 1..=rounds {
        eprintln!("starts, round {round} of {rounds}");
        stores.iter_mut().for_each(|store| store.measure(cores));
    }
    println!("## Start and memory of `hitode serve`\n");
    let mut table = Table::new(&[
        "workers",
        "entered in s",
        "first answer after s",
        "spread",
        "peak MiB",
        "then MiB",
        "KiB a connection",
        "on disk MiB",
    ]);
    for store in &stores {
        table.row([
            store.workers.to_string(),
            format!("{:.1}", store.entering),
            store.starting.cell(2),
            store.starting.spread(),
            store.peak.cell(0),
            store.resident.cell(0),
            store.connection.cell(1),
            format!("{:.0}", on_disk(&store.folder) / MIB),
        ]);
    }
    table.print();
}
