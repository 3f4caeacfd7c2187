//! A running server, and those who call it.

use super::client::{Answer, call};
use super::editions::Edition;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use tempfile::TempDir;

pub(crate) const OPERATOR_TOKEN: &str = "the-operator-of-this-test";

/// A process of its own; it ends with this value.
pub(crate) struct Server {
    process: Child,
    address: SocketAddr,
    base: &'static str,
    /// Ends with the process, where nobody else wants it.
    data: Option<TempDir>,
}

/// Somebody with a credential.
pub(crate) struct Caller<'s> {
    server: &'s Server,
    base: &'static str,
    header: &'static str,
    secret: String,
}

impl Server {
    /// One that knows nobody yet.
    #[track_caller]
    pub(crate) fn start(edition: &Edition) -> Self {
        let data = tempfile::tempdir().expect("a temporary directory");
        let mut server = Server::on(edition, data.path());
        server.data = Some(data);
        server
    }

    /// One that finds what another left there.
    #[track_caller]
    pub(crate) fn on(edition: &Edition, data: &Path) -> Self {
        let mut process = serve(edition, data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let address = listening(process.stdout.take().expect("piped"));
        Server {
            process,
            address,
            base: edition.base,
            data: None,
        }
    }

    /// What one says that refuses what another left there.
    #[track_caller]
    pub(crate) fn refusal_of(edition: &Edition, data: &Path) -> String {
        let refused = serve(edition, data).output().expect("the program starts");
        assert!(!refused.status.success(), "{refused:?}");
        String::from_utf8(refused.stderr).expect("text")
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    fn caller(&self, base: &'static str, header: &'static str, secret: &Value) -> Caller<'_> {
        let secret = secret.as_str().expect("a secret").to_owned();
        Caller {
            server: self,
            base,
            header,
            secret,
        }
    }

    pub(crate) fn operator(&self) -> Caller<'_> {
        self.caller("/operator/v1", "X-Operator-Token", &json!(OPERATOR_TOKEN))
    }

    /// One whom nobody limits yet.
    #[track_caller]
    pub(crate) fn agent(&self, plan: &str) -> Caller<'_> {
        let account = self
            .operator()
            .post("/accounts", json!({ "name": "Agent", "plan": plan }));
        self.caller(self.base, "X-API-Key", &account.data()["key"])
    }

    /// One whom this data directory knows.
    pub(crate) fn known_agent(&self, secret: &str) -> Caller<'_> {
        self.caller(self.base, "X-API-Key", &json!(secret))
    }

    #[track_caller]
    pub(crate) fn worker(&self) -> Caller<'_> {
        let human = self.operator().post("/humans", human("female")).id();
        let token = self.operator().post(&format!("/humans/{human}/token"), json!({}));
        self.caller("/worker/v1", "X-Worker-Token", &token.data()["token"])
    }
}

#[track_caller]
fn serve(edition: &Edition, data: &Path) -> Command {
    let mut command = Command::new(edition.program());
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .env_clear()
        .env("HITODE_OPERATOR_TOKEN", OPERATOR_TOKEN)
        .env("HITODE_LOG", "warn")
        .stdin(Stdio::null());
    command
}

/// The address that the first line ends with.
#[track_caller]
fn listening(output: ChildStdout) -> SocketAddr {
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).expect("text");
    let address = line
        .trim_end()
        .rsplit('/')
        .next()
        .and_then(|address| address.parse().ok());
    address.unwrap_or_else(|| panic!("it does not listen: {line:?}"))
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Caller<'_> {
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.call("GET", self.base, path, None)
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", self.base, path, Some(&body))
    }

    #[track_caller]
    pub(crate) fn patch(&self, path: &str, body: Value) -> Answer {
        self.call("PATCH", self.base, path, Some(&body))
    }

    /// At a base that need not be this caller's own.
    #[track_caller]
    pub(crate) fn get_at(&self, base: &str, path: &str) -> Answer {
        self.call("GET", base, path, None)
    }

    #[track_caller]
    fn call(&self, method: &str, base: &str, path: &str, body: Option<&Value>) -> Answer {
        let line = format!("{method} {base}{path}");
        call(self.server.address, &line, (self.header, &self.secret), body)
    }
}

/// A worker in the least form.
pub(crate) fn human(gender: &str) -> Value {
    json!({
        "name": "佐藤 美咲", "headline": "写真", "bio": "", "city": "横浜市", "state": "神奈川県",
        "gender": gender, "hourly_rate": 2500, "skills": [],
    })
}

/// A bounty in its least form, with this title.
pub(crate) fn bounty(title: &str) -> Value {
    json!({ "title": title, "description": "Ten photos in daylight.", "budget": 49.99 })
}
