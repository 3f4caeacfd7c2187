//! Those who call the service: an operator, an agent and a worker.

use std::io;
use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::http::{Answer, Connection, call};
use crate::service::Service;

/// Somebody with a credential.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    address: SocketAddr,
    header: &'static str,
    base: &'static str,
    pub(crate) secret: String,
}

/// The least that it takes for something to happen.
pub(crate) struct People {
    pub(crate) operator: Caller,
    pub(crate) account: i64,
    pub(crate) agent: Caller,
    pub(crate) human: i64,
    pub(crate) worker: Caller,
}

impl Caller {
    pub(crate) fn operator(service: &Service, token: &str) -> Caller {
        Caller {
            address: service.address,
            header: "X-Operator-Token",
            base: "/operator/v1",
            secret: token.to_owned(),
        }
    }

    /// The operator, with the token of the data directory.
    pub(crate) fn operator_of(service: &Service) -> Caller {
        let token = std::fs::read_to_string(service.data.join("operator-token")).expect("the operator's token");
        Caller::operator(service, token.trim())
    }

    pub(crate) fn agent(service: &Service, key: &str) -> Caller {
        Caller {
            address: service.address,
            header: "X-API-Key",
            base: "/api/v1",
            secret: key.to_owned(),
        }
    }

    pub(crate) fn worker(service: &Service, token: &str) -> Caller {
        Caller {
            address: service.address,
            header: "X-Worker-Token",
            base: "/worker/v1",
            secret: token.to_owned(),
        }
    }

    /// The same one, after the service has moved.
    pub(crate) fn at(&self, service: &Service) -> Caller {
        Caller {
            address: service.address,
            ..self.clone()
        }
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.call("GET", path, None)
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", path, Some(&body))
    }

    #[track_caller]
    pub(crate) fn patch(&self, path: &str, body: Value) -> Answer {
        self.call("PATCH", path, Some(&body))
    }

    #[track_caller]
    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path, None)
    }

    /// The same on a connection that is kept.
    pub(crate) fn over(
        &self,
        connection: &mut Connection,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> io::Result<Answer> {
        let path = format!("{}{path}", self.base);
        connection.call(method, &path, &[(self.header, &self.secret)], body)
    }

    #[track_caller]
    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let path = format!("{}{path}", self.base);
        call(self.address, method, &path, &[(self.header, &self.secret)], body)
    }
}

impl People {
    /// Lets an agent with the verified plan and a worker in.
    #[track_caller]
    pub(crate) fn enter(service: &Service, operator: Caller) -> People {
        let made = operator
            .post("/accounts", json!({ "name": "Field Agent", "plan": "verified" }))
            .data();
        let agent = Caller::agent(service, made["key"].as_str().expect("a key"));
        let human = operator.post("/humans", worker()).id();
        let token = operator.post(&format!("/humans/{human}/token"), json!({})).data();
        let worker = Caller::worker(service, token["token"].as_str().expect("a token"));
        People {
            operator,
            account: made["id"].as_i64().expect("an id"),
            agent,
            human,
            worker,
        }
    }

    /// The same ones, after the service has moved.
    pub(crate) fn at(&self, service: &Service) -> People {
        People {
            operator: self.operator.at(service),
            account: self.account,
            agent: self.agent.at(service),
            human: self.human,
            worker: self.worker.at(service),
        }
    }
}

/// Somebody as an operator enters them.
pub(crate) fn worker() -> Value {
    json!({
        "name": "佐藤 美咲", "headline": "写真を撮ります", "bio": "", "city": "横浜市", "state": "神奈川県",
        "gender": "female", "hourly_rate": 2500, "skills": [{ "name": "Photography", "category": "Photo" }],
    })
}

/// A bounty with this title.
pub(crate) fn bounty(title: &str) -> Value {
    json!({ "title": title, "description": "Ten photos in daylight.", "budget": 49.99 })
}
