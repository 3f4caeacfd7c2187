//! Clients that write simultaneously, on purpose to the same few things, and note everything in the ledger.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};

use rand::Rng as _;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::draw::draw;
use super::ledger::{Act, Answered, Ledger, Outcome, Side};
use crate::disks::{is_of_unknown_outcome, is_unavailable, is_unwritable};
use test_support::http::{Answer, Connection};
use test_support::people::{Caller, worker};
use test_support::process::Service;

/// How writing ends, once enough acts were acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Every request is answered.
    Answered,
    /// The server is killed, with requests in progress.
    Killed,
    /// As `Answered`, unless nothing can be written any more, or the server ends.
    Failing,
}

/// Lets `writers` clients write until `enough` more acts were acknowledged.
pub(super) fn write(
    service: &Service,
    ledger: &Mutex<Ledger>,
    mut chance: StdRng,
    writers: usize,
    enough: usize,
    end: End,
) {
    let operator = Caller::operator_of(service);
    ledger.lock().expect("a lock").operator = Some(operator.secret.clone());
    let enough = ledger.lock().expect("a lock").acknowledged() + enough;
    let (reached, wait) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..writers {
            let writer = Writer {
                service,
                operator: operator.clone(),
                ledger,
                enough,
                reached: reached.clone(),
                end,
            };
            let seed = chance.next_u64();
            scope.spawn(move || writer.work(rand::SeedableRng::seed_from_u64(seed)));
        }
        drop(reached);
        // Also when all have ended, which before `enough` acts only a defect of the test can cause.
        let _ = wait.recv();
        if end == End::Killed {
            service.signal("KILL");
        }
    });
}

/// How often a writer goes on after a write has failed.
const REPEATED: usize = 2;

struct Writer<'t> {
    service: &'t Service,
    operator: Caller,
    ledger: &'t Mutex<Ledger>,
    enough: usize,
    reached: Sender<()>,
    end: End,
}

/// The HTTP request of an act.
pub(super) struct Request {
    pub(super) caller: Caller,
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) body: Value,
}

impl Writer<'_> {
    fn work(self, mut chance: StdRng) {
        let Ok(mut connection) = Connection::to(self.service.address) else {
            return;
        };
        // How many times it was answered that nothing can be written.
        let mut unwritten = 0;
        while !self.is_over() && unwritten <= REPEATED {
            let Some((number, request)) = self.draw(&mut chance) else {
                continue;
            };
            let Request {
                caller,
                method,
                path,
                body,
            } = request;
            // Without an answer the outcome stays unknown.
            let Ok(answer) = caller.over(&mut connection, method, &path, Some(&body)) else {
                return;
            };
            let mut ledger = self.ledger.lock().expect("a lock");
            if self.end == End::Failing && answer.status == 503 {
                // The first one may have waited for the sync that failed. After that, nothing is written.
                match answer.header("x-error-code") {
                    Some("unknown_outcome") if unwritten == 0 => is_of_unknown_outcome(&answer),
                    code => {
                        match code {
                            // A database may come back, a disk does not.
                            Some("unavailable") => is_unavailable(&answer),
                            _ => is_unwritable(&answer),
                        }
                        ledger.end(number, Outcome::Rejected);
                    }
                }
                unwritten += 1;
                continue;
            }
            assert!(
                unwritten == 0 || answer.status >= 400,
                "acknowledged after a failure: {answer:?}"
            );
            let outcome = outcome(&ledger.entries[number].act, &answer);
            ledger.end(number, outcome);
            if ledger.acknowledged() >= self.enough {
                let _ = self.reached.send(());
            }
        }
    }

    /// The writers continue until a kill, so that requests are in progress when it comes.
    fn is_over(&self) -> bool {
        self.end != End::Killed && self.ledger.lock().expect("a lock").acknowledged() >= self.enough
    }

    /// The next act, noted in the ledger. `None` if another writer is changing the same thing.
    fn draw(&self, chance: &mut StdRng) -> Option<(usize, Request)> {
        let mut ledger = self.ledger.lock().expect("a lock");
        let act = draw(&ledger, chance);
        let request = request(self.service.address, &self.operator, &ledger, &act);
        ledger.begin(act).map(|number| (number, request))
    }
}

/// The request of an act that was drawn.
pub(super) fn request(at: SocketAddr, operator: &Caller, ledger: &Ledger, act: &Act) -> Request {
    let operator = || operator.clone();
    let agent = |of: &i64| Caller::agent(at, ledger.key_of(*of).expect("only those with a key are drawn"));
    let human = |of: &i64| Caller::worker(at, ledger.token_of(*of).expect("only those with a token are drawn"));
    let (caller, method, path, body) = match act {
        Act::Account { name } => (
            operator(),
            "POST",
            "/accounts".to_owned(),
            json!({ "name": name, "plan": "verified" }),
        ),
        Act::Human { headline } => {
            let mut body = worker();
            body["headline"] = json!(headline);
            (operator(), "POST", "/humans".to_owned(), body)
        }
        Act::Token { human } => (operator(), "POST", format!("/humans/{human}/token"), json!({})),
        Act::Bounty {
            account,
            title,
            description,
        } => {
            let body = json!({ "title": title, "description": description, "budget": 20 });
            (agent(account), "POST", "/bounties".to_owned(), body)
        }
        Act::Status { account, bounty, to } => (
            agent(account),
            "PATCH",
            format!("/bounties/{bounty}"),
            json!({ "status": to }),
        ),
        Act::Application {
            bounty,
            human: of,
            message,
            ..
        } => (
            human(of),
            "POST",
            format!("/bounties/{bounty}/applications"),
            json!({ "message": message }),
        ),
        Act::Decision {
            account,
            bounty,
            application,
            to,
        } => {
            let path = format!("/bounties/{bounty}/applications/{application}");
            (agent(account), "PATCH", path, json!({ "status": to }))
        }
        Act::Conversation {
            account,
            human,
            message,
        } => {
            let body = json!({ "human_id": human, "message": message });
            (agent(account), "POST", "/conversations".to_owned(), body)
        }
        Act::Message {
            account,
            human: of,
            conversation,
            from,
            content,
        } => {
            let caller = match from {
                Side::Agent => agent(account),
                Side::Human => human(of),
            };
            (
                caller,
                "POST",
                format!("/conversations/{conversation}/messages"),
                json!({ "content": content }),
            )
        }
        Act::Key { account, name } => (agent(account), "POST", "/keys".to_owned(), json!({ "name": name })),
        Act::Revocation { account, key } => (agent(account), "DELETE", format!("/keys/{key}"), json!({})),
    };
    Request {
        caller,
        method,
        path,
        body,
    }
}

/// The outcome in an answer. An error response must be one that the contract allows when writers compete.
#[track_caller]
pub(super) fn outcome(act: &Act, answer: &Answer) -> Outcome {
    if answer.status < 300 {
        let json = answer.json();
        let number = |name: &str| json["data"][name].as_i64();
        let secret = |name: &str| json["data"][name].as_str();
        return Outcome::Done(Answered {
            id: number("id").unwrap_or(0),
            second: number("key_id").or(number("message_id")).unwrap_or(0),
            secret: secret("key").or(secret("token")).unwrap_or("").to_owned(),
            request: answer.header("x-request-id").expect("a request id").to_owned(),
        });
    }
    let expected: &[u16] = match act {
        // The bounty may be closed or applied to by now; the token may have ended.
        Act::Application { .. } => &[400, 401],
        Act::Message { from: Side::Human, .. } => &[401],
        // The contract does not allow this transition.
        Act::Status { .. } | Act::Decision { .. } => &[400],
        // Another request got the third key.
        Act::Key { .. } => &[403],
        _ => &[],
    };
    assert!(expected.contains(&answer.status), "{act:?}: {answer:?}");
    Outcome::Rejected
}
