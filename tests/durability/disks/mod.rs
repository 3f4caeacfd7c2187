//! Bad disks: full, failing and read-only ones, and damaged files. Each gives one clear message and loses nothing that
//! was acknowledged; the server works again once the cause is removed.

mod damaged;
mod failing;
mod full;
mod locked;
mod lost;
mod unwritable;
mod volume;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use test_support::http::{Answer, call};
use test_support::people::{Caller, worker};
use test_support::process::{Ended, Launch, Service};

/// Workers that an operator enters: all acknowledged ones must exist, and at most one more, whose outcome is unknown.
pub(crate) struct Entries {
    operator: Caller,
    acknowledged: Vec<i64>,
}

impl Entries {
    pub(crate) fn at(service: &Service) -> Entries {
        Entries {
            operator: Caller::operator_of(service),
            acknowledged: Vec::new(),
        }
    }

    /// Some, in the data directory of a server that was started and stopped.
    #[track_caller]
    pub(crate) fn stored_at(data: &Path) -> Entries {
        let service = Launch::on(data).start();
        let mut entries = Entries::at(&service);
        entries.enter_some();
        assert_eq!(service.stop().code, Some(0));
        entries
    }

    /// Enters one; returns the answer if it is not a success.
    fn enter(&mut self) -> Option<Answer> {
        let mut person = worker();
        person["bio"] = json!("x".repeat(1_500));
        let answer = self.operator.post("/humans", person);
        if answer.status != 201 {
            return Some(answer);
        }
        self.acknowledged.push(answer.id());
        None
    }

    #[track_caller]
    pub(crate) fn enter_some(&mut self) {
        for _ in 0..5 {
            assert!(self.enter().is_none());
        }
    }

    /// Checks that all acknowledged workers exist and can be changed, and that more can be entered.
    #[track_caller]
    pub(crate) fn are_whole_at(&mut self, service: &Service) {
        self.operator = self.operator.at(service);
        for id in &self.acknowledged {
            let changed = self
                .operator
                .patch(&format!("/humans/{id}"), json!({ "city": "京都市" }));
            assert_eq!(changed.status, 200, "worker {id}");
        }
        let last = *self.acknowledged.last().expect("an entry");
        assert!(self.enter().is_none());
        let next = *self.acknowledged.last().expect("an entry");
        assert!(next > last && next <= last + 2, "{last}, then {next}");
    }

    /// Checks that every write is rejected with an error response, and that reads work.
    #[track_caller]
    fn are_only_readable_at(&self, service: &Service) {
        let account = json!({ "name": "Too late", "plan": "free" });
        for answer in [
            self.operator.post("/humans", worker()),
            self.operator.post("/accounts", account),
            self.operator.patch(
                &format!("/humans/{}", self.acknowledged[0]),
                json!({ "city": "奈良市" }),
            ),
        ] {
            is_unwritable(&answer);
        }
        assert_eq!(self.operator.get("/accounts").status, 200);
        let health = call(service.address, "GET", "/healthz", &[], None);
        assert_eq!(
            (health.status, health.json()),
            (503, json!({ "status": "cannot write" }))
        );
    }
}

/// Checks that the answer says that nothing can be written.
#[track_caller]
pub(crate) fn is_unwritable(answer: &Answer) {
    asks_to_try_again(answer, "unwritable");
}

/// Checks that the answer says that the server has lost its database.
#[track_caller]
pub(crate) fn is_unavailable(answer: &Answer) {
    asks_to_try_again(answer, "unavailable");
}

/// Checks that the answer says that this write may have happened: its commit has failed.
#[track_caller]
pub(crate) fn is_of_unknown_outcome(answer: &Answer) {
    asks_to_try_again(answer, "unknown_outcome");
}

/// Checks that the answer is this error, in the envelope, and asks to try again.
#[track_caller]
fn asks_to_try_again(answer: &Answer, code: &str) {
    let json: Value = answer.json();
    assert_eq!((answer.status, &json["success"]), (503, &json!(false)), "{json}");
    assert_eq!(answer.header("x-error-code"), Some(code), "{json}");
    let seconds = answer.header("retry-after").and_then(|seconds| seconds.parse().ok());
    assert!(seconds.is_some_and(|seconds: u32| seconds > 0), "{answer:?}");
}

/// Checks that it does not start, ends with 1, and reports the reason in one line: no panic, no second message.
#[track_caller]
fn rejected(launch: Launch) -> String {
    ended_with_a_message(&launch.run_to_its_end())
}

#[track_caller]
pub(crate) fn ended_with_a_message(ended: &Ended) -> String {
    assert_eq!(ended.code, Some(1), "{}", ended.log);
    assert!(
        !ended.log.contains("panicked") && !ended.log.contains("ERROR"),
        "{}",
        ended.log
    );
    let mut messages = ended.log.lines().filter(|line| line.starts_with("hitode: "));
    let line = messages.next().unwrap_or_else(|| panic!("no message: {}", ended.log));
    assert_eq!(ended.log.lines().last(), Some(line), "{}", ended.log);
    line.to_owned()
}

/// The files of the directory without the lock, whose content does not matter.
pub(crate) fn files(data: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(data)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.is_file() && !path.ends_with("lock"));
    files
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(path).expect("a file"))
        })
        .collect()
}
