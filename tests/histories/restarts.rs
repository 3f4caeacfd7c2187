//! Histories of calls to a server process that is stopped or killed between the calls: it goes on where it was.

use super::{MODEL, shown};
use crate::evolution::OPERATOR_TOKEN;
use conformance::{Histories, HistoryOptions, HttpSender, Level, Request, Response};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::sync::Mutex;
use tempfile::TempDir;
use test_support::process::{Launch, Service, directory};

/// The number of calls.
const CALLS: &str = "HITODE_RESTART_CALLS";

/// How many calls come between two ends, on average.
const CALLS_PER_END: f64 = 40.0;

/// A server whose process ends now and then.
struct Mortal {
    data: TempDir,
    random: StdRng,
    life: Option<Life>,
    kills: usize,
    stops: usize,
}

struct Life {
    service: Service,
    http: HttpSender,
}

impl Mortal {
    fn new(seed: u64) -> Self {
        let mut mortal = Self {
            data: directory(),
            random: StdRng::seed_from_u64(seed),
            life: None,
            kills: 0,
            stops: 0,
        };
        mortal.life = Some(mortal.start());
        mortal
    }

    fn start(&self) -> Life {
        let launch = Launch::on(self.data.path());
        let launch = launch.arg("--rate-limits").arg("off").arg("--webhook-reach").arg("any");
        let service = launch.variable("HITODE_OPERATOR_TOKEN", OPERATOR_TOKEN).start();
        let http = HttpSender::new(&format!("http://{}", service.address), &MODEL).expect("the machine has threads");
        Life { service, http }
    }

    /// Sends a request, sometimes after an end and another start.
    fn send(&mut self, request: &Request) -> Result<Response, String> {
        if self.random.random_bool(1.0 / CALLS_PER_END)
            && let Some(Life { mut service, http }) = self.life.take()
        {
            drop(http);
            match self.random.random_bool(0.5) {
                true => {
                    self.kills += 1;
                    service.signal("KILL");
                    assert_eq!(service.end().code, None);
                }
                false => {
                    self.stops += 1;
                    assert_eq!(service.stop().code, Some(0));
                }
            }
            self.life = Some(self.start());
        }
        let life = self.life.as_ref().expect("it was started again");
        life.http.send(request)
    }
}

#[test]
fn a_server_that_is_stopped_and_killed_between_calls_and_its_contract_do_not_differ() {
    let calls = std::env::var(CALLS).ok().and_then(|calls| calls.parse().ok());
    let options = HistoryOptions {
        calls: calls.unwrap_or(400),
        level: Level::Texts,
        is_limited: false,
        ..HistoryOptions::default()
    };
    let mortal = Mutex::new(Mortal::new(options.seed));
    let send = |request: &Request| mortal.lock().expect("no call panics").send(request);
    let roots = vec![("operator_token".to_owned(), OPERATOR_TOKEN.to_owned())];
    let report = Histories::run(&MODEL, &send, roots, &options);
    let mortal = mortal.into_inner().expect("no call panics");
    println!("{} kills, {} stops, {}", mortal.kills, mortal.stops, shown(&report));
    assert!(report.differences.is_empty(), "{}", shown(&report));
    assert!(mortal.kills > 0 && mortal.stops > 0, "it never ended");
}
