//! The services whose decoders are called: Hitode, and the lockers, whose contract uses every form of the language. Each
//! is its filter in this process, with one caller of each kind. Hitode's directory is removed, so that writes are rejected
//! after everything else is decided: no run takes memory for good, and none depends on those before it.

use std::cell::RefCell;
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;

use bytes::Bytes;
use codegen::Model;
use codegen_support::{Clock, Response, arrived};
use contract::Peer;
use hitode::app::Hitode;
use hitode::operator_token::OperatorToken;
use hitode::store::{Durability, Store};
use http::{HeaderValue, Request};
use http_body_util::{BodyExt as _, Full};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use lockers::Lockers;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use warp::Filter as _;
use warp::filters::BoxedFilter;

use crate::request::{Answer, Operation};

/// After so many requests the lockers begin anew, because they keep what is written.
const REQUESTS_OF_LOCKERS: u32 = 2_000;

/// The token of the operator, and the badge of the crew.
const ROOT: &str = "the-root-of-a-service";

thread_local! {
    /// Its time passes at once while nothing is done.
    static RUNTIME: Runtime = Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    static SERVICES: RefCell<Services> = RefCell::new(Services { hitode: hitode(), lockers: lockers(), requests: 0 });
}

struct Services {
    hitode: Service,
    lockers: Service,
    requests: u32,
}

/// A service.
pub(crate) struct Service {
    filter: BoxedFilter<(Response,)>,
    pub(crate) operations: Vec<Operation>,
    /// Where its tools are, with the credential for them.
    pub(crate) tools: Operation,
    /// The member of an envelope that is true in a success.
    success: &'static str,
}

/// Calls one of the services, by an even or odd byte.
pub(crate) fn with_service(which: u8, call: impl FnOnce(&Service)) {
    SERVICES.with_borrow_mut(|services| {
        services.requests = services.requests.wrapping_add(1);
        if services.requests.is_multiple_of(REQUESTS_OF_LOCKERS) {
            services.lockers = lockers();
        }
        call(if which.is_multiple_of(2) {
            &services.hitode
        } else {
            &services.lockers
        });
    });
}

impl Service {
    /// Sends a request as a listener does, and checks what holds for every answer.
    #[track_caller]
    pub(crate) fn answer(&self, mut request: Request<Full<Bytes>>) -> Answer {
        arrived(&mut request, Peer(Ipv4Addr::LOCALHOST.into()));
        let target = format!("{} {}", request.method(), request.uri());
        let answer = self.send(request);
        assert_ne!(
            answer.status,
            500,
            "{target}: {}",
            String::from_utf8_lossy(&answer.body)
        );
        if answer.is_json {
            let json: &RawValue = serde_json::from_slice(&answer.body).expect("what is called JSON is JSON");
            // The id of a message comes back as it was sent, also if it is a number for which `Value` has no room.
            let members: Option<Value> = serde_json::from_str(json.get()).ok();
            let success = members
                .as_ref()
                .and_then(|members| members.get(self.success)?.as_bool());
            assert!(
                success.is_none_or(|success| success == (answer.status < 300)),
                "{target}: {json}"
            );
        }
        answer
    }

    fn send(&self, request: Request<Full<Bytes>>) -> Answer {
        let service = TowerToHyperService::new(warp::service(self.filter.clone()));
        RUNTIME.with(|runtime| {
            runtime.block_on(async {
                let response: Result<_, Infallible> = service.call(request).await;
                let Ok(response) = response;
                let (head, body) = response.into_parts();
                let body = body.collect().await.expect("a body is whole").to_bytes();
                let kind = head.headers.get(http::header::CONTENT_TYPE);
                Answer {
                    status: head.status.as_u16(),
                    is_json: kind.is_some_and(|kind| {
                        let kind = kind.as_bytes();
                        kind == b"application/json" || kind.ends_with(b"+json")
                    }),
                    body,
                }
            })
        })
    }

    /// A success's `data`, while the service is filled.
    fn create(&self, header: &str, path: &str, body: &Value, data: &str) -> Value {
        let request = Request::post(path)
            .header(header, ROOT)
            .header("content-type", "application/json");
        let request = request.body(Full::from(body.to_string())).expect("a request");
        let answer = self.send(request);
        let mut json: Value = serde_json::from_slice(&answer.body).expect("JSON");
        assert!(answer.status < 300, "{path}: {json}");
        json[data].take()
    }

    /// The operations of a contract, called with these credentials, by their names.
    fn with_callers(self, contract: &str, secrets: &[(&str, String)]) -> Service {
        let model = codegen::compile(contract).expect("a contract of this repository");
        let operations = Operation::all(&model, secrets);
        let tools = tools(&model, secrets);
        Service {
            operations,
            tools,
            ..self
        }
    }
}

fn tools(model: &Model, secrets: &[(&str, String)]) -> Operation {
    let mut surfaces = model.surfaces.iter();
    let (surface, mcp) = surfaces
        .find_map(|surface| Some((surface, surface.mcp.as_ref()?)))
        .expect("tools");
    Operation::new(model, surface, "POST", mcp.path.clone(), secrets)
}

fn service(filter: BoxedFilter<(Response,)>, success: &'static str) -> Service {
    let tools = Operation::default();
    Service {
        filter,
        operations: Vec::new(),
        tools,
        success,
    }
}

fn hitode() -> Service {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(directory.path(), Durability::Unsynced).expect("a new directory can be opened");
    let clock = Clock::manual(1_750_000_000);
    let app = Arc::new(Hitode::new(store, OperatorToken::from_text(ROOT), clock.clone()));
    app.end_waits();
    let limits = contract::Limits::new(&contract::LimitSettings {
        rate_limits: false,
        clock,
        ..Default::default()
    });
    let filter = hitode::http::routes(Arc::clone(&app), Arc::new(limits)).boxed();
    let service = service(filter, "success");
    let create = |path, body| service.create("x-operator-token", path, &body, "data");
    let agent = create("/operator/v1/accounts", json!({ "name": "Agent", "plan": "verified" }));
    create(
        "/operator/v1/humans",
        json!({
            "name": "佐藤 美咲", "headline": "写真を撮ります", "bio": "", "city": "横浜市", "state": "神奈川県",
            "gender": "female", "hourly_rate": 2500, "skills": [{ "name": "Photography", "category": "Photo" }],
        }),
    );
    let worker = create("/operator/v1/humans/1/token", json!({}));
    drop(directory);
    let secrets = [
        ("api_key", text(&agent["key"])),
        ("worker_token", text(&worker["token"])),
        ("operator_token", ROOT.to_owned()),
    ];
    service.with_callers(include_str!("../../../api.yaml"), &secrets)
}

fn lockers() -> Service {
    let clock = Clock::manual(1_750_000_000);
    let app = Arc::new(Lockers::in_memory(ROOT, clock.clone()));
    let limits = lockers::Limits::new(&lockers::LimitSettings {
        rate_limits: false,
        clock,
        ..Default::default()
    });
    let service = service(lockers::routes(app, Arc::new(limits)), "ok");
    let create = |path, body| service.create("lockers-badge", path, &body, "result");
    let courier = create(
        "/depot/couriers",
        json!({ "name": "Tobu Express", "plan": "priority", "terminal": "Van 1" }),
    );
    let recipient = create("/depot/recipients", json!({ "name": "Aoi" }));
    create(
        "/depot/stations",
        json!({
            "code": "KAWAGOE-1", "name": "Kawagoe Station", "city": "Kawagoe", "opened_on": "2024-04-01",
            "address": { "street": "Wakitamachi 39-19", "postal_code": "350-1122" },
        }),
    );
    let secrets = [
        ("terminal_key", text(&courier["key"])),
        ("pass", text(&recipient["pass"])),
        ("badge", ROOT.to_owned()),
    ];
    service.with_callers(include_str!("../../lockers/api.yaml"), &secrets)
}

fn text(json: &Value) -> String {
    json.as_str().expect("a text").to_owned()
}

/// The value of a header.
pub(crate) fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("visible characters")
}
