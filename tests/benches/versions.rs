//! Durable writes with and without idempotency keys; beside another version of the program those, and operations whose handlers are
//! emitted in one of the two.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use contract::agent::create_bounty;
use serde_json::Value;

use crate::load::{Answers, Load, UNIQUE, get, header, post, send};
use crate::machine::Cores;
use crate::market;
use crate::process::Server;
use crate::table::{Rounds, Table, bar};

/// The argument that names the other program.
pub(crate) const OTHER: &str = "--other=";
const CONNECTIONS: usize = 64;
const TIME: Duration = Duration::from_secs(3);
/// For each of the other operations.
const SHORT: Duration = Duration::from_secs(1);
/// Accounts that have a bounty to which the worker applies, and a conversation with the worker.
const PARTIES: usize = 20;
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
    fn new(name: &'static str, server: &'s Server, requests: Vec<String>, bar: Option<f64>) -> Self {
        Self {
            name,
            server,
            requests,
            bar,
            a_second: Rounds::default(),
            of_first: Rounds::default(),
            cpu: Rounds::default(),
        }
    }

    fn send(&mut self, time: Duration) -> f64 {
        let before = self.server.cpu();
        let answers: Answers = Load {
            address: self.server.address,
            connections: CONNECTIONS,
            requests: self.requests.clone(),
        }
        .send_for(time);
        self.cpu
            .push((self.server.cpu() - before).as_secs_f64() * 1e6 / answers.count());
        self.a_second.push(answers.a_second());
        answers.a_second()
    }
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let other = std::env::args().find_map(|word| word.strip_prefix(OTHER).map(str::to_owned));
    // Each fills a store of its own. Beside another program this one runs as it is built, too: within the benchmark it is slower.
    let built = std::env::current_exe().expect("this program has a path");
    let built = built.ancestors().nth(2).expect("it is in `deps`").join("hitode");
    let run = |name: &str, program: Option<&Path>| {
        let data = folder.join(name);
        let server = match program {
            None => Server::start("program", &data, cores),
            Some(program) => {
                let mut command = Command::new(program);
                command.env("HITODE_OPERATOR_TOKEN", "operator");
                command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limits", "off", "--data"]);
                command.arg(data);
                Server::run(command, cores)
            }
        };
        let keys = accounts(&server);
        (server, keys)
    };
    let this = other.as_ref().map(|_| built.as_path());
    let [(own, own_keys), (keyed, keyed_keys)] = ["own", "keyed"].map(|name| run(name, this));
    let other = other.map(|program| run("other", Some(Path::new(&program))));
    let writes = |keys: &[String], more: &str| {
        let request = |key: &String| post(create_bounty::PATH, &(as_agent(key) + more), BODY);
        keys.iter().map(request).collect()
    };
    let rounds = rounds.unwrap_or(ROUNDS);
    let bar = other.is_some().then_some(BAR);
    if let Some((server, keys)) = &other {
        // While the stores are small and alike.
        for ((name, theirs), (_, ours)) in operations(server, keys).into_iter().zip(operations(&own, &own_keys)) {
            let variants = vec![
                Variant::new("the other program", server, vec![theirs], None),
                Variant::new("this program", &own, vec![ours], bar),
            ];
            compare(name, variants, rounds, SHORT);
        }
    }
    let mut variants = Vec::new();
    if let Some((server, keys)) = &other {
        variants.push(Variant::new("the other program", server, writes(keys, ""), None));
    }
    variants.push(Variant::new("this program", &own, writes(&own_keys, ""), bar));
    let key = header("Idempotency-Key", UNIQUE);
    variants.push(Variant::new(
        "with idempotency keys",
        &keyed,
        writes(&keyed_keys, &key),
        None,
    ));
    compare(
        &format!("Acknowledged `POST {}`", create_bounty::PATH),
        variants,
        rounds,
        TIME,
    );
}

/// Measures the variants in turn, and prints them.
fn compare(title: &str, mut variants: Vec<Variant<'_>>, rounds: usize, time: Duration) {
    for round in 1..=rounds {
        eprintln!("{title}, round {round} of {rounds}");
        let a_second: Vec<f64> = variants.iter_mut().map(|variant| variant.send(time)).collect();
        for (variant, own) in variants.iter_mut().zip(&a_second) {
            variant.of_first.push(own / a_second[0]);
        }
    }
    print(title, &variants);
}

fn as_agent(key: &str) -> String {
    header(contract::api_key::HEADER, key)
}

/// A request of each of these operations, to a server with a worker who has applied to bounties and has conversations.
fn operations(server: &Server, keys: &[String]) -> Vec<(&'static str, String)> {
    let operator = header("X-Operator-Token", "operator");
    let call = |request: String| -> Value {
        let load = Load {
            address: server.address,
            connections: 1,
            requests: vec![request],
        };
        serde_json::from_slice(&load.bodies(1)[0]).expect("JSON")
    };
    let worker = r#"{"name":"Worker","headline":"Photos","bio":"Photos","city":"足立区","state":"東京都","gender":"other","hourly_rate":2000,"skills":[]}"#;
    let worker = call(post("/operator/v1/humans", &operator, worker))["data"]["id"].clone();
    let token = call(post(&format!("/operator/v1/humans/{worker}/token"), &operator, ""));
    let as_worker = header("X-Worker-Token", token["data"]["token"].as_str().expect("a token"));
    let mut bounty = Value::Null;
    for key in &keys[..PARTIES] {
        bounty = call(post(create_bounty::PATH, &as_agent(key), BODY))["data"]["id"].clone();
        let applied = format!("/worker/v1/bounties/{bounty}/applications");
        call(post(&applied, &as_worker, r#"{"message":"I can be there tomorrow."}"#));
        let talk = format!(r#"{{"human_id":{worker},"message":"Hello"}}"#);
        call(post("/api/v1/conversations", &as_agent(key), &talk));
    }
    let agent = as_agent(&keys[PARTIES - 1]);
    vec![
        ("One bounty", get(&format!("/api/v1/bounties/{bounty}"), &agent)),
        (
            "The applications to a bounty",
            get(&format!("/api/v1/bounties/{bounty}/applications"), &agent),
        ),
        ("A worker's applications", get("/worker/v1/applications", &as_worker)),
        ("A worker's conversations", get("/worker/v1/conversations", &as_worker)),
        ("A worker's events", get("/worker/v1/events", &as_worker)),
        (
            "A changed account",
            send("PATCH /operator/v1/accounts/1", &operator, r#"{"name":"Speed"}"#),
        ),
    ]
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

fn print(title: &str, variants: &[Variant<'_>]) {
    println!("## {title} at {CONNECTIONS} connections\n");
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
