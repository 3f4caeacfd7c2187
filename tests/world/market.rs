//! A market: a service with its store, and the requests of its operator and users that fill it.

use super::people::{Api, op};
use super::service::Service;
use conformance::{Caller, Request, Response};
use contract::Clock;
use contract::support::FileDirectory;
use hitode::app::Hitode;
use hitode::operator_token::OperatorToken;
use hitode::store::{Durability, Store, in_memory_store};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use test_support::in_process::RUNTIME;

/// If this variable is set, the records of a market are on disk; else in memory, which takes less than half the time. What a disk
/// changes is shown by the tests of processes.
const ON_DISK: &str = "HITODE_TEST_ON_DISK";

/// A service in this process, with its operator. Its files, and its records on disk, are in its own directory, which is removed
/// with it.
pub(crate) struct Market {
    app: Arc<Hitode>,
    service: Service,
    _directory: TempDir,
    operator: String,
    /// The ids of API keys.
    keys: Mutex<HashMap<String, i64>>,
}

impl Api for Market {
    fn answer(&self, request: &Request) -> Response {
        self.service.call(request)
    }
}

impl Market {
    /// An empty market.
    pub(crate) fn open(clock: Clock) -> Self {
        Self::new(contract::operator_token::mint(), clock)
    }

    /// An empty market of this operator.
    pub(crate) fn new(operator: String, clock: Clock) -> Self {
        let directory = directory();
        let store = match std::env::var_os(ON_DISK) {
            Some(_) => Store::open(directory.path(), Durability::Synced).expect("a new directory can be opened"),
            None => in_memory_store(None),
        };
        let app = Hitode::new(store, OperatorToken::from_text(&operator), clock.clone());
        let files = FileDirectory::open(&directory.path().join("files")).expect("a new directory can be made");
        let app = Arc::new(app.with_files(Some(files)));
        // The background work of the store needs the runtime.
        let service = RUNTIME.block_on(async { Service::unlimited(Arc::clone(&app), clock) });
        Self {
            app,
            service,
            _directory: directory,
            operator,
            keys: Mutex::default(),
        }
    }

    pub(crate) fn app(&self) -> Arc<Hitode> {
        Arc::clone(&self.app)
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    /// The operator.
    pub(crate) fn operator(&self) -> Caller {
        Caller {
            secret: self.operator.clone(),
            id: 0,
            kind: "operator_token",
        }
    }

    /// A new account with its first key.
    pub(crate) fn agent(&self, plan: &str) -> Caller {
        self.agent_named("Agent", plan)
    }

    pub(crate) fn agent_named(&self, name: &str, plan: &str) -> Caller {
        let body = json!({ "name": name, "plan": plan });
        let data = self
            .send(&self.operator(), op!(operator::create_account), &[], body)
            .data();
        self.keep_key(&data["key"], &data["key_id"]);
        caller("api_key", &data["key"], &data["id"])
    }

    /// The id of an API key of this market.
    pub(crate) fn id_of_key(&self, caller: &Caller) -> i64 {
        self.keys.lock().expect("no test panics in here")[&caller.secret]
    }

    /// Stores the id of an API key.
    pub(crate) fn keep_key(&self, key: &Value, id: &Value) {
        let (key, id) = (key.as_str().unwrap_or_default().to_owned(), id.as_i64());
        let mut keys = self.keys.lock().expect("no test panics in here");
        keys.insert(key, id.expect("ids are integers"));
    }

    /// Replaces this key by a new one of the same account.
    pub(crate) fn another_key(&self, caller: &Caller) -> Caller {
        let another = Caller {
            id: caller.id,
            ..self.key_of(caller.id)
        };
        let former = self.id_of_key(caller);
        let deleted = self.call(&another, op!(agent::delete_key), &[former], "", None);
        // If the account may not write any more, the key stays: another one still fits.
        if deleted.status() != 429 {
            deleted.data();
        }
        another
    }

    /// Another key of an account; the caller's id is the key's.
    pub(crate) fn key_of(&self, account: i64) -> Caller {
        let op = op!(operator::create_account_key);
        let data = self
            .send(&self.operator(), op, &[account], json!({ "name": "more" }))
            .data();
        self.keep_key(&data["key"], &data["id"]);
        caller("api_key", &data["key"], &data["id"])
    }

    /// A new worker without a token.
    pub(crate) fn human(&self) -> i64 {
        self.human_like(json!({}))
    }

    /// A new worker with these members and defaults for the rest.
    pub(crate) fn human_like(&self, members: Value) -> i64 {
        let data = self
            .send(&self.operator(), op!(operator::create_human), &[], human(members))
            .data();
        data["id"].as_i64().expect("ids are integers")
    }

    /// A new worker with a token.
    pub(crate) fn worker(&self) -> Caller {
        self.token_of(self.human())
    }

    /// A new token for a worker.
    pub(crate) fn token_of(&self, human: i64) -> Caller {
        let data = self
            .call(&self.operator(), op!(operator::create_human_token), &[human], "", None)
            .data();
        caller("worker_token", &data["token"], &json!(human))
    }

    /// A new conversation of an agent with a worker.
    pub(crate) fn conversation(&self, agent: &Caller, human: i64) -> i64 {
        let body = json!({ "human_id": human, "message": "Hello" });
        let data = self.send(agent, op!(agent::create_conversation), &[], body).data();
        data["id"].as_i64().expect("ids are integers")
    }
}

/// A worker's profile with these members and defaults for the rest.
pub(crate) fn human(members: Value) -> Value {
    let mut human = json!({
        "name": "Human", "headline": "Headline", "bio": "", "city": "City", "state": "State", "gender": "other",
        "hourly_rate": 1000, "skills": [],
    });
    for (name, value) in members.as_object().into_iter().flatten() {
        human[name] = value.clone();
    }
    human
}

fn caller(kind: &'static str, secret: &Value, id: &Value) -> Caller {
    let secret = secret.as_str().expect("credentials are texts").to_owned();
    Caller {
        secret,
        id: id.as_i64().expect("ids are integers"),
        kind,
    }
}

/// A directory of this process. Directories of earlier processes are removed, since a shared market is never dropped.
fn directory() -> TempDir {
    const PREFIX: &str = "market-";
    let home = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for left in fs::read_dir(home).into_iter().flatten().flatten() {
        let name = left.file_name().into_string().unwrap_or_default();
        let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
        if owner.is_some_and(|owner| !Path::new("/proc").join(owner).exists()) {
            let _ = fs::remove_dir_all(left.path());
        }
    }
    let prefix = format!("{PREFIX}{}-", std::process::id());
    tempfile::Builder::new()
        .prefix(&prefix)
        .tempdir_in(home)
        .expect("the target directory can be written")
}
