//! One, two and three servers over one PostgreSQL: reads and durable writes a second, and how soon a server shows what
//! another one has acknowledged. All share the cores of one machine with the database and the load, so a sum that stays
//! the same means that more servers cost nothing.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use contract::agent::{create_bounty, get_bounty, get_human};

use crate::database::{self, BODY, TIME, WRITERS};
use crate::latency::Latencies;
use crate::load::{Connection, Load, post};
use crate::machine::Cores;
use crate::process::Server;
use crate::table::{Rounds, Table};

const SERVERS: usize = 3;
/// How many writes are followed to another server.
const FOLLOWED: usize = 200;

/// Sends the requests to all servers at once, over as many connections in all as ever, and returns the answers a second.
fn a_second(servers: &[Server], requests: &[String]) -> f64 {
    let send = |server: &Server| {
        let load = Load {
            address: server.address,
            connections: WRITERS / servers.len(),
            requests: requests.to_vec(),
        };
        move || load.send_for(TIME).a_second()
    };
    thread::scope(|scope| {
        let sending: Vec<_> = servers.iter().map(|server| scope.spawn(send(server))).collect();
        sending.into_iter().map(|sent| sent.join().expect("no panic")).sum()
    })
}

/// The times from the acknowledgement of a write by one server until another one shows it.
async fn lags(from: &Server, to: &Server, credential: &str) -> Vec<Duration> {
    let (mut writing, mut reading) = (Connection::to(from.address).await, Connection::to(to.address).await);
    let mut lags = Vec::with_capacity(FOLLOWED);
    for _ in 0..FOLLOWED {
        let made = writing.ask(&post(create_bounty::PATH, credential, BODY)).await;
        let acknowledged = Instant::now();
        let path = get_bounty::PATH.replace(":id", &made["data"]["id"].to_string());
        let request = crate::load::get(&path, credential);
        while reading.ask(&request).await["success"] != true {
            tokio::task::yield_now().await;
        }
        lags.push(acknowledged.elapsed());
    }
    lags
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let (url, credentials) = database::prepared(folder, "fleet");
    let read = vec![crate::load::get(
        &get_human::PATH.replace(":id", "500"),
        &credentials[0],
    )];
    let write: Vec<String> = credentials
        .iter()
        .map(|head| post(create_bounty::PATH, head, BODY))
        .collect();
    let rounds = rounds.unwrap_or(3);
    let mut table = Table::new(&[
        "servers",
        "reads a second",
        "of one server",
        "durable writes a second",
        "of one server",
    ]);
    let mut single: Option<(f64, f64)> = None;
    let mut servers = Vec::new();
    for number in 1..=SERVERS {
        servers.push(database::serve(
            &folder.join(format!("copy-{number}")),
            Some(&url),
            cores,
        ));
        let (mut reads, mut writes) = (Rounds::default(), Rounds::default());
        for round in 1..=rounds {
            eprintln!("fleet, {number} servers, round {round} of {rounds}");
            reads.push(a_second(&servers, &read));
            writes.push(a_second(&servers, &write));
        }
        let (reads_of_one, writes_of_one) = *single.get_or_insert((reads.median(), writes.median()));
        table.row([
            number.to_string(),
            reads.cell(0),
            format!("{:.2}", reads.median() / reads_of_one),
            writes.cell(0),
            format!("{:.2}", writes.median() / writes_of_one),
        ]);
    }
    println!("## Servers over one PostgreSQL, on the cores of one machine, 64 connections\n");
    table.print();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let lags = runtime
        .expect("a runtime")
        .block_on(lags(&servers[0], &servers[1], &credentials[0]));
    let mut table = Table::new(&[
        "ms until another server shows a write, after its acknowledgement",
        "p50",
        "p90",
        "p99",
        "max",
    ]);
    table.row([vec![format!("{FOLLOWED} writes")], Latencies::of(lags).cells().into()].concat());
    table.print();
}
