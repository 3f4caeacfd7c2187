//! What the generated server costs, as ratios within one run: `cargo bench -p hitode-tests`.
//!
//! 1. CPU of a request: an empty generated operation against a bare hyper server that sends the same body. Each server is
//!    a process of its own, whose user and system time is read from `/proc`, so that the load does not count.
//! 2. Acknowledged `POST /bounties` from 64 connections against 64 writers of a plain file, appended and `fdatasync`ed in
//!    groups, in the same folder.

mod load;
mod servers;

use load::{Load, get, post};
use servers::Child;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
const REQUESTS: usize = 100_000;
const WRITERS: usize = 64;
const WRITING: Duration = Duration::from_secs(6);

fn main() {
    if let Some(server) = std::env::var_os(servers::ROLE) {
        return servers::serve(&server.to_string_lossy());
    }
    cpu_of_a_request();
    acknowledged_writes();
}

fn cpu_of_a_request() {
    let bare = Child::start("bare", None);
    let generated = Child::start("generated", None);
    println!("CPU of a request, empty operation, {REQUESTS} requests over 8 connections");
    println!("{:>6} {:>14} {:>14} {:>8}", "round", "bare hyper", "generated", "ratio");
    let mut ratios = Vec::new();
    for round in 1..=ROUNDS {
        let [bare, generated] = [&bare, &generated].map(|server| {
            let before = server.cpu();
            Load {
                address: server.address,
                connections: 8,
                request: get("/open/ping"),
            }
            .send(REQUESTS);
            (server.cpu() - before).as_secs_f64() * 1e6 / REQUESTS as f64
        });
        println!(
            "{round:>6} {bare:>11.2} µs {generated:>11.2} µs {:>8.2}",
            bare / generated
        );
        ratios.push(bare / generated);
    }
    println!(
        "median ratio {:.2} (bare / generated; 1 means no cost at all)\n",
        median(ratios)
    );
}

fn acknowledged_writes() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    let server = Child::start("hitode", Some(folder.path()));
    let key = server.greeting.clone();
    let body =
        r#"{"title":"Photograph the shop front","description":"One picture of the front, in daylight.","budget":25}"#;
    println!("acknowledged writes a second, {WRITERS} writers");
    println!(
        "{:>6} {:>14} {:>14} {:>8}",
        "round", "raw appends", "POST /bounties", "ratio"
    );
    let mut ratios = Vec::new();
    for round in 1..=3 {
        let raw = raw_appends(folder.path());
        let request = post(
            contract::agent::create_bounty::PATH,
            contract::api_key::HEADER,
            &key,
            body,
        );
        let posted = Load {
            address: server.address,
            connections: WRITERS,
            request,
        }
        .send_for(WRITING);
        println!("{round:>6} {raw:>14.0} {posted:>14.0} {:>8.2}", posted / raw);
        ratios.push(posted / raw);
    }
    println!("median ratio {:.2}", median(ratios));
}

/// Acknowledged appends of 600 bytes a second: whatever waits is written and synced together.
fn raw_appends(folder: &Path) -> f64 {
    let mut file = std::fs::File::create(folder.join("raw")).expect("a file");
    let (submit, jobs) = mpsc::channel::<mpsc::Sender<()>>();
    let start = Instant::now();
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            let submit = submit.clone();
            std::thread::spawn(move || {
                let mut done = 0_u32;
                while start.elapsed() < WRITING {
                    let (acknowledge, acknowledged) = mpsc::channel();
                    submit.send(acknowledge).expect("the committer runs");
                    acknowledged.recv().expect("every append is acknowledged");
                    done += 1;
                }
                done
            })
        })
        .collect();
    drop(submit);
    while let Ok(first) = jobs.recv() {
        let group: Vec<_> = std::iter::once(first).chain(jobs.try_iter()).collect();
        file.write_all(&vec![b'x'; 600 * group.len()])
            .expect("the disk takes the append");
        file.sync_data().expect("the disk takes the sync");
        for acknowledge in group {
            let _ = acknowledge.send(());
        }
    }
    let done: u32 = writers
        .into_iter()
        .map(|writer| writer.join().expect("writers end"))
        .sum();
    f64::from(done) / start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
