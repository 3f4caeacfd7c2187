//! The requests, the check that both servers answer them alike, and the measurement.

use std::fmt::Write;
use std::time::Duration;

use contract::agent::{get_human, list_humans};
use hitode::search::Query;
use serde_json::Value;

use crate::latency::Latencies;
use crate::load::{Load, get, header};
use crate::population::{Condition, Dice, SHAPES, query};
use crate::process::Server;
use crate::table::Rounds;

/// Searches of each shape in the mix, and requests of the other groups.
const REQUESTS: usize = 60;
/// Answers of each group that are compared.
const COMPARED: usize = 10 * SHAPES.len();
/// The time for each group and server in a round; longer if the requests need it once.
const TIME: Duration = Duration::from_secs(1);
pub(super) const SERVERS: [&str; 3] = ["Hitode", "axum + SQLite", "bare hyper"];

/// Requests of one kind.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) requests: Vec<String>,
    /// For each of [`SERVERS`].
    pub(super) measured: [Measured; 3],
}

/// The requests of a group on one server.
#[derive(Default)]
pub(super) struct Measured {
    /// Microseconds of a request.
    pub(super) cpu: Rounds,
    /// In the order of the requests.
    latencies: Vec<Duration>,
    /// CPU time, p50 and p99, as multiples of Hitode's in the same round.
    pub(super) ratios: [Rounds; 3],
}

impl Measured {
    /// Runs one round; returns CPU time, p50 and p99 in microseconds.
    fn measure(&mut self, server: &Server, requests: &[String]) -> [f64; 3] {
        let before = server.cpu();
        let latencies = load(server, requests).repeat_for(TIME);
        let cpu = (server.cpu() - before).as_secs_f64() * 1e6 / latencies.len() as f64;
        self.cpu.push(cpu);
        self.latencies.extend(&latencies);
        let latencies = Latencies::from_durations(latencies);
        [cpu, latencies.quantile(0.5), latencies.quantile(0.99)]
    }

    /// Microseconds over all rounds.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        Latencies::from_durations(self.latencies.clone()).quantile(share)
    }

    /// The median of one shape of the mix, in microseconds.
    pub(super) fn median_of_shape(&self, shape: usize) -> f64 {
        let latencies = self.latencies.iter().skip(shape).step_by(SHAPES.len());
        Latencies::from_durations(latencies.copied().collect()).quantile(0.5)
    }
}

impl Group {
    /// Compares answers; returns the bytes of the first one.
    pub(super) fn check(&self, servers: &[Server; 2]) -> usize {
        let [hitode, peer] = servers
            .each_ref()
            .map(|server| load(server, &self.requests).bodies(COMPARED));
        for ((hitode, peer), request) in hitode.iter().zip(&peer).zip(&self.requests) {
            assert_eq!(parsed(hitode), parsed(peer), "the answers to {request} differ");
        }
        hitode[0].len()
    }

    pub(super) fn measure(&mut self, servers: [&Server; 3]) {
        let mut hitode = None;
        for (measured, server) in self.measured.iter_mut().zip(servers) {
            let present = measured.measure(server, &self.requests);
            let base = *hitode.get_or_insert(present);
            for (ratios, (present, base)) in measured.ratios.iter_mut().zip(present.into_iter().zip(base)) {
                ratios.push(present / base);
            }
        }
    }
}

fn load(server: &Server, requests: &[String]) -> Load {
    Load {
        address: server.address,
        connections: 1,
        requests: requests.to_vec(),
    }
}

/// JSON with all numbers as `f64`: 5 and 5.0 are equal.
fn parsed(body: &[u8]) -> Value {
    fn plain(value: &mut Value) {
        match value {
            Value::Number(number) => *value = number.as_f64().into(),
            Value::Array(values) => values.iter_mut().for_each(plain),
            Value::Object(members) => members.values_mut().for_each(plain),
            _ => {}
        }
    }
    let mut value = serde_json::from_slice(body).expect("an answer is JSON");
    plain(&mut value);
    value
}

pub(super) fn groups(workers: u64, key: &str) -> [Group; 3] {
    let mut dice = Dice(workers);
    let key = header(contract::api_key::HEADER, key);
    let shapes = SHAPES.iter().cycle().take(REQUESTS * SHAPES.len());
    let (_, of_state, _) = SHAPES[3];
    let mut search = |conditions: &[Condition], offset| get(&path(&query(conditions, &mut dice), offset), &key);
    let mix = shapes
        .map(|(_, conditions, offset)| search(conditions, *offset))
        .collect();
    let pages = (0..REQUESTS).map(|_| search(of_state, 0)).collect();
    let mut id = || 1 + dice.roll(workers);
    let path = |id: u64| get_human::PATH.replace(":id", &id.to_string());
    let items = (0..REQUESTS).map(|_| get(&path(id()), &key)).collect();
    [
        ("searches of all shapes", mix),
        ("20 of a prefecture", pages),
        ("one worker by id", items),
    ]
    .map(|(name, requests)| Group {
        name,
        requests,
        measured: Default::default(),
    })
}

fn path(query: &Query, offset: usize) -> String {
    let number = |number: contract::Number| number.get().to_string();
    let parameters = [
        ("skill", query.skill.clone()),
        ("state", query.state.clone()),
        ("gender", query.gender.map(|gender| gender.as_str().to_owned())),
        ("minRate", query.min_rate.map(number)),
        ("maxRate", query.max_rate.map(number)),
    ];
    let mut path = format!("{}?limit=20&offset={offset}", list_humans::PATH);
    for (name, value) in parameters {
        if let Some(value) = value {
            write!(path, "&{name}={}", percent_encoded(&value)).expect("a text takes more");
        }
    }
    path
}

fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'.' => encoded.push(char::from(byte)),
            _ => write!(encoded, "%{byte:02X}").expect("a text takes more"),
        }
        encoded
    })
}
