//! The speed of the disk: writers of a plain file, appended and synced in groups.
//!
//! As on the server, one thread on the servers' core writes and syncs all waiting appends together; the writers run on the core
//! of the load.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::latency::Latencies;
use crate::load::Answers;
use crate::machine::{self, Cores};

type Acknowledge = oneshot::Sender<()>;

/// Appends `bytes` at a time for this time, each writer as soon as its last append is on the disk.
pub(crate) fn append_for(time: Duration, writers: usize, bytes: usize, folder: &Path, cores: Cores) -> Answers {
    let mut file = File::create(folder.join("raw")).expect("a file");
    let (submit, jobs) = mpsc::channel::<Acknowledge>();
    let committer = thread::spawn(move || {
        machine::stay_on(cores.server);
        while let Ok(first) = jobs.recv() {
            let group: Vec<_> = std::iter::once(first).chain(jobs.try_iter()).collect();
            file.write_all(&vec![b'x'; bytes * group.len()])
                .expect("the disk takes the append");
            file.sync_data().expect("the disk takes the sync");
            for acknowledge in group {
                let _ = acknowledge.send(());
            }
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let answers = runtime.block_on(async {
        let start = Instant::now();
        let writers: JoinSet<_> = (0..writers)
            .map(|_| append_until(start + time, submit.clone()))
            .collect();
        let latencies = writers.join_all().await.into_iter().flatten().collect();
        Answers {
            latencies: Latencies::from_durations(latencies),
            took: start.elapsed(),
        }
    });
    drop(submit);
    committer.join().expect("the committer ends");
    answers
}

async fn append_until(until: Instant, submit: mpsc::Sender<Acknowledge>) -> Vec<Duration> {
    let mut latencies = Vec::new();
    let mut sent = Instant::now();
    while sent < until {
        let (acknowledge, acknowledged) = oneshot::channel();
        submit.send(acknowledge).expect("the committer runs");
        acknowledged.await.expect("every append is acknowledged");
        let now = Instant::now();
        latencies.push(now - sent);
        sent = now;
    }
    latencies
}
