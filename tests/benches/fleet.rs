//! One, two and three servers over one PostgreSQL: reads and durable writes a second, how soon a server shows what another
//! one has acknowledged, and what it costs to ask for that. All servers share one core, and each takes in the writes of all.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use contract::agent::{create_bounty, get_human, list_my_bounties};

use crate::database::{self, BODY, TIME, WRITERS};
use crate::latency::Latencies;
use crate::load::{Answers, Connection, Load, get, post};
use crate::machine::Cores;
use crate::process::Server;
use crate::table::{Rounds, Table};

const SERVERS: usize = 3;
/// How many writes are followed to another server.
const FOLLOWED: usize = 200;

/// Sends the requests to all servers at once, over as many connections in all as ever. Returns the answers a second, and
/// the CPU microseconds that all servers spend on one.
fn a_second(servers: &[Server], requests: &[String]) -> (f64, f64) {
    let cpu = || servers.iter().map(|server| server.cpu().as_secs_f64()).sum::<f64>();
    let before = cpu();
    let send = |server: &Server| {
        let load = Load {
            address: server.address,
            connections: WRITERS / servers.len(),
            requests: requests.to_vec(),
        };
        move || load.send_for(TIME)
    };
    let answers: Vec<Answers> = thread::scope(|scope| {
        let sending: Vec<_> = servers.iter().map(|server| scope.spawn(send(server))).collect();
        sending.into_iter().map(|sent| sent.join().expect("no panic")).collect()
    });
    let count: f64 = answers.iter().map(Answers::count).sum();
    (
        answers.iter().map(Answers::a_second).sum(),
        (cpu() - before) * 1e6 / count,
    )
}

/// The times from the acknowledgement of a write by one server until another one shows it, the times of reads that are as
/// new as the database, and those of others.
async fn lags(from: &Server, to: &Server, credential: &str) -> [Vec<Duration>; 3] {
    let (mut writing, mut reading) = (Connection::to(from.address).await, Connection::to(to.address).await);
    let path = format!("{}?limit=1", list_my_bounties::PATH);
    let plain = get(&path, credential);
    let fresh = get(&path, &format!("{credential}cache-control: no-cache\r\n"));
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..FOLLOWED {
        let made = writing.ask(&post(create_bounty::PATH, credential, BODY)).await["data"]["id"].take();
        let acknowledged = Instant::now();
        while reading.ask(&plain).await["data"][0]["id"] != made {
            tokio::task::yield_now().await;
        }
        times[0].push(acknowledged.elapsed());
        let made = writing.ask(&post(create_bounty::PATH, credential, BODY)).await["data"]["id"].take();
        for (request, times) in [&fresh, &plain].into_iter().zip(&mut times[1..]) {
            let sent = Instant::now();
            let shown = reading.ask(request).await;
            times.push(sent.elapsed());
            assert_eq!(shown["data"][0]["id"], made, "a read that caught up");
        }
    }
    times
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let (url, credentials) = database::prepared(folder, "fleet", database::WORKERS);
    let read = vec![get(&get_human::PATH.replace(":id", "500"), &credentials[0])];
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
        "CPU µs of a write",
    ]);
    let mut single: Option<(f64, f64)> = None;
    let mut servers = Vec::new();
    for number in 1..=SERVERS {
        servers.push(database::serve(
            &folder.join(format!("copy-{number}")),
            Some(&url),
            cores,
        ));
        let [mut reads, mut writes, mut cpu] = <[Rounds; 3]>::default();
        for round in 1..=rounds {
            eprintln!("fleet, {number} servers, round {round} of {rounds}");
            reads.push(a_second(&servers, &read).0);
            let (a_second, cpu_of_one) = a_second(&servers, &write);
            writes.push(a_second);
            cpu.push(cpu_of_one);
        }
        let (reads_of_one, writes_of_one) = *single.get_or_insert((reads.median(), writes.median()));
        table.row([
            number.to_string(),
            reads.cell(0),
            format!("{:.2}", reads.median() / reads_of_one),
            writes.cell(0),
            format!("{:.2}", writes.median() / writes_of_one),
            cpu.cell(0),
        ]);
    }
    println!("## Servers over one PostgreSQL, on the cores of one machine, 64 connections\n");
    table.print();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let lags = runtime
        .expect("a runtime")
        .block_on(lags(&servers[0], &servers[1], &credentials[0]));
    let mut table = Table::new(&["ms", "p50", "p90", "p99", "max"]);
    let names = [
        "until another server shows a write, after its acknowledgement",
        "a read with `Cache-Control: no-cache` on another server",
        "a read without it",
    ];
    for (name, lags) in names.into_iter().zip(lags) {
        table.row([vec![name.to_owned()], Latencies::from_durations(lags).cells().into()].concat());
    }
    table.print();
}
