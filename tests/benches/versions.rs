//! Durable writes with and without idempotency keys, and those of another version of the program.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use contract::agent::create_bounty;
use serde_json::Value;

use crate::load::{Answers, Load, UNIQUE, header, post};
use crate::machine::Cores;
use crate::market;
use crate::process::Server;
use crate::table::{Rounds, Table, bar};

/// The argument that names the other program.
pub(crate) const OTHER: &str = "--other=";
const CONNECTIONS: usize = 64;
const TIME: Duration = Duration::from_secs(3);
const ROUNDS: usize = 7;
/// The least ratio to the other program.
const BAR: f64 = 0.9;
const BODY: &str =
    r#"{"title":"Photograph the shop front","description":"One picture of the front, in daylight.","budget":25}"#;

/// One kind of request to one server.
struct Variant<'s> {
    name: &'static str,
    server: &'s Server,
    requests: Vec<String>,
    bar: Option<f64>,
    a_second: Rounds,
    of_first: Rounds,
    cpu: Rounds,
}

impl<'s> Variant<'s> {
    fn new(name: &'static str, server: &'s Server, keys: &[String], bar: Option<f64>, more: &str) -> Self {
        let request = |key: &String| {
            let head = header(contract::api_key::HEADER, key) + more;
            post(create_bounty::PATH, &head, BODY)
        };
        Self {
            name,
            server,
            requests: keys.iter().map(request).collect(),
            bar,
            a_second: Rounds::default(),
            of_first: Rounds::default(),
            cpu: Rounds::default(),
        }
    }

    fn send(&mut self) -> f64 {
        let before = self.server.cpu();
        let answers: Answers = Load {
            address: self.server.address,
            connections: CONNECTIONS,
            requests: self.requests.clone(),
        }
        .send_for(TIME);
        self.cpu
            .push((self.server.cpu() - before).as_secs_f64() * 1e6 / answers.count());
        self.a_second.push(answers.a_second());
        answers.a_second()
    }
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let other = std::env::args().find_map(|word| word.strip_prefix(OTHER).map(str::to_owned));
    // Each fills a store of its own.
    let [(own, own_keys), (keyed, keyed_keys)] = ["own", "keyed"].map(|name| {
        let server = Server::start("program", &folder.join(name), cores);
        let keys = accounts(&server);
        (server, keys)
    });
    let other = other.map(|program| {
        let mut command = Command::new(program);
        command.env("HITODE_OPERATOR_TOKEN", "operator");
        command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limits", "off", "--data"]);
        command.arg(folder.join("other"));
        let server = Server::run(command, cores);
        let keys = accounts(&server);
        (server, keys)
    });
    let mut variants = Vec::new();
    if let Some((server, keys)) = &other {
        variants.push(Variant::new("the other program", server, keys, None, ""));
    }
    let bar = other.is_some().then_some(BAR);
    variants.push(Variant::new("this program", &own, &own_keys, bar, ""));
    let key = header("Idempotency-Key", UNIQUE);
    variants.push(Variant::new("with idempotency keys", &keyed, &keyed_keys, None, &key));
    let rounds = rounds.unwrap_or(ROUNDS);
    for round in 1..=rounds {
        eprintln!("versions, round {round} of {rounds}");
        let a_second: Vec<f64> = variants.iter_mut().map(Variant::send).collect();
        for (variant, own) in variants.iter_mut().zip(&a_second) {
            variant.of_first.push(own / a_second[0]);
        }
    }
    print(&variants);
}

/// New accounts, made through the API, which other versions have too; returns their keys.
fn accounts(server: &Server) -> Vec<String> {
    let head = header("X-Operator-Token", "operator");
    let load = Load {
        address: server.address,
        connections: 1,
        requests: vec![post("/operator/v1/accounts", &head, r#"{"name":"Speed","plan":"verified"}"#); market::WRITERS],
    };
    let bodies = load.bodies(market::WRITERS).into_iter();
    let key = |body: Vec<u8>| {
        let account: Value = serde_json::from_slice(&body).expect("JSON");
        account["data"]["key"].as_str().expect("a key").to_owned()
    };
    bodies.map(key).collect()
}

fn print(variants: &[Variant<'_>]) {
    println!(
        "## Acknowledged `POST {}` at {CONNECTIONS} connections\n",
        create_bounty::PATH
    );
    let mut table = Table::new(&["what", "a second", "of the first", "spread", "bar", "met", "CPU µs"]);
    for variant in variants {
        let mut cells = vec![
            variant.name.to_owned(),
            variant.a_second.cell(0),
            variant.of_first.cell(2),
            variant.of_first.spread(),
        ];
        cells.extend(bar(&variant.of_first, variant.bar));
        cells.push(variant.cpu.cell(1));
        table.row(cells);
    }
    table.print();
}
