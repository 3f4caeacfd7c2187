//! Clients that write through all servers in turn and through the balancer, and end credentials.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::ended::{Credential, Ended};
use super::servers::{Fleet, SERVERS};
use crate::crash::draw::draw;
use crate::crash::gather;
use crate::crash::kill::{WRITERS, scope};
use crate::crash::ledger::{Act, Answered, Ledger, Outcome};
use crate::crash::verify::check;
use crate::crash::writers::{Request, outcome, request};
use test_support::http::{Answer, Connection};
use test_support::process::DEADLINE;

/// How long a client waits for an answer before it asks another server.
const PATIENCE: Duration = Duration::from_secs(3);

/// The longest pause of a writer between two acts, in milliseconds.
const PAUSE: u64 = 1_000;

pub(super) struct Load<'f> {
    pub(super) fleet: &'f Fleet<'f>,
    pub(super) ledger: Mutex<Ledger>,
    pub(super) ended: Ended,
    is_over: AtomicBool,
    /// Connections whose answers did not come in time, with the entries that they are for.
    late: Mutex<Vec<(usize, Connection)>>,
    /// Requests that were answered by another server than the first one.
    pub(super) retried: AtomicUsize,
    acknowledged: Mutex<Acknowledged>,
}

/// When writes were acknowledged.
struct Acknowledged {
    count: usize,
    last: Instant,
    longest_pause: Duration,
}

/// Ends the load, also if the test fails.
struct EndOf<'l>(&'l AtomicBool);

impl Drop for EndOf<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<'f> Load<'f> {
    pub(super) fn on(fleet: &'f Fleet<'f>) -> Load<'f> {
        let mut ledger = Ledger::default();
        ledger.operator = Some(fleet.operator().secret);
        let name = "#0 account".to_owned();
        let first = ledger.begin(Act::Account { name }).expect("no other one");
        ledger.end(
            first,
            Outcome::Done(Answered {
                id: fleet.account,
                ..Answered::default()
            }),
        );
        let (count, last, longest_pause) = (0, Instant::now(), Duration::ZERO);
        Load {
            fleet,
            ledger: Mutex::new(ledger),
            ended: Ended::default(),
            is_over: AtomicBool::new(false),
            late: Mutex::default(),
            retried: AtomicUsize::new(0),
            acknowledged: Mutex::new(Acknowledged {
                count,
                last,
                longest_pause,
            }),
        }
    }

    /// Does something while the clients work, and then waits for their answers.
    pub(super) fn during(&self, chance: &mut StdRng, fault: impl FnOnce(&mut StdRng)) {
        self.is_over.store(false, Ordering::Relaxed);
        thread::scope(|scope| {
            let _end = EndOf(&self.is_over);
            for number in 0..WRITERS {
                let (mut client, chance) = (Client::new(self, number), StdRng::seed_from_u64(chance.random()));
                scope.spawn(move || client.write(chance));
            }
            for number in 0..SERVERS {
                let (mut client, mut dice) = (Client::new(self, number), StdRng::seed_from_u64(chance.random()));
                let address = client.targets[number];
                scope.spawn(move || client.end_credentials(scope));
                scope.spawn(move || {
                    while !self.is_over() {
                        self.ended.try_one(address, &mut dice);
                        thread::sleep(Duration::from_millis(20));
                    }
                });
            }
            fault(chance);
        });
        self.late_answers();
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// What was answered so late that it was asked for again must agree with the other answer.
    fn late_answers(&self) {
        for (number, mut connection) in self.late.lock().expect("a lock").drain(..) {
            let answer = connection.wait_at_most(DEADLINE).and_then(|()| connection.answer());
            let Some(answer) = answer.ok().filter(|answer| answer.status < 300) else {
                continue;
            };
            let mut ledger = self.ledger.lock().expect("a lock");
            let entry = &ledger.entries[number];
            match entry.done() {
                Some(done) => assert_eq!(done.id, answer.id(), "{:?} was done twice", entry.act),
                None => {
                    let outcome = outcome(&entry.act, &answer);
                    ledger.end(number, outcome);
                }
            }
        }
    }

    /// Compares what each server shows with what was acknowledged.
    pub(super) fn check(&self, everything: bool, eighth: usize) {
        (0..SERVERS).for_each(|server| self.fleet.catch_up(server));
        let mut ledger = self.ledger.lock().expect("a lock");
        for server in 0..SERVERS {
            let scope = match everything {
                true => gather::Scope::all(&ledger),
                false => scope(&ledger, false, eighth),
            };
            let service = self.fleet.service(server);
            let verdict = check(&service, &ledger, &scope);
            assert!(verdict.is_whole(), "server {server}: {verdict}");
            // So that what the next one shows has to be the same.
            verdict.settle(&mut ledger);
        }
        ledger.end_round();
        let opened = self.ended.opened.lock().expect("a lock");
        assert!(opened.is_empty(), "{}", opened.join("\n"));
    }

    pub(super) fn acknowledged(&self) -> usize {
        self.acknowledged.lock().expect("a lock").count
    }

    /// Waits until so many more writes are acknowledged. Returns the longest pause between two since the last call.
    pub(super) fn wait_for(&self, more: usize) -> Duration {
        let (begun, enough) = (Instant::now(), self.acknowledged() + more);
        while self.acknowledged() < enough {
            assert!(
                begun.elapsed() < DEADLINE,
                "writes do not go on:\n{}",
                self.fleet.logs()
            );
            thread::sleep(Duration::from_millis(5));
        }
        std::mem::take(&mut self.acknowledged.lock().expect("a lock").longest_pause)
    }

    pub(super) fn is_acknowledged(&self) {
        let mut acknowledged = self.acknowledged.lock().expect("a lock");
        acknowledged.count += 1;
        acknowledged.longest_pause = acknowledged.longest_pause.max(acknowledged.last.elapsed());
        acknowledged.last = Instant::now();
    }

    /// Notes the end of an act, and which credential has ended with it.
    fn note(&self, number: usize, answer: &Answer) {
        let mut ledger = self.ledger.lock().expect("a lock");
        let act = ledger.entries[number].act.clone();
        let ended = match act {
            Act::Token { human } => ledger.token_of(human).map(Credential::token),
            Act::Revocation { key, .. } => {
                let of = |(act, done): &(&Act, &Answered)| matches!(act, Act::Key { .. }) && done.id == key;
                let created = ledger.done().find(of).map(|(_, done)| done.secret.as_str());
                created.filter(|secret| !secret.is_empty()).map(Credential::key)
            }
            _ => None,
        };
        let outcome = match answer.status {
            // This server had not heard of a new credential or record, or the credential has just ended.
            401 | 404 => Outcome::Rejected,
            _ => outcome(&act, answer),
        };
        if matches!(outcome, Outcome::Done(_)) {
            ended.into_iter().for_each(|credential| self.ended.add(credential));
            self.is_acknowledged();
        }
        ledger.end(number, outcome);
    }
}

/// A client that calls one target after the other.
pub(super) struct Client<'l> {
    pub(super) load: &'l Load<'l>,
    pub(super) targets: Vec<SocketAddr>,
    connections: Vec<Option<Connection>>,
    pub(super) turn: usize,
}

impl<'l> Client<'l> {
    fn new(load: &'l Load<'l>, turn: usize) -> Client<'l> {
        let targets = load.fleet.targets();
        let connections = targets.iter().map(|_| None).collect();
        Client {
            load,
            targets,
            connections,
            turn,
        }
    }

    fn write(&mut self, mut chance: StdRng) {
        while !self.load.is_over() {
            let drawn = {
                let mut ledger = self.load.ledger.lock().expect("a lock");
                let act = draw(&ledger, &mut chance);
                let request = request(self.targets[0], &self.load.fleet.operator(), &ledger, &act);
                ledger.begin(act.clone()).map(|number| (number, act, request))
            };
            if let Some((number, act, request)) = drawn
                && let Some(answer) = self.ask(number, &act, &request)
            {
                self.load.note(number, &answer);
            }
            thread::sleep(Duration::from_millis(chance.random_range(0..PAUSE)));
        }
    }

    /// Asks for an act. If the outcome is unknown and it has an idempotency key, another server is asked. `None`: the outcome
    /// stays unknown.
    fn ask(&mut self, number: usize, act: &Act, request: &Request) -> Option<Answer> {
        // These create something without a secret.
        let is_keyed = matches!(
            act,
            Act::Human { .. }
                | Act::Bounty { .. }
                | Act::Application { .. }
                | Act::Conversation { .. }
                | Act::Message { .. }
        );
        let key = is_keyed.then(|| number.to_string());
        let mut is_first = true;
        loop {
            self.turn += 1;
            let target = self.turn % self.targets.len();
            let answer = self.call(target, Some(number), request, key.as_deref());
            // The balancer sends a request with a key again, too.
            is_first &= !is_keyed || target < SERVERS;
            match answer {
                Some(answer) if ![409, 502, 503, 504].contains(&answer.status) => {
                    self.load.retried.fetch_add(usize::from(!is_first), Ordering::Relaxed);
                    // The first one may have been done nevertheless, and the credential have ended after it.
                    return (is_first || answer.status < 300).then_some(answer);
                }
                _ if !is_keyed || self.load.is_over() => return None,
                _ => is_first = false,
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub(super) fn call(
        &mut self,
        target: usize,
        number: Option<usize>,
        request: &Request,
        key: Option<&str>,
    ) -> Option<Answer> {
        let mut connection = match self.connections[target].take() {
            Some(connection) => connection,
            None => Connection::to(self.targets[target]).ok()?,
        };
        connection.wait_at_most(PATIENCE).ok()?;
        let Request {
            caller,
            method,
            path,
            body,
        } = request;
        match caller.over_with_key(&mut connection, method, path, Some(body), key) {
            Ok(answer) => {
                self.connections[target] = Some(connection);
                Some(answer)
            }
            Err(error) => {
                let is_late = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
                let late = number.filter(|_| is_late).map(|number| (number, connection));
                self.load.late.lock().expect("a lock").extend(late);
                None
            }
        }
    }
}
