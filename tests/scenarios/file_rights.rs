//! Who may read, list and attach files: tables of callers and files with the statuses that they get.

use super::*;
use conformance::{Caller, Op};
use contract::Clock;
use serde_json::{Value, json};

/// Who sends a request. The account and the worker are both sides of a conversation. The account has posted the bounty to which
/// the worker's deliveries belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Worker,
    Account,
    /// The account with another key.
    OtherKey,
    /// An account in a conversation of its own with the same worker.
    OtherAccount,
    /// A worker in a conversation with that account, who has applied to the bounty, too.
    OtherWorker,
    /// An account in the sandbox, in a conversation with a simulated worker.
    Sandbox,
    /// A key of the account that was deleted.
    EndedKey,
    /// The worker's former token.
    EndedToken,
    /// The account once it is suspended: the last ones of each table.
    SuspendedAccount,
    SuspendedWorker,
}
use By::*;

/// The files, in the order of the columns.
const FILES: [&str; 8] = [
    "the worker's, unsent",
    "the account's, unsent",
    "the worker's, in a message",
    "the account's, in a message",
    "the worker's, in a delivery",
    "the worker's, deleted",
    "the sandbox account's, unsent",
    "an id that nothing has",
];

/// What GET answers, for each of the files.
#[rustfmt::skip]
const READ: [(By, [u16; 8]); 10] = [
    (Worker,           [200, 404, 200, 200, 200, 404, 404, 404]),
    (Account,          [404, 200, 200, 200, 200, 404, 404, 404]),
    (OtherKey,         [404, 200, 200, 200, 200, 404, 404, 404]),
    (OtherAccount,     [404, 404, 404, 404, 404, 404, 404, 404]),
    (OtherWorker,      [404, 404, 404, 404, 404, 404, 404, 404]),
    (Sandbox,          [404, 404, 404, 404, 404, 404, 200, 404]),
    (EndedKey,         [401; 8]),
    (EndedToken,       [401; 8]),
    (SuspendedAccount, [403; 8]),
    (SuspendedWorker,  [403; 8]),
];

/// What a message with the file in a conversation of the caller's own is answered. A file that was attached once cannot be again.
#[rustfmt::skip]
const ATTACH: [(By, [u16; 8]); 10] = [
    (OtherAccount,     [400, 400, 400, 400, 400, 400, 400, 400]),
    (OtherWorker,      [400, 400, 400, 400, 400, 400, 400, 400]),
    (Sandbox,          [400, 400, 400, 400, 400, 400, 200, 400]),
    (EndedKey,         [401; 8]),
    (EndedToken,       [401; 8]),
    (Account,          [400, 200, 400, 400, 400, 400, 400, 400]),
    (OtherKey,         [400, 400, 400, 400, 400, 400, 400, 400]),
    (Worker,           [201, 400, 400, 400, 400, 400, 400, 400]),
    (SuspendedAccount, [403; 8]),
    (SuspendedWorker,  [403; 8]),
];

/// What DELETE answers. A file that its reader has not sent stays, and so does one that was attached.
#[rustfmt::skip]
const DELETE: [(By, [u16; 8]); 10] = [
    (OtherAccount,     [404, 404, 404, 404, 404, 404, 404, 404]),
    (OtherWorker,      [404, 404, 404, 404, 404, 404, 404, 404]),
    (EndedKey,         [401; 8]),
    (EndedToken,       [401; 8]),
    (Sandbox,          [404, 404, 404, 404, 404, 404, 200, 404]),
    (Account,          [404, 200, 409, 409, 409, 404, 404, 404]),
    (OtherKey,         [404, 404, 409, 409, 409, 404, 404, 404]),
    (Worker,           [200, 404, 409, 409, 409, 404, 404, 404]),
    (SuspendedAccount, [403; 8]),
    (SuspendedWorker,  [403; 8]),
];

/// What the list of the files in the conversation is answered, and that of the deliveries.
#[rustfmt::skip]
const LIST: [(By, [u16; 2]); 10] = [
    (Worker,           [200, 200]),
    (Account,          [200, 200]),
    (OtherKey,         [200, 200]),
    (OtherAccount,     [404, 403]),
    (OtherWorker,      [404, 404]),
    (Sandbox,          [404, 404]),
    (EndedKey,         [401; 2]),
    (EndedToken,       [401; 2]),
    (SuspendedAccount, [403; 2]),
    (SuspendedWorker,  [403; 2]),
];

#[test]
fn files_are_read_as_the_table_states() {
    check(&READ, |scene, by, id| scene.read(by, id, &[]));
}

#[test]
fn a_part_of_a_file_is_for_those_who_may_read_the_whole() {
    let parts = READ.map(|(by, whole)| (by, whole.map(|status| if status == 200 { 206 } else { status })));
    check(&parts, |scene, by, id| scene.read(by, id, &[("Range", "bytes=0-1")]));
}

/// Nobody else learns that it exists.
#[test]
fn a_file_is_unchanged_for_those_who_may_read_it() {
    let unchanged = READ.map(|(by, whole)| (by, whole.map(|status| if status == 200 { 304 } else { status })));
    check(&unchanged, |scene, by, id| {
        scene.read(by, id, &[("If-None-Match", "*")])
    });
}

#[test]
fn files_are_attached_as_the_table_states() {
    check(&ATTACH, Scene::attach);
}

#[test]
fn files_are_deleted_as_the_table_states() {
    check(&DELETE, |scene, by, id| {
        let operations = [op!(agent::delete_file), op!(worker::delete_file)];
        scene.call(by, operations, &[id], None).status()
    });
}

#[test]
fn files_are_listed_as_the_table_states() {
    let scene = Scene::open();
    let [_, _, from_worker, from_account, delivered, ..] = scene.files;
    for (by, expected) in LIST {
        scene.suspend(by);
        let operations = [op!(agent::list_files), op!(worker::list_files)];
        let files = scene.call(by, operations, &[scene.conversation], None);
        let deliveries = scene.deliveries(by);
        assert_eq!([files.status(), deliveries.status()], expected, "{by:?}");
        if files.status() == 200 {
            assert_eq!(ids(&files), [from_account, from_worker], "{by:?}");
            let text = deliveries.data()[0]["message"].clone();
            assert_eq!(text, format!("Done\n\nfiles/{delivered}"), "{by:?}");
        }
    }
    // The lists of others show their own files only: none.
    for (by, conversation) in [(OtherAccount, scene.of_others), (Sandbox, scene.simulated)] {
        let operations = [op!(agent::list_files), op!(worker::list_files)];
        let files = scene.call(by, operations, &[conversation], None);
        assert_eq!(ids(&files), Vec::<i64>::new(), "{by:?}");
    }
}

/// Calls a new market by all rows of a table, in their order, with all files.
#[track_caller]
fn check(table: &[(By, [u16; 8])], call: impl Fn(&Scene, By, i64) -> u16) {
    let scene = Scene::open();
    let mut wrong = Vec::new();
    for (by, expected) in table {
        scene.suspend(*by);
        for ((file, id), expected) in FILES.iter().zip(scene.files).zip(expected) {
            let status = call(&scene, *by, id);
            if status != *expected {
                wrong.push(format!("{by:?}, {file}: {status}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A market with all callers and all files.
struct Scene {
    market: Market,
    callers: Vec<(By, Caller)>,
    /// Of the account and the worker.
    conversation: i64,
    /// Of the other account and the other worker.
    of_others: i64,
    /// Of the account in the sandbox and a simulated worker.
    simulated: i64,
    /// The bounty, and the worker's application to it.
    work: [i64; 2],
    files: [i64; 8],
}

impl Scene {
    fn open() -> Self {
        let market = Market::open(Clock::manual(1_750_000_000));
        let (account, human) = (market.agent("verified"), market.human());
        let (ended_token, worker) = (market.token_of(human), market.token_of(human));
        let ended_key = Caller {
            id: account.id,
            ..market.key_of(account.id)
        };
        let other_key = market.another_key(&ended_key);
        let (other_account, other_worker) = (market.agent("free"), market.worker());
        market.conversation(&other_account, human);
        let sandbox = sandbox(&market);
        let simulated = market.get(&sandbox, op!(agent::list_humans), &[], "limit=1");
        let mut scene = Self {
            conversation: market.conversation(&account, human),
            of_others: market.conversation(&other_account, other_worker.id),
            simulated: market.conversation(&sandbox, ids(&simulated)[0]),
            work: [0; 2],
            files: [0; 8],
            callers: vec![
                (SuspendedWorker, worker.clone()),
                (SuspendedAccount, account.clone()),
                (Worker, worker),
                (Account, account),
                (OtherKey, other_key),
                (OtherAccount, other_account),
                (OtherWorker, other_worker),
                (Sandbox, sandbox),
                (EndedKey, ended_key),
                (EndedToken, ended_token),
            ],
            market,
        };
        scene.work = scene.accept();
        scene.files = scene.send_files();
        scene
    }

    /// Both workers apply to the account's bounty, and one is accepted. Returns the bounty and its application.
    fn accept(&self) -> [i64; 2] {
        let body = json!({ "title": "T", "description": "D", "budget": 1 });
        let bounty = self.send(Account, op!(agent::create_bounty), &[], body);
        let [application, _] = [Worker, OtherWorker].map(|by| {
            let body = json!({ "message": "I can" });
            self.send(by, op!(worker::create_application), &[bounty], body)
        });
        let body = json!({ "status": "accepted" });
        let decide = op!(agent::decide_application);
        let decided = self
            .market
            .send(self.caller(Account), decide, &[bounty, application], body);
        assert_eq!(decided.status(), 200);
        [bounty, application]
    }

    /// The files of the columns.
    fn send_files(&self) -> [i64; 8] {
        let [from_worker, from_account] = [Worker, Account].map(|by| {
            let id = self.upload(by);
            assert!(self.attach(by, id) < 300);
            id
        });
        let delivered = self.upload(Worker);
        let body = json!({ "message": "Done", "files": [delivered] });
        self.send(Worker, op!(worker::create_delivery), &[self.work[1]], body);
        let deleted = self.upload(Worker);
        let operations = [op!(agent::delete_file), op!(worker::delete_file)];
        assert_eq!(self.call(Worker, operations, &[deleted], None).status(), 200);
        [
            self.upload(Worker),
            self.upload(Account),
            from_worker,
            from_account,
            delivered,
            deleted,
            self.upload(Sandbox),
            9_999,
        ]
    }

    fn caller(&self, by: By) -> &Caller {
        let mut callers = self.callers.iter();
        &callers.find(|(known, _)| *known == by).expect("all are there").1
    }

    /// Suspends a caller who is to be suspended.
    fn suspend(&self, by: By) {
        let operation = match by {
            SuspendedAccount => op!(operator::update_account),
            SuspendedWorker => op!(operator::update_human),
            _ => return,
        };
        let (operator, id) = (self.market.operator(), self.caller(by).id);
        let suspended = self
            .market
            .send(&operator, operation, &[id], json!({ "suspended": true }));
        assert_eq!(suspended.status(), 200);
    }

    /// Calls the operation of an account or that of a worker.
    fn call(&self, by: By, [of_account, of_worker]: [Op; 2], ids: &[i64], body: Option<Value>) -> Reply {
        let caller = self.caller(by);
        let operation = if caller.kind == "api_key" {
            of_account
        } else {
            of_worker
        };
        self.market.call(caller, operation, ids, "", body)
    }

    /// Creates something, and returns its id.
    #[track_caller]
    fn send(&self, by: By, operation: Op, ids: &[i64], body: Value) -> i64 {
        let made = self.market.send(self.caller(by), operation, ids, body);
        made.data()["id"].as_i64().expect("an id")
    }

    #[track_caller]
    fn upload(&self, by: By) -> i64 {
        let sent = self.market.upload(self.caller(by), "", ("text/plain", b"a note"));
        sent.data()["id"].as_i64().expect("an id")
    }

    fn read(&self, by: By, id: i64, headers: &[(&str, &str)]) -> u16 {
        let caller = self.caller(by);
        let operation = match caller.kind {
            "api_key" => op!(agent::get_file),
            _ => op!(worker::get_file),
        };
        let mut request = request(caller, operation, &[id], "", None);
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        request.headers.extend(headers);
        self.market.answer(&request).status
    }

    /// Names a file in a message of the caller.
    fn attach(&self, by: By, id: i64) -> u16 {
        let conversation = match by {
            OtherAccount | OtherWorker => self.of_others,
            Sandbox => self.simulated,
            _ => self.conversation,
        };
        let operations = [op!(agent::create_message), op!(worker::create_message)];
        let body = json!({ "content": "See", "files": [id] });
        self.call(by, operations, &[conversation], Some(body)).status()
    }

    /// The deliveries of the worker, as the caller reads them.
    fn deliveries(&self, by: By) -> Reply {
        let caller = self.caller(by);
        match caller.kind {
            "api_key" => self.market.get(caller, op!(agent::list_deliveries), &self.work, ""),
            _ => self
                .market
                .get(caller, op!(worker::list_deliveries), &self.work[1..], ""),
        }
    }
}

/// An account in the sandbox.
fn sandbox(market: &Market) -> Caller {
    let body = json!({ "name": "Test agent", "plan": "free", "sandbox": true });
    let made = market
        .send(&market.operator(), op!(operator::create_account), &[], body)
        .data();
    Caller {
        secret: made["key"].as_str().expect("a key").to_owned(),
        id: made["id"].as_i64().expect("an id"),
        kind: "api_key",
    }
}
