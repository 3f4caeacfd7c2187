//! A backup of a running server: its time and memory, what it costs other requests, and the time of a restore and a check.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use test_support::process::program;

use crate::latency::Latencies;
use crate::load::{Load, get, header, post};
use crate::machine::{Cores, MIB};
use crate::market;
use crate::process::Server;
use crate::table::Table;

/// How many workers there are, unless `--workers=` says otherwise.
const DEFAULT: usize = 1_000_000;
/// The time of the load without a backup.
const QUIET: Duration = Duration::from_secs(10);
/// At most, in seconds.
const BACKUP_BAR: f64 = 60.0;
const OFFLINE_BAR: f64 = 120.0;
/// At most, in MiB.
const MEMORY_BAR: f64 = 64.0;
/// At most: the p99 with a backup, of that without.
const LATENCY_BAR: f64 = 2.0;

pub(crate) fn measure(folder: &Path, _: Option<usize>, cores: Cores) {
    let workers = market::selected([DEFAULT])[0];
    let [data, restored, file] = ["data", "restored", "backup"].map(|name| folder.join(format!("backup-{name}")));
    eprintln!("entering {workers} workers");
    let keys = market::enter_for(&data, workers, market::WRITERS, market::worker);
    let server = serve(&data, cores);
    let load = Load {
        address: server.address,
        connections: 1,
        requests: keys.iter().flat_map(|key| requests(key)).collect(),
    };
    eprintln!("load without a backup");
    load.repeat_for(Duration::from_secs(2));
    let quiet = Latencies::from_durations(load.repeat_for(QUIET));
    eprintln!("load with a backup");
    let before = server.resident();
    let (busy, took, most) = while_backed_up(&server, &load, &file);
    let bytes = std::fs::metadata(&file).expect("the backup").len();
    drop(server);
    eprintln!("restore and check");
    let restoring = run(Command::new(program())
        .arg("restore")
        .arg(&file)
        .arg("--data")
        .arg(&restored));
    let checking = run(Command::new(program()).arg("check").arg("--data").arg(&restored));

    println!(
        "## A backup of {workers} workers from a running server, {:.0} MiB\n",
        bytes as f64 / MIB
    );
    let mut table = Table::new(&["what", "measured", "at most", "met"]);
    let mut row = |what: &str, value: f64, most: f64| {
        let met = if value <= most { "yes" } else { "**no**" };
        table.row([
            what.to_owned(),
            format!("{value:.1}"),
            format!("{most:.0}"),
            met.to_owned(),
        ]);
    };
    row("backup, received and read back, s", took.as_secs_f64(), BACKUP_BAR);
    row("more memory meanwhile, MiB", (most - before) / MIB, MEMORY_BAR);
    let ratio = busy.quantile(0.99) / quiet.quantile(0.99);
    row("p99 of other requests, of that without a backup", ratio, LATENCY_BAR);
    row("restore, s", restoring.as_secs_f64(), OFFLINE_BAR);
    row("check, s", checking.as_secs_f64(), OFFLINE_BAR);
    table.print();
    let mut table = Table::new(&["requests, one connection", "p50 ms", "p90", "p99", "max", "number"]);
    for (what, latencies) in [("without a backup", quiet), ("with a backup", busy)] {
        let [p50, p90, p99, max] = latencies.cells();
        table.row([what.to_owned(), p50, p90, p99, max, format!("{}", latencies.count())]);
    }
    table.print();
}

fn serve(data: &Path, cores: Cores) -> Server {
    let mut command = Command::new(program());
    command
        .env("HITODE_OPERATOR_TOKEN", "operator")
        .env("HITODE_LOG", "warn");
    command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limits", "off", "--data"]);
    command.arg(data);
    Server::run(command, cores)
}

/// Reads and writes, half and half.
fn requests(key: &str) -> Vec<String> {
    let credential = header("X-API-Key", key);
    let bounty = r#"{"title":"Photograph the shop front","description":"One picture, in daylight.","budget":25}"#;
    vec![
        get("/api/v1/humans?skill=Cooking&limit=20", &credential),
        post("/api/v1/bounties", &credential, bounty),
        get("/api/v1/humans/7", &credential),
        post("/api/v1/bounties", &credential, bounty),
    ]
}

/// The latencies of requests while the server is backed up, how long that took, and the most memory meanwhile, in bytes.
fn while_backed_up(server: &Server, load: &Load, file: &Path) -> (Latencies, Duration, f64) {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let backup = scope.spawn(|| {
            let mut command = Command::new(program());
            let url = format!("http://{}", server.address);
            command.env("HITODE_OPERATOR_TOKEN", "operator");
            let took = run(command.arg("backup").arg(file).args(["--url", &url]));
            is_done.store(true, Ordering::Release);
            took
        });
        let memory = scope.spawn(|| {
            let mut most = server.resident();
            while !is_done.load(Ordering::Acquire) {
                thread::sleep(Duration::from_millis(20));
                most = most.max(server.resident());
            }
            most
        });
        let mut latencies = Vec::new();
        while !is_done.load(Ordering::Acquire) {
            latencies.extend(load.repeat_for(Duration::from_millis(200)));
        }
        let (took, most) = (backup.join(), memory.join());
        (
            Latencies::from_durations(latencies),
            took.expect("it succeeds"),
            most.expect("it ends"),
        )
    })
}

/// Runs a command, and returns how long that took.
fn run(command: &mut Command) -> Duration {
    let begun = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    assert!(status.expect("the program starts").success(), "{command:?}");
    begun.elapsed()
}
