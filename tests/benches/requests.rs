//! The cost of a request, compared with a bare hyper server that sends a body of the same size; of a tool call, compared with the
//! request to its operation; and of emitted handlers, compared with handwritten ones.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use contract::agent::{create_bounty, get_human, list_humans};

use crate::emitted;
use crate::latency::Latencies;
use crate::load::{Load, get, header, post};
use crate::machine::Cores;
use crate::market;
use crate::process::Server;
use crate::table::{Rounds, Table, bar};

const CONNECTIONS: usize = 16;
const TIME: Duration = Duration::from_millis(1_500);
const ROUNDS: usize = 7;
const BOUNTY: &str =
    r#"{"title":"Photograph the shop front","description":"One picture of the front, in daylight.","budget":25}"#;

/// A server that answers one request, and the measured cost.
struct Variant {
    name: String,
    server: Rc<Server>,
    requests: Vec<String>,
    bytes: usize,
    bar: Option<f64>,
    cpu: Rounds,
    ratios: Rounds,
    a_second: Rounds,
    latencies: Latencies,
}

impl Variant {
    fn new(name: &str, server: &Rc<Server>, requests: Vec<String>, bar: Option<f64>) -> Self {
        let mut variant = Self {
            name: name.to_owned(),
            server: Rc::clone(server),
            requests,
            bytes: 0,
            bar,
            cpu: Rounds::default(),
            ratios: Rounds::default(),
            a_second: Rounds::default(),
            latencies: Latencies::default(),
        };
        variant.bytes = variant.load().body().len();
        variant
    }

    fn load(&self) -> Load {
        Load {
            address: self.server.address,
            connections: CONNECTIONS,
            requests: self.requests.clone(),
        }
    }

    /// Runs one round; returns the CPU microseconds of a request.
    fn measure(&mut self) -> f64 {
        let before = self.server.cpu();
        let answers = self.load().send_for(TIME);
        let cpu = (self.server.cpu() - before).as_secs_f64() * 1e6 / answers.count();
        self.cpu.push(cpu);
        self.a_second.push(answers.a_second());
        self.latencies.add(answers.latencies);
        cpu
    }

    fn cells(&self) -> Vec<String> {
        let [bar, met] = bar(&self.ratios, self.bar);
        let mut cells = vec![self.name.clone(), self.bytes.to_string(), self.cpu.cell(1)];
        cells.extend([
            self.ratios.cell(2),
            self.ratios.spread(),
            bar,
            met,
            self.a_second.cell(0),
        ]);
        cells.extend(self.latencies.cells());
        cells
    }
}

/// Variants that are compared with one: a bare server, which gets the same requests and answers with a body of the same
/// size, or a request that does the same.
struct Family {
    bare: Variant,
    variants: Vec<Variant>,
}

impl Family {
    fn new(variants: Vec<Variant>, cores: Cores) -> Self {
        let (bytes, requests) = (variants[0].bytes, variants[0].requests.clone());
        let bare = Rc::new(Server::start(&format!("bare {bytes}"), Path::new(""), cores));
        Self {
            bare: Variant::new("bare hyper", &bare, requests, None),
            variants,
        }
    }

    /// A tool call beside the request to its operation. It may cost 1.3 times as much.
    fn tool(rest: Variant, call: &str, heads: &[String]) -> Self {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{call}}}"#);
        let request = |head: &String| post(contract::agent::MCP_PATH, head, &body);
        let requests = heads.iter().map(request).collect();
        let name = format!("{}, as a tool", rest.name);
        Self {
            variants: vec![Variant::new(&name, &rest.server, requests, Some(1.0 / 1.3))],
            bare: rest,
        }
    }

    fn measure(&mut self) {
        let bare = self.bare.measure();
        for variant in &mut self.variants {
            let cpu = variant.measure();
            variant.ratios.push(bare / cpu);
            let (name, ratio) = (&variant.name, bare / cpu);
            eprintln!("  {name}: {cpu:.1} µs, {} {bare:.1} µs, {ratio:.2}", self.bare.name);
        }
    }
}

pub(crate) fn measure(folder: &Path, rounds: Option<usize>, cores: Cores) {
    let serving = |role: &str, workers: usize| {
        let folder = folder.join(format!("{role}-{workers}"));
        let keys = market::enter_for(&folder, workers, market::WRITERS, market::worker);
        let heads = keys.iter().map(|key| header(contract::api_key::HEADER, key)).collect();
        (Rc::new(Server::start(role, &folder, cores)), heads)
    };
    let asked = |name: &str, (server, heads): &(Rc<Server>, Vec<String>), path: &str, bar| {
        Variant::new(name, server, vec![get(path, &heads[0])], bar)
    };
    let empty = Rc::new(Server::start("empty", folder, cores));
    let (small, large) = (serving("synced", 1_000), serving("synced", 100_000));
    let program = serving("program", 1_000);
    let logged = ["text", "json", "short"].map(|form| (form, serving(&format!("logged {form}"), 1_000)));
    let ping = get(lockers::pulse::ping::PATH, "");
    let (worker, page) = (get_human::PATH.replace(":id", "500"), list_humans::PATH);
    let mut families = [
        vec![Variant::new(
            "empty generated operation",
            &empty,
            vec![ping],
            Some(0.85),
        )],
        vec![
            asked("one worker by id, limits on, log off", &small, &worker, Some(0.6)),
            asked(
                "by `hitode serve` with metrics, limits and log off",
                &program,
                &worker,
                None,
            ),
        ],
        vec![
            asked("20 of 1,000 workers", &small, page, None),
            asked("20 of 100,000 workers", &large, page, None),
        ],
    ];
    for (form, server) in &logged {
        let name = format!("by `hitode serve` with metrics and the log as {form}, limits off");
        families[1].push(asked(&name, server, &worker, None));
    }
    let (server, heads) = &small;
    let to_each = |request: &dyn Fn(&String) -> String| heads.iter().map(request).collect::<Vec<_>>();
    let tools = [
        (to_each(&|head| get(&worker, head)), "get_human", r#"{"id":500}"#),
        (to_each(&|head| get(page, head)), "list_humans", "{}"),
        (
            to_each(&|head| post(create_bounty::PATH, head, BOUNTY)),
            "create_bounty",
            BOUNTY,
        ),
    ];
    let tools = tools.map(|(requests, name, arguments)| {
        let call = format!(r#"{{"name":"{name}","arguments":{arguments}}}"#);
        Family::tool(Variant::new(name, server, requests, None), &call, heads)
    });
    let mut families: Vec<Family> = families.map(|variants| Family::new(variants, cores)).into();
    families.extend(tools);
    families.extend(handlers(folder, cores));
    let rounds = rounds.unwrap_or(ROUNDS);
    for round in 1..=rounds {
        eprintln!("requests, round {round} of {rounds}");
        families.iter_mut().for_each(Family::measure);
    }
    print(&families);
}

/// Operations with emitted handlers beside the same with handwritten ones. They may cost a tenth more.
fn handlers(folder: &Path, cores: Cores) -> impl Iterator<Item = Family> {
    let [emitted, handwritten] = ["emitted", "handwritten"].map(|role| Rc::new(Server::start(role, folder, cores)));
    emitted::requests().into_iter().map(move |(name, request)| {
        let variant = |kind: &str, server: &Rc<Server>, bar| {
            Variant::new(&format!("{name}, {kind}"), server, vec![request.clone()], bar)
        };
        Family {
            bare: variant("handwritten", &handwritten, None),
            variants: vec![variant("emitted", &emitted, Some(0.9))],
        }
    })
}

fn print(families: &[Family]) {
    println!("## Requests over {CONNECTIONS} connections\n");
    let mut table = Table::new(&[
        "what",
        "bytes",
        "CPU µs",
        "bare/this",
        "spread",
        "bar",
        "met",
        "a second",
        "p50 ms",
        "p90",
        "p99",
        "max",
    ]);
    for family in families {
        table.row(family.bare.cells());
        for variant in &family.variants {
            table.row(variant.cells());
        }
    }
    table.print();
}
