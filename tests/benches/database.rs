//! A server over PostgreSQL, compared with one on the embedded engine, and its durable writes with those of `pgbench`.
//! `tests/with-postgres --synced cargo bench -p hitode-tests -- database` starts the database.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use contract::agent::{create_bounty, get_human, list_humans, list_my_bounties};
use hitode::store::backup::BackupReader;
use hitode::store::postgres;
use hitode::store::{RestoreOptions, SCHEMA, Store};
use test_support::process::program;

use crate::load::{Load, get, header, post};
use crate::machine::{Cores, MIB};
use crate::market;
use crate::process::Server;
use crate::table::{Rounds, Table, bar};

/// How many workers there are, unless `--workers=` says otherwise.
pub(crate) const WORKERS: usize = 10_000;
pub(crate) const TIME: Duration = Duration::from_millis(2_000);
const ROUNDS: usize = 5;
pub(crate) const WRITERS: usize = 64;
/// At most: the CPU of a read, of that on the embedded engine.
const READ_BAR: f64 = 1.2;
/// At least: durable writes, of those of `pgbench`.
const WRITE_BAR: f64 = 0.4;
pub(crate) const BODY: &str =
    r#"{"title":"Photograph the shop front","description":"One picture of the front, in daylight.","budget":25}"#;

/// One statement, which writes as much as a bounty has.
const INSERT: &str = "INSERT INTO written (document) VALUES (repeat('x', 400));";

struct Row {
    name: &'static str,
    requests: Vec<String>,
    embedded: Rounds,
    distributed: Rounds,
    ratios: Rounds,
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let workers = market::selected([WORKERS])[0];
    let (url, credentials) = prepared(folder, "measured", workers);
    let started = |data: &Path, database| {
        let begun = Instant::now();
        let server = serve(data, database, cores);
        (server, begun.elapsed())
    };
    let (embedded, opened) = started(&folder.join("embedded"), None);
    let (distributed, copied) = started(&folder.join("copy"), Some(&url));
    println!("## Start and memory with {workers} workers\n");
    let mut table = Table::new(&["", "listens after s", "MiB then"]);
    for (name, server, time) in [("embedded", &embedded, opened), ("PostgreSQL", &distributed, copied)] {
        table.row([
            name.to_owned(),
            format!("{:.1}", time.as_secs_f64()),
            format!("{:.0}", server.resident() / MIB),
        ]);
    }
    table.print();
    let read = |name, path: &str| Row::new(name, vec![get(path, &credentials[0])]);
    let mut reads = [
        read("one worker", &get_human::PATH.replace(":id", "500")),
        read("20 workers", list_humans::PATH),
        read("workers with a skill", &format!("{}?skill=Cooking", list_humans::PATH)),
        read("20 bounties of one's own, from the copy's disk", list_my_bounties::PATH),
    ];
    let writes = credentials
        .iter()
        .map(|head| post(create_bounty::PATH, head, BODY))
        .collect();
    let mut writes = Row::new("durable writes a second, 64 connections", writes);
    let (mut inserts, mut of_pgbench) = (Rounds::default(), Rounds::default());
    let rounds = rounds.unwrap_or(ROUNDS);
    for round in 1..=rounds {
        eprintln!("database, round {round} of {rounds}");
        let [one, other] = [&embedded, &distributed].map(|server| a_second(server, &writes.requests));
        writes.take(one, other);
        let a_second = pgbench(&url);
        inserts.push(a_second);
        of_pgbench.push(other / a_second);
        eprintln!("  writes: embedded {one:.0}, PostgreSQL {other:.0}, pgbench {a_second:.0}");
        for row in &mut reads {
            let [one, other] = [&embedded, &distributed].map(|server| cpu(server, &row.requests));
            row.take(one, other);
        }
    }
    println!("## A server over PostgreSQL, and one on the embedded engine\n");
    let mut table = Table::new(&[
        "CPU µs of a read",
        "embedded",
        "PostgreSQL",
        "ratio",
        "spread",
        "at most",
        "met",
    ]);
    for row in &reads {
        let met = if row.ratios.median() <= READ_BAR {
            "yes"
        } else {
            "**no**"
        };
        table.row([
            row.name.to_owned(),
            row.embedded.cell(1),
            row.distributed.cell(1),
            row.ratios.cell(2),
            row.ratios.spread(),
            READ_BAR.to_string(),
            met.to_owned(),
        ]);
    }
    table.print();
    let mut table = Table::new(&["64 connections", "a second", "of pgbench", "spread", "at least", "met"]);
    let [least, met] = bar(&of_pgbench, Some(WRITE_BAR));
    let none = || ["", "", "", ""].map(str::to_owned);
    let row = |name: &str, a_second: &Rounds, rest: [String; 4]| {
        [vec![name.to_owned(), a_second.cell(0)], rest.into()].concat()
    };
    table.row(row("`pgbench`, one INSERT a transaction", &inserts, none()));
    let rest = [of_pgbench.cell(2), of_pgbench.spread(), least, met];
    table.row(row("durable writes over PostgreSQL", &writes.distributed, rest));
    table.row(row("durable writes on the embedded engine", &writes.embedded, none()));
    table.print();
}

impl Row {
    fn new(name: &'static str, requests: Vec<String>) -> Self {
        Self {
            name,
            requests,
            embedded: Rounds::default(),
            distributed: Rounds::default(),
            ratios: Rounds::default(),
        }
    }

    fn take(&mut self, embedded: f64, distributed: f64) {
        self.embedded.push(embedded);
        self.distributed.push(distributed);
        self.ratios.push(distributed / embedded);
    }
}

/// The URL of a new database with workers and accounts, which the data directory `embedded` has, too, and the headers with
/// the keys of the accounts.
pub(crate) fn prepared(folder: &Path, name: &str, workers: usize) -> (String, Vec<String>) {
    let server =
        std::env::var("HITODE_TEST_POSTGRES").expect("tests/with-postgres --synced cargo bench … starts a database");
    let data = folder.join("embedded");
    let keys = market::enter_for(&data, workers, market::WRITERS, market::worker);
    let url = moved(&data, &server, name);
    let credentials = keys.iter().map(|key| header(contract::api_key::HEADER, key));
    (url, credentials.collect())
}

/// The URL of a new database with the content of a data directory.
fn moved(data: &Path, server: &str, name: &str) -> String {
    sql(&format!("{server}/postgres"), &format!("CREATE DATABASE {name}"));
    let url = format!("{server}/{name}");
    let backup = Store::back_up_directory(data, &[], Vec::new(), contract::Timestamp::from_unix(0), |_, _| ());
    let backup = backup.expect("it opens").expect("memory");
    let mut backup = BackupReader::begin(&SCHEMA.program, &*backup).expect("a backup");
    let exact = RestoreOptions {
        keep_credentials: true,
        id_gap: 0,
    };
    postgres::restore(
        &url.parse().expect("a URL"),
        &mut backup,
        exact,
        |_| (),
        async |_| Ok(()),
    )
    .expect("an empty database");
    sql(&url, "CREATE TABLE written (id bigserial PRIMARY KEY, document text)");
    url
}

fn sql(url: &str, statement: &str) {
    let done = Command::new("psql").args([url, "-qc", statement]).status();
    assert!(done.expect("psql").success(), "{statement}");
}

pub(crate) fn serve(data: &Path, database: Option<&str>, cores: Cores) -> Server {
    let mut command = Command::new(program());
    command
        .env("HITODE_OPERATOR_TOKEN", "operator")
        .env("HITODE_LOG", "warn");
    command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limits", "off", "--data"]);
    command.arg(data);
    if let Some(url) = database {
        command.env("HITODE_DATABASE_URL", url);
    }
    Server::run(command, cores)
}

fn load(server: &Server, connections: usize, requests: &[String]) -> Load {
    Load {
        address: server.address,
        connections,
        requests: requests.to_vec(),
    }
}

fn a_second(server: &Server, requests: &[String]) -> f64 {
    load(server, WRITERS, requests).send_for(TIME).a_second()
}

/// The CPU microseconds of a request.
fn cpu(server: &Server, requests: &[String]) -> f64 {
    let before = server.cpu();
    let answers = load(server, 16, requests).send_for(TIME);
    (server.cpu() - before).as_secs_f64() * 1e6 / answers.count()
}

/// The transactions a second of `pgbench`.
fn pgbench(url: &str) -> f64 {
    let script = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(script.path(), INSERT).expect("a file");
    let program = newest_pgbench();
    let seconds = TIME.as_secs().to_string();
    let ran = Command::new(program)
        .args(["-n", "-c", "64", "-j", "1", "-T", &seconds, "-M", "prepared", "-f"])
        .arg(script.path())
        .arg(url)
        .output()
        .expect("pgbench");
    let text = String::from_utf8_lossy(&ran.stdout);
    let tps = text
        .lines()
        .find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    tps.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&ran.stderr)))
}

/// The newest `pgbench` of Debian's packages.
fn newest_pgbench() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .expect("Debian's package postgresql")
        .flatten();
    let programs = versions.map(|version| version.path().join("bin/pgbench"));
    programs.filter(|program| program.exists()).max().expect("pgbench")
}
