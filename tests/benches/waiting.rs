//! The cost of clients that wait for events, and how soon an event reaches them.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;

use crate::latency::Latencies;
use crate::load::{Connection, get, header, post};
use crate::machine::{Cores, MIB};
use crate::market;
use crate::process::Server;
use crate::table::{Rounds, Table};

const ACCOUNTS: usize = 200;
/// As many as a caller may have (`waits_at_once`).
const WAITING: usize = 5;
const QUIET: Duration = Duration::from_secs(8);
const ROUNDS: usize = 3;
/// At most, in MiB, for all waiting clients.
const MEMORY_BAR: f64 = 30.0;
/// At most, for the median, in milliseconds.
const DELAY_BAR: f64 = 50.0;

/// One number for each round.
#[derive(Default)]
struct Waiting {
    memory: Rounds,
    idle_cpu: Rounds,
    waiting_cpu: Rounds,
    delays: Latencies,
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let mut waiting = Waiting::default();
    let rounds = rounds.unwrap_or(ROUNDS);
    for round in 1..=rounds {
        eprintln!("waiting, round {round} of {rounds}");
        let data = folder.join(format!("waiting-{round}"));
        let keys = market::enter_for(&data, 1, ACCOUNTS, market::worker);
        let server = Server::start("program", &data, cores);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime
            .expect("a runtime")
            .block_on(waiting.measure_round(&server, &keys));
        drop(server);
        fs::remove_dir_all(&data).expect("the server has ended");
    }
    waiting.print();
}

impl Waiting {
    async fn measure_round(&mut self, server: &Server, keys: &[String]) {
        let mut worker = Connection::to(server.address).await;
        let token = header("X-Operator-Token", "operator");
        let token = worker.ask(&post("/operator/v1/humans/1/token", &token, "")).await;
        let token = header("X-Worker-Token", text(&token["data"]["token"]));
        let body = r#"{"human_id":1,"message":"Could you go on Saturday?"}"#;
        let mut conversations = Vec::new();
        for key in keys {
            let credential = header("X-API-Key", key);
            let started = worker.ask(&post("/api/v1/conversations", &credential, body)).await;
            conversations.push(started["data"]["id"].to_string());
        }
        let mut connections = Vec::new();
        for key in keys.iter().flat_map(|key| [key; WAITING]) {
            connections.push((key, Connection::to(server.address).await));
        }
        let (memory, cpu) = (server.resident(), server.cpu());
        tokio::time::sleep(QUIET).await;
        self.idle_cpu.push(per_second(server.cpu() - cpu));
        let waiting: JoinSet<Instant> = connections
            .into_iter()
            .map(|(key, mut connection)| {
                let request = get("/api/v1/events?wait=30", &header("X-API-Key", key));
                async move {
                    let events = connection.ask(&request).await;
                    assert_eq!(events["data"][0]["name"], "message.created", "{events}");
                    Instant::now()
                }
            })
            .collect();
        // All of them wait.
        tokio::time::sleep(Duration::from_secs(2)).await;
        self.memory.push((server.resident() - memory) / MIB);
        let cpu = server.cpu();
        tokio::time::sleep(QUIET).await;
        self.waiting_cpu.push(per_second(server.cpu() - cpu));
        self.delays
            .add(wake(&mut worker, &token, &conversations, waiting).await);
    }

    fn print(&self) {
        let clients = ACCOUNTS * WAITING;
        println!("## {clients} clients of {ACCOUNTS} accounts that wait for events\n");
        let mut table = Table::new(&["what", "measured", "at most", "met"]);
        let memory = self.memory.median();
        let delay = self.delays.quantile(0.5) / 1e3;
        let met = |is_met| if is_met { "yes" } else { "**no**" }.to_owned();
        let mut row = |what: &str, cell: String, most: String, met| table.row([what.to_owned(), cell, most, met]);
        row(
            "memory, MiB",
            format!("{memory:.1}"),
            format!("{MEMORY_BAR:.0}"),
            met(memory <= MEMORY_BAR),
        );
        row(
            "CPU before, ms a second",
            self.idle_cpu.cell(2),
            String::new(),
            String::new(),
        );
        row(
            "CPU while they wait, ms a second",
            self.waiting_cpu.cell(2),
            String::new(),
            String::new(),
        );
        let [p50, p90, p99, max] = self.delays.cells();
        let what = "from the acknowledgement of a message to its event, p50 ms";
        row(what, p50, format!("{DELAY_BAR:.0}"), met(delay <= DELAY_BAR));
        for (what, cell) in [("p90", p90), ("p99", p99), ("max", max)] {
            row(what, cell, String::new(), String::new());
        }
        table.print();
    }
}

/// Writes a message in each conversation. Returns the time from each acknowledgement to each event.
async fn wake(
    worker: &mut Connection,
    token: &str,
    conversations: &[String],
    mut waiting: JoinSet<Instant>,
) -> Latencies {
    let mut delays = Vec::new();
    for id in conversations {
        let path = format!("/worker/v1/conversations/{id}/messages");
        worker.ask(&post(&path, token, r#"{"content":"Yes, at nine."}"#)).await;
        let acknowledged = Instant::now();
        for _ in 0..WAITING {
            let woken = waiting
                .join_next()
                .await
                .expect("one waits")
                .expect("it does not panic");
            delays.push(woken.saturating_duration_since(acknowledged));
        }
    }
    Latencies::from_durations(delays)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn per_second(cpu: Duration) -> f64 {
    cpu.as_secs_f64() * 1e3 / QUIET.as_secs_f64()
}
