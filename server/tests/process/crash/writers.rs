//! Clients that write all at once, on purpose to the same few things, and note everything in the ledger.

use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};

use rand::rngs::StdRng;
use rand::{Rng as _, RngExt as _};
use serde_json::{Value, json};

use super::ledger::{Act, Answered, Ledger, Outcome, Side};
use crate::http::{Answer, Connection};
use crate::people::{Caller, worker};
use crate::service::Service;

/// How a spell of writing ends, once enough was acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Every request that was begun is answered.
    Answered,
    /// The server is killed, whatever is under way.
    Killed,
}

/// The most characters of a message in the contract: far more than a value in the store may have in one piece.
const LONGEST: usize = 10_000;

/// How many of the last entries the writers look for something to write to.
const WINDOW: usize = 400;

/// Has `writers` clients write until `enough` more acts were acknowledged.
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
        // Also when all have ended, which only a fault of the test can bring about before there is enough.
        let _ = wait.recv();
        if end == End::Killed {
            service.signal("KILL");
        }
    });
}

struct Writer<'t> {
    service: &'t Service,
    operator: Caller,
    ledger: &'t Mutex<Ledger>,
    enough: usize,
    reached: Sender<()>,
    end: End,
}

/// What an act is in HTTP.
struct Request {
    caller: Caller,
    method: &'static str,
    path: String,
    body: Value,
}

impl Writer<'_> {
    fn work(self, mut chance: StdRng) {
        let Ok(mut connection) = Connection::to(self.service.address) else {
            return;
        };
        while !self.is_over() {
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
            let outcome = outcome(&ledger.entries[number].act, &answer);
            ledger.end(number, outcome);
            if ledger.acknowledged() >= self.enough {
                let _ = self.reached.send(());
            }
        }
    }

    /// Whoever is to be killed goes on until it is.
    fn is_over(&self) -> bool {
        self.end == End::Answered && self.ledger.lock().expect("a lock").acknowledged() >= self.enough
    }

    /// The next act, noted. None if another writer is about to change the same.
    fn draw(&self, chance: &mut StdRng) -> Option<(usize, Request)> {
        let mut ledger = self.ledger.lock().expect("a lock");
        let act = draw(&ledger, chance);
        let request = self.request(&ledger, &act);
        ledger.begin(act).map(|number| (number, request))
    }

    fn request(&self, ledger: &Ledger, act: &Act) -> Request {
        let operator = || self.operator.clone();
        let agent = |of: &i64| {
            Caller::agent(
                self.service,
                ledger.key_of(*of).expect("only those with a key are drawn"),
            )
        };
        let human = |of: &i64| {
            Caller::worker(
                self.service,
                ledger.token_of(*of).expect("only those with a token are drawn"),
            )
        };
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
}

/// What an answer says. A refusal must be one that the contract has for what the writers do to each other.
#[track_caller]
fn outcome(act: &Act, answer: &Answer) -> Outcome {
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
        // Closed or applied to by now; a token that has ended by now.
        Act::Application { .. } => &[400, 401],
        Act::Message { from: Side::Human, .. } => &[401],
        // The third key went to another.
        Act::Key { .. } => &[403],
        _ => &[],
    };
    assert!(expected.contains(&answer.status), "{act:?}: {answer:?}");
    Outcome::Refused
}

/// Something to do with what is there. Mostly with the latest, so that many do it to the same.
fn draw(ledger: &Ledger, chance: &mut StdRng) -> Act {
    let number = ledger.entries.len();
    let end = if chance.random_ratio(9, 10) {
        number
    } else {
        chance.random_range(0..=number)
    };
    let window = Window {
        ledger,
        from: end.saturating_sub(WINDOW),
        end,
    };
    let name = |what: &str| format!("#{number} {what}");
    let said = text(number, chance);
    let act = match chance.random_range(0..100) {
        0..3 => Some(Act::Account { name: name("account") }),
        3..6 => Some(Act::Human {
            headline: name("worker"),
        }),
        6..10 => window.human(chance).map(|human| Act::Token { human }),
        10..24 => window.account(chance).map(|account| Act::Bounty {
            account,
            title: name("bounty"),
            description: said,
        }),
        24..42 => window.application(chance, said),
        42..50 => window.decision(chance),
        50..57 => window.conversation(chance, said),
        57..76 => window.message(chance, said),
        76..86 => window.account(chance).map(|account| Act::Key {
            account,
            name: name("key"),
        }),
        86..92 => window.revocation(chance),
        _ => window.status(chance),
    };
    act.unwrap_or_else(|| match window.human(chance) {
        Some(human) if ledger.token_of(human).is_none() => Act::Token { human },
        _ if chance.random() => Act::Human {
            headline: name("worker"),
        },
        _ => Act::Account { name: name("account") },
    })
}

/// A text that only this entry sends; one of eight is long, of characters with three bytes.
fn text(number: usize, chance: &mut StdRng) -> String {
    let short = format!("#{number} said once.");
    if chance.random_ratio(7, 8) {
        return short;
    }
    let length = *[1_500, 1_700, 5_000, LONGEST]
        .get(chance.random_range(0..4))
        .expect("one of four");
    let rest = (0..length - short.chars().count())
        .map(|place| char::from_u32(0x4E00 + ((number * 31 + place) % 20_000) as u32));
    short
        .chars()
        .chain(rest.map(|known| known.expect("a character")))
        .collect()
}

/// The entries among which something is looked for.
struct Window<'l> {
    ledger: &'l Ledger,
    from: usize,
    end: usize,
}

impl Window<'_> {
    /// One of the last `width` that `of` finds among the acknowledged acts.
    fn one<T>(&self, chance: &mut StdRng, width: usize, of: impl Fn(&Act, &Answered) -> Option<T>) -> Option<T> {
        let window = self.ledger.entries[self.from..self.end].iter().rev();
        let found = window.filter_map(|entry| of(&entry.act, entry.done()?));
        let mut found: Vec<T> = found.take(width).collect();
        (!found.is_empty()).then(|| found.swap_remove(chance.random_range(0..found.len())))
    }

    fn account(&self, chance: &mut StdRng) -> Option<i64> {
        self.one(chance, 6, |act, done| {
            (matches!(act, Act::Account { .. }) && !done.secret.is_empty()).then_some(done.id)
        })
    }

    fn human(&self, chance: &mut StdRng) -> Option<i64> {
        self.one(chance, 4, |act, done| {
            matches!(act, Act::Human { .. }).then_some(done.id)
        })
    }

    fn human_with_token(&self, chance: &mut StdRng) -> Option<i64> {
        let human = self.human(chance)?;
        self.ledger.token_of(human).map(|_| human)
    }

    fn application(&self, chance: &mut StdRng, message: String) -> Option<Act> {
        let human = self.human_with_token(chance)?;
        self.one(chance, 8, |act, done| match *act {
            Act::Bounty { account, .. } => Some((account, done.id)),
            _ => None,
        })
        .map(|(account, bounty)| Act::Application {
            account,
            bounty,
            human,
            message,
        })
    }

    fn decision(&self, chance: &mut StdRng) -> Option<Act> {
        let to = if chance.random() { "accepted" } else { "rejected" };
        self.one(chance, 20, |act, done| match *act {
            Act::Application { account, bounty, .. } => Some(Act::Decision {
                account,
                bounty,
                application: done.id,
                to,
            }),
            _ => None,
        })
        .filter(|act| self.is_reachable(act))
    }

    fn status(&self, chance: &mut StdRng) -> Option<Act> {
        let statuses = ["open", "in_progress", "completed", "cancelled"];
        let to = statuses[chance.random_range(0..statuses.len())];
        self.one(chance, 20, |act, done| match *act {
            Act::Bounty { account, .. } => Some(Act::Status {
                account,
                bounty: done.id,
                to,
            }),
            _ => None,
        })
        .filter(|act| self.is_reachable(act))
    }

    fn conversation(&self, chance: &mut StdRng, message: String) -> Option<Act> {
        let (account, human) = (self.account(chance)?, self.human(chance)?);
        Some(Act::Conversation {
            account,
            human,
            message,
        })
    }

    fn message(&self, chance: &mut StdRng, content: String) -> Option<Act> {
        let agent = chance.random();
        let (account, human, conversation) = self.one(chance, 6, |act, done| match *act {
            Act::Conversation { account, human, .. } => Some((account, human, done.id)),
            _ => None,
        })?;
        let from = if agent { Side::Agent } else { Side::Human };
        if from == Side::Human && self.ledger.token_of(human).is_none() {
            return None;
        }
        Some(Act::Message {
            account,
            human,
            conversation,
            from,
            content,
        })
    }

    /// Of a key that was not revoked before.
    fn revocation(&self, chance: &mut StdRng) -> Option<Act> {
        let act = self.one(chance, 12, |act, done| match *act {
            Act::Key { account, .. } => Some(Act::Revocation { account, key: done.id }),
            _ => None,
        })?;
        let again = self
            .ledger
            .entries
            .iter()
            .any(|entry| entry.act == act && entry.outcome != Outcome::Refused);
        (!again && self.is_reachable(&act)).then_some(act)
    }

    /// Whether there is a key to ask it with: that of an account whose making was never answered is not known.
    fn is_reachable(&self, act: &Act) -> bool {
        act.account()
            .is_some_and(|account| self.ledger.key_of(account).is_some())
    }
}
