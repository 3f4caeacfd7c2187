//! A running server of an edition, and its callers.

use super::editions::Edition;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use tempfile::TempDir;
use test_support::people::{Caller, worker};
use test_support::process::{Launch, Service, directory};

pub(crate) const OPERATOR_TOKEN: &str = "the-operator-of-this-test";

/// A server process. Dropping this ends it.
pub(crate) struct Server {
    service: Service,
    base: &'static str,
    /// Removed with the process, unless another server needs it.
    data: Option<TempDir>,
}

impl Server {
    /// A server with an empty store.
    #[track_caller]
    pub(crate) fn start(edition: &Edition) -> Self {
        let data = directory();
        let mut server = Server::on(edition, data.path());
        server.data = Some(data);
        server
    }

    /// A server with an empty store, without limits, whose webhooks may reach this machine.
    #[track_caller]
    pub(crate) fn unlimited(edition: &Edition) -> Self {
        let data = directory();
        let launch = launch(edition, data.path())
            .variable("HITODE_RATE_LIMITS", "off")
            .variable("HITODE_WEBHOOK_REACH", "any");
        Server {
            service: launch.start(),
            base: edition.base,
            data: Some(data),
        }
    }

    /// A server on the store of an earlier one.
    #[track_caller]
    pub(crate) fn on(edition: &Edition, data: &Path) -> Self {
        Server {
            service: launch(edition, data).start(),
            base: edition.base,
            data: None,
        }
    }

    /// The output of a server that does not start on the store of an earlier one.
    #[track_caller]
    pub(crate) fn failure_on(edition: &Edition, data: &Path) -> String {
        let ended = launch(edition, data).run_to_its_end();
        assert_eq!(ended.code, Some(1), "{}", ended.log);
        ended.log
    }

    /// Its address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.service.address
    }

    pub(crate) fn operator(&self) -> Caller {
        Caller::operator(&self.service, OPERATOR_TOKEN)
    }

    /// A new account without counted requests.
    #[track_caller]
    pub(crate) fn agent(&self, plan: &str) -> Caller {
        let account = self
            .operator()
            .post("/accounts", json!({ "name": "Agent", "plan": plan }));
        self.known_agent(account.data()["key"].as_str().expect("a key"))
    }

    /// An account of the store, by its key.
    pub(crate) fn known_agent(&self, key: &str) -> Caller {
        Caller::agent(&self.service, key).below(self.base)
    }

    #[track_caller]
    pub(crate) fn worker(&self) -> Caller {
        let human = self.operator().post("/humans", human("female")).id();
        let token = self.operator().post(&format!("/humans/{human}/token"), json!({}));
        Caller::worker(&self.service, token.data()["token"].as_str().expect("a token"))
    }
}

#[track_caller]
fn launch(edition: &Edition, data: &Path) -> Launch {
    Launch::new(edition.program(), data)
        .variable("HITODE_OPERATOR_TOKEN", OPERATOR_TOKEN)
        .variable("HITODE_LOG", "warn")
}

/// A worker with this gender, whose texts also fit a tightened contract.
pub(crate) fn human(gender: &str) -> Value {
    let mut human = worker();
    human["gender"] = json!(gender);
    human["headline"] = json!("写真");
    human
}
