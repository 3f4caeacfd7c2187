//! Collects what the server shows over HTTP, without comparing it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::ledger::{Act, Ledger};
use test_support::http::Connection;
use test_support::people::Caller;
use test_support::process::{DEADLINE, Service};

/// Resources by their ids, in the order of the ids.
pub(super) type Rows = BTreeMap<i64, Value>;

/// The accounts and workers whose details are read. The lists of accounts, workers and open bounties are always read
/// completely.
pub(super) struct Scope {
    pub(super) accounts: BTreeSet<i64>,
    pub(super) humans: BTreeSet<i64>,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Snapshot {
    pub(super) accounts: Rows,
    pub(super) humans: Rows,
    pub(super) open: Rows,
    /// By account with a valid key: what its agent sees.
    pub(super) agents: BTreeMap<i64, AgentSees>,
    /// By worker with a valid token.
    pub(super) workers: BTreeMap<i64, WorkerSees>,
    /// The status of the answer to each key and token in the scope.
    pub(super) secrets: HashMap<String, u16>,
    /// Wrong rejections, duplicates in a list, and wrong totals.
    pub(super) errors: Vec<String>,
}

#[derive(Debug, Default, Clone)]
pub(super) struct AgentSees {
    pub(super) keys: Rows,
    pub(super) inbox: Rows,
    pub(super) conversations: Rows,
    pub(super) bounties: Rows,
    /// By bounty.
    pub(super) applications: BTreeMap<i64, Rows>,
}

#[derive(Debug, Default, Clone)]
pub(super) struct WorkerSees {
    pub(super) applications: Rows,
    pub(super) inbox: Rows,
    pub(super) conversations: Rows,
}

impl Scope {
    /// Everything.
    pub(super) fn all(ledger: &Ledger) -> Scope {
        Scope::from_ledger(ledger, |_, _| true)
    }

    /// The accounts and workers of the entries from this one on, and an eighth of the others.
    pub(super) fn since(ledger: &Ledger, first: usize, eighth: usize) -> Scope {
        Scope::from_ledger(ledger, |number, id| number >= first || id % 8 == eighth as i64 % 8)
    }

    /// The accounts and workers that are chosen by the number of an entry and the id.
    fn from_ledger(ledger: &Ledger, chosen: impl Fn(usize, i64) -> bool) -> Scope {
        let mut scope = Scope {
            accounts: BTreeSet::new(),
            humans: BTreeSet::new(),
        };
        for (number, entry) in ledger.entries.iter().enumerate() {
            let created = entry.done().map(|done| done.id);
            let (account, human) = match entry.act {
                Act::Account { .. } => (created, None),
                Act::Human { .. } => (None, created),
                _ => (entry.act.account(), entry.act.human()),
            };
            scope.accounts.extend(account.filter(|id| chosen(number, *id)));
            scope.humans.extend(human.filter(|id| chosen(number, *id)));
        }
        scope
    }
}

/// Reads the lists, and the details of the scope.
pub(super) fn gather(service: &Service, ledger: &Ledger, scope: &Scope) -> Snapshot {
    let mut look = Look {
        service,
        connection: Connection::to(service.address).expect("the server takes connections"),
        snapshot: Snapshot::default(),
    };
    look.secrets(ledger, scope);
    look.lists();
    for account in &scope.accounts {
        if let Some(key) = ledger.key_of(*account).filter(|key| look.works(key)) {
            let bounties = ledger
                .done()
                .filter(|(act, _)| matches!(act, Act::Bounty { account: of, .. } if of == account));
            let bounties = bounties.map(|(_, done)| done.id).collect();
            look.as_agent(*account, &Caller::agent(service, key), bounties);
        }
    }
    for human in &scope.humans {
        if let Some(token) = ledger.token_of(*human).filter(|token| look.works(token)) {
            look.as_worker(*human, &Caller::worker(service, token));
        }
    }
    look.snapshot
}

struct Look<'s> {
    service: &'s Service,
    connection: Connection,
    snapshot: Snapshot,
}

impl Look<'_> {
    /// Tries every key and token.
    fn secrets(&mut self, ledger: &Ledger, scope: &Scope) {
        for (act, done) in ledger.done() {
            let (caller, path) = match act {
                Act::Account { .. } if scope.accounts.contains(&done.id) => {
                    (Caller::agent(self.service, &done.secret), "/keys")
                }
                Act::Key { account, .. } if scope.accounts.contains(account) => {
                    (Caller::agent(self.service, &done.secret), "/keys")
                }
                Act::Token { human } if scope.humans.contains(human) => {
                    (Caller::worker(self.service, &done.secret), "/me")
                }
                _ => continue,
            };
            if !done.secret.is_empty() {
                let status = self.get(&caller, path).0;
                self.snapshot.secrets.insert(done.secret.clone(), status);
            }
        }
    }

    fn works(&self, secret: &str) -> bool {
        self.snapshot.secrets.get(secret) == Some(&200)
    }

    fn lists(&mut self) {
        self.snapshot.accounts = self.pages(&Caller::operator_of(self.service), "/accounts");
        let working = self
            .snapshot
            .secrets
            .iter()
            .find(|(secret, status)| secret.starts_with("htd_") && **status == 200);
        if let Some((key, _)) = working {
            let agent = Caller::agent(self.service, key);
            self.snapshot.humans = self.pages(&agent, "/humans");
            self.snapshot.open = self.pages(&agent, "/bounties");
        }
    }

    fn as_agent(&mut self, account: i64, agent: &Caller, mut bounties: BTreeSet<i64>) {
        let name = self.snapshot.accounts.get(&account).map(|row| row["name"].clone());
        let own = self
            .snapshot
            .open
            .iter()
            .filter(|(_, row)| Some(&row["poster_name"]) == name.as_ref());
        bounties.extend(own.map(|(id, _)| *id));
        let mut sees = AgentSees {
            keys: self.rows(agent, "/keys"),
            inbox: self.rows(agent, "/conversations?limit=100"),
            ..AgentSees::default()
        };
        for id in bounties {
            let path = format!("/bounties/{id}");
            if let Some(bounty) = self.detail(agent, &path) {
                sees.applications
                    .insert(id, self.rows(agent, &format!("{path}/applications")));
                sees.bounties.insert(id, bounty);
            } else if self.snapshot.open.contains_key(&id) {
                self.snapshot
                    .errors
                    .push(format!("{path} is listed and cannot be read"));
            }
        }
        sees.conversations = self.conversations(agent, &sees.inbox);
        self.snapshot.agents.insert(account, sees);
    }

    fn as_worker(&mut self, human: i64, worker: &Caller) {
        let inbox = self.rows(worker, "/conversations?limit=100");
        let sees = WorkerSees {
            applications: self.pages(worker, "/applications"),
            conversations: self.conversations(worker, &inbox),
            inbox,
        };
        self.snapshot.workers.insert(human, sees);
    }

    fn conversations(&mut self, caller: &Caller, inbox: &Rows) -> Rows {
        let detail = |id: &i64| Some((*id, self.detail(caller, &format!("/conversations/{id}"))?));
        inbox.keys().filter_map(detail).collect()
    }

    fn detail(&mut self, caller: &Caller, path: &str) -> Option<Value> {
        let (status, mut json) = self.get(caller, path);
        (status == 200).then(|| json["data"].take())
    }

    /// A list without pages.
    fn rows(&mut self, caller: &Caller, path: &str) -> Rows {
        let rows = self.detail(caller, path);
        if rows.is_none() {
            self.snapshot.errors.push(format!("{path} cannot be read"));
        }
        let mut found = Rows::new();
        self.enter(&mut found, path, rows.unwrap_or_default());
        found
    }

    /// All pages of a list, whose total must match.
    fn pages(&mut self, caller: &Caller, path: &str) -> Rows {
        let mut found = Rows::new();
        loop {
            let (status, mut json) = self.get(caller, &format!("{path}?limit=100&offset={}", found.len()));
            if status != 200 {
                self.snapshot
                    .errors
                    .push(format!("{path} cannot be read: {status} {json}"));
                return found;
            }
            let before = found.len();
            self.enter(&mut found, path, json["data"].take());
            let total = json["total"].as_u64();
            if found.len() == before || total.is_none_or(|total| total <= found.len() as u64) {
                if total != Some(found.len() as u64) {
                    self.snapshot
                        .errors
                        .push(format!("{path} has the total {total:?}, and {} rows", found.len()));
                }
                return found;
            }
        }
    }

    fn enter(&mut self, found: &mut Rows, path: &str, rows: Value) {
        for row in rows.as_array().into_iter().flatten() {
            let id = row["id"].as_i64().expect("an id");
            if found.insert(id, row.clone()).is_some() {
                self.snapshot.errors.push(format!("{path} shows {id} twice"));
            }
        }
    }

    fn get(&mut self, caller: &Caller, path: &str) -> (u16, Value) {
        let begun = Instant::now();
        let answer = loop {
            let answer = caller.over(&mut self.connection, "GET", path, None);
            let answer = answer.unwrap_or_else(|fault| panic!("GET {path}: {fault}"));
            // A server that has not heard of its database for longer than its lease goes on when it hears of it.
            let has_lease = answer.header("x-error-code") != Some("unavailable");
            if has_lease || begun.elapsed() > DEADLINE {
                break answer;
            }
            thread::sleep(Duration::from_millis(20));
        };
        if answer.status >= 500 {
            self.snapshot
                .errors
                .push(format!("GET {path}: {} {}", answer.status, answer.json()));
        }
        (answer.status, answer.json())
    }
}
