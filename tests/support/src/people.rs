//! The callers of the service: an operator, an agent and a worker.

use std::io;
use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::http::{Answer, Connection, call, upload};
use crate::process::Service;

/// A caller with a credential.
#[derive(Debug, Clone)]
pub struct Caller {
    address: SocketAddr,
    header: &'static str,
    base: &'static str,
    /// The credential.
    pub secret: String,
}

/// One caller of each kind.
pub struct People {
    /// The operator.
    pub operator: Caller,
    /// The id of an account on the verified plan.
    pub account: i64,
    /// That account, with its first key.
    pub agent: Caller,
    /// The id of a worker.
    pub human: i64,
    /// That worker, with its token.
    pub worker: Caller,
}

impl Caller {
    /// The operator, with this token.
    pub fn operator(at: impl Into<SocketAddr>, token: &str) -> Caller {
        Caller {
            address: at.into(),
            header: "X-Operator-Token",
            base: "/operator/v1",
            secret: token.to_owned(),
        }
    }

    /// The operator, with the token of the data directory.
    pub fn operator_of(service: &Service) -> Caller {
        let token = std::fs::read_to_string(service.data.join("operator-token")).expect("the operator's token");
        Caller::operator(service, token.trim())
    }

    /// An account, with this key.
    pub fn agent(at: impl Into<SocketAddr>, key: &str) -> Caller {
        Caller {
            address: at.into(),
            header: "X-API-Key",
            base: "/api/v1",
            secret: key.to_owned(),
        }
    }

    /// A worker, with this token.
    pub fn worker(at: impl Into<SocketAddr>, token: &str) -> Caller {
        Caller {
            address: at.into(),
            header: "X-Worker-Token",
            base: "/worker/v1",
            secret: token.to_owned(),
        }
    }

    /// The same caller, after the service has moved.
    pub fn at(&self, service: &Service) -> Caller {
        Caller {
            address: service.address,
            ..self.clone()
        }
    }

    /// Calls at another base path than that of the published contract.
    pub fn below(self, base: &'static str) -> Caller {
        Caller { base, ..self }
    }

    /// Sends a GET to this path below the base path.
    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        self.call("GET", path, None)
    }

    /// Sends a POST with this body.
    #[track_caller]
    pub fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", path, Some(&body))
    }

    /// Sends a PATCH with this body.
    #[track_caller]
    pub fn patch(&self, path: &str, body: Value) -> Answer {
        self.call("PATCH", path, Some(&body))
    }

    /// Sends a DELETE.
    #[track_caller]
    pub fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path, None)
    }

    /// The same on a connection that stays open.
    ///
    /// # Errors
    /// When the connection ends before the answer.
    pub fn over(
        &self,
        connection: &mut Connection,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> io::Result<Answer> {
        self.over_with_key(connection, method, path, body, None)
    }

    /// The same with an idempotency key.
    ///
    /// # Errors
    /// When the connection ends before the answer.
    pub fn over_with_key(
        &self,
        connection: &mut Connection,
        method: &str,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> io::Result<Answer> {
        let path = format!("{}{path}", self.base);
        let own = [(self.header, self.secret.as_str())];
        let headers: Vec<_> = own.into_iter().chain(key.map(|key| ("Idempotency-Key", key))).collect();
        connection.call(method, &path, &headers, body)
    }

    /// Sends a file of this type.
    ///
    /// # Errors
    /// When the connection ends before the answer.
    pub fn upload_over(&self, connection: &mut Connection, file: (&str, &[u8])) -> io::Result<Answer> {
        let path = format!("{}/files", self.base);
        connection.send(&upload(&path, &[(self.header, &self.secret)], file))
    }

    /// The request with a text as a file.
    pub fn upload_request(&self, text: &str) -> Vec<u8> {
        let path = format!("{}/files?name=a.txt", self.base);
        let file = ("text/plain", text.as_bytes());
        upload(&path, &[(self.header, &self.secret)], file)
    }

    /// Sends a text as a file, on a connection of its own.
    #[track_caller]
    pub fn upload(&self, text: &str) -> Answer {
        let mut connection = Connection::to(self.address).expect("it listens");
        connection.send(&self.upload_request(text)).expect("an answer")
    }

    #[track_caller]
    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let path = format!("{}{path}", self.base);
        call(self.address, method, &path, &[(self.header, &self.secret)], body)
    }
}

impl People {
    /// Creates an agent with the verified plan, and a worker.
    #[track_caller]
    pub fn enter(service: &Service, operator: Caller) -> People {
        let created = operator
            .post("/accounts", json!({ "name": "Field Agent", "plan": "verified" }))
            .data();
        let agent = Caller::agent(service, created["key"].as_str().expect("a key"));
        let human = operator.post("/humans", worker()).id();
        let token = operator.post(&format!("/humans/{human}/token"), json!({})).data();
        let worker = Caller::worker(service, token["token"].as_str().expect("a token"));
        People {
            operator,
            account: created["id"].as_i64().expect("an id"),
            agent,
            human,
            worker,
        }
    }

    /// The same callers, after the service has moved.
    pub fn at(&self, service: &Service) -> People {
        People {
            operator: self.operator.at(service),
            account: self.account,
            agent: self.agent.at(service),
            human: self.human,
            worker: self.worker.at(service),
        }
    }
}

/// A worker in the form that an operator enters.
pub fn worker() -> Value {
    json!({
        "name": "佐藤 美咲", "headline": "写真を撮ります", "bio": "", "city": "横浜市", "state": "神奈川県",
        "gender": "female", "hourly_rate": 2500, "skills": [{ "name": "Photography", "category": "Photo" }],
    })
}

/// A bounty with this title.
pub fn bounty(title: &str) -> Value {
    json!({ "title": title, "description": "Ten photos in daylight.", "budget": 49.99 })
}
