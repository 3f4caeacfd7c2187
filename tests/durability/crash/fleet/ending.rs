//! Clients that end credentials, and let each server be asked at once whether they open anything.

use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::ended::Credential;
use super::load::Client;
use super::servers::{SERVERS, account};
use crate::crash::ledger::{Act, Answered, Outcome};
use crate::crash::writers::Request;
use test_support::process::DEADLINE;

impl<'l> Client<'l> {
    /// Ends a key of an account, and suspends the account, again and again.
    pub(super) fn end_credentials<'s>(&mut self, scope: &'s Scope<'s, '_>)
    where
        'l: 's,
    {
        while !self.load.is_over() {
            self.end_those_of_an_account(scope);
        }
    }

    fn end_those_of_an_account<'s>(&mut self, scope: &'s Scope<'s, '_>) -> Option<()>
    where
        'l: 's,
    {
        let (id, secret) = self.account()?;
        let agent = Credential::key(&secret);
        if let Some(created) = self.done(&agent, "POST", "/keys", json!({ "name": "ends" })) {
            let second = Credential::key(created["key"].as_str()?);
            self.is_known(&second);
            if self
                .done(&agent, "DELETE", &format!("/keys/{}", created["id"]), json!({}))
                .is_some()
            {
                self.ends(scope, second);
            }
        }
        self.is_known(&agent);
        let operator = Credential {
            caller: self.load.fleet.operator(),
            path: "",
        };
        // It may be suspended already, and nobody has acknowledged it: so until somebody does.
        let begun = Instant::now();
        while self
            .done(
                &operator,
                "PATCH",
                &format!("/accounts/{id}"),
                json!({ "suspended": true }),
            )
            .is_none()
        {
            assert!(begun.elapsed() < DEADLINE, "no server answers");
            thread::sleep(Duration::from_millis(50));
        }
        self.load.ledger.lock().expect("a lock").suspended.insert(id);
        self.ends(scope, agent);
        Some(())
    }

    /// A new account, with its key, which is not in the ledger, so that nobody else uses the account.
    fn account(&mut self) -> Option<(i64, String)> {
        let mut ledger = self.load.ledger.lock().expect("a lock");
        let name = format!("#{} account", ledger.entries.len());
        let body = account(&name);
        let number = ledger.begin(Act::Account { name })?;
        drop(ledger);
        let (caller, method, path) = (self.load.fleet.operator(), "POST", "/accounts".to_owned());
        let request = Request {
            caller,
            method,
            path,
            body,
        };
        self.turn += 1;
        let created = self.call(self.turn % SERVERS, Some(number), &request, None);
        let created = created.filter(|answer| answer.status == 201)?.data();
        let id = created["id"].as_i64()?;
        let second = created["key_id"].as_i64()?;
        let done = Answered {
            id,
            second,
            ..Answered::default()
        };
        self.load
            .ledger
            .lock()
            .expect("a lock")
            .end(number, Outcome::Done(done));
        self.load.is_acknowledged();
        Some((id, created["key"].as_str()?.to_owned()))
    }

    /// What the next server answers to a write, if it was done.
    fn done(&mut self, by: &Credential, method: &'static str, path: &str, body: Value) -> Option<Value> {
        self.turn += 1;
        let (caller, path) = (by.caller.clone(), path.to_owned());
        let request = Request {
            caller,
            method,
            path,
            body,
        };
        let answer = self.call(self.turn % SERVERS, None, &request, None)?;
        let is_done = answer.status < 300;
        is_done.then(|| answer.data())
    }

    /// Waits until each server that answers accepts a credential.
    fn is_known(&self, credential: &Credential) {
        for address in &self.targets[..SERVERS] {
            while !self.load.is_over() && credential.status(*address) == Some(401) {
                thread::sleep(Duration::from_millis(2));
            }
        }
    }

    /// The end of a credential was acknowledged: each server is asked at once.
    fn ends<'s>(&self, scope: &'s Scope<'s, '_>, credential: Credential)
    where
        'l: 's,
    {
        let (since, ended) = (Instant::now(), &self.load.ended);
        ended.add(credential.clone());
        for address in self.targets[..SERVERS].iter().copied() {
            let credential = credential.clone();
            scope.spawn(move || ended.is_rejected(address, &credential, since));
        }
    }
}
