//! A service and its users: who creates their accounts, and what they do, all by requests.

use super::calls::{Reply, number, op, request, text};
use conformance::{Caller, Op, Request};
use lockers::support::Clock;
use lockers::{LimitSettings, Limits, Lockers, routes};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use test_support::in_process::InProcess;

/// The badge of the crew.
pub(crate) const BADGE: &str = "badge_of_the_crew";

/// A service, and facts that its answers do not repeat.
pub(crate) struct Depot {
    pub(crate) app: Arc<Lockers>,
    service: InProcess,
    named: AtomicUsize,
    couriers: Mutex<HashMap<i64, Caller>>,
}

impl Depot {
    /// A service without users and limits.
    pub(crate) fn new() -> Self {
        Self::behind(&unlimited())
    }

    /// A service without users, behind limits with these settings.
    pub(crate) fn behind(settings: &LimitSettings) -> Self {
        Self::with_lockers(Lockers::in_memory(BADGE, Clock::system()), settings)
    }

    /// The depot of these lockers.
    pub(crate) fn with_lockers(app: Lockers, settings: &LimitSettings) -> Self {
        let app = Arc::new(app);
        Self {
            service: service(Arc::clone(&app), settings),
            app,
            named: AtomicUsize::new(0),
            couriers: Mutex::default(),
        }
    }

    pub(crate) fn service(&self) -> &InProcess {
        &self.service
    }

    /// Sends a request unchanged.
    pub(crate) fn call(&self, request: Request) -> Reply {
        let response = self.service.call(&request);
        Reply { request, response }
    }

    /// Calls an operation: `ids` replace the path's parameters.
    pub(crate) fn ask(&self, caller: &Caller, op: Op, ids: &[i64], query: &str, body: Option<Value>) -> Reply {
        self.call(request(caller, op, ids, query, body))
    }

    /// Reads.
    pub(crate) fn get(&self, caller: &Caller, op: Op, ids: &[i64]) -> Reply {
        self.ask(caller, op, ids, "", None)
    }

    /// Writes.
    pub(crate) fn send(&self, caller: &Caller, op: Op, ids: &[i64], body: Value) -> Reply {
        self.ask(caller, op, ids, "", Some(body))
    }

    /// A courier on this plan, with its first terminal.
    pub(crate) fn courier(&self, plan: &str) -> Caller {
        let body = json!({ "name": "Tobu Express", "plan": plan, "terminal": "Van 1" });
        let created = self.send(&crew(), op!(depot::create_courier), &[], body).result();
        let id = number(&created["id"]);
        Caller {
            secret: text(&created["key"]),
            id,
            kind: "terminal_key",
        }
    }

    /// Another terminal of a courier.
    pub(crate) fn terminal_of(&self, courier: i64) -> Value {
        let body = json!({ "name": "Van 2" });
        self.send(&crew(), op!(depot::create_terminal), &[courier], body)
            .result()
    }

    /// A recipient.
    pub(crate) fn recipient(&self) -> Caller {
        let created = self.send(&crew(), op!(depot::create_recipient), &[], json!({ "name": "Aoi" }));
        let created = created.result();
        Caller {
            secret: text(&created["pass"]),
            id: number(&created["id"]),
            kind: "pass",
        }
    }

    /// A station with four compartments of each size.
    pub(crate) fn station(&self) -> i64 {
        let body = json!({
            "code": "KAWAGOE-1", "name": "Kawagoe Station", "city": "Kawagoe", "opened_on": "2024-04-01",
            "address": { "street": "Wakitamachi 39-19", "postal_code": "350-1122" },
        });
        let created = self.send(&crew(), op!(depot::create_station), &[], body).result();
        let station = number(&created["id"]);
        for size in ["small", "medium", "large"] {
            for _ in 0..4 {
                self.compartment(station, size);
            }
        }
        station
    }

    /// A new compartment of a station.
    pub(crate) fn compartment(&self, station: i64, size: &str) -> i64 {
        let body = json!({ "compartments": self.doors(&[size]) });
        let created = self.send(&crew(), op!(depot::create_compartments), &[station], body);
        number(&created.result()["ids"][0])
    }

    /// New compartments of these sizes. Their labels have only digits, unlike all but two samples of the conformance library,
    /// and each sorts before or after all labels so far.
    pub(crate) fn doors(&self, sizes: &[&str]) -> Value {
        let label = || loop {
            let nth = self.named.fetch_add(1, Ordering::Relaxed) % 10_000;
            let place = if nth.is_multiple_of(2) {
                5000 + nth / 2
            } else {
                4999 - nth / 2
            };
            let label = format!("{place:04}");
            if !["0123", "4567"].contains(&label.as_str()) {
                break label;
            }
        };
        let doors = sizes.iter().map(|size| json!({ "label": label(), "size": size }));
        doors.collect()
    }

    /// Changes a compartment of a station.
    pub(crate) fn change_compartment(&self, station: i64, compartment: i64, change: Value) {
        self.send(&crew(), op!(depot::update_compartment), &[station, compartment], change)
            .result();
    }

    /// Blocks every compartment of a station.
    pub(crate) fn block_all(&self, station: i64) {
        let whole = self
            .get(&unauthenticated(), op!(finder::get_station), &[station])
            .result();
        for compartment in whole["compartments"].as_array().into_iter().flatten() {
            self.change_compartment(station, number(&compartment["id"]), json!({ "is_blocked": true }));
        }
    }

    /// An announced parcel of medium size.
    pub(crate) fn parcel(&self, courier: &Caller, recipient: i64, station: i64) -> i64 {
        let body = json!({
            "station_id": station, "recipient_id": recipient, "size": "medium", "weight": 1.25,
            "contents": [{ "what": "Tea" }], "collect_by": "2026-12-24",
        });
        let created = self.send(courier, op!(courier::announce_parcel), &[], body).result();
        let id = number(&created["id"]);
        lock(&self.couriers).insert(id, courier.clone());
        id
    }

    /// Stores a parcel in a compartment.
    pub(crate) fn store(&self, parcel: i64, compartment: i64) {
        let courier = lock(&self.couriers)[&parcel].clone();
        let body = json!({ "compartment_id": compartment });
        self.send(&courier, op!(courier::store_parcel), &[parcel], body)
            .result();
    }

    /// Moves a parcel, as its courier does.
    pub(crate) fn move_parcel(&self, parcel: i64, status: &str) {
        let courier = lock(&self.couriers)[&parcel].clone();
        let body = json!({ "status": status });
        self.send(&courier, op!(courier::move_parcel), &[parcel], body).result();
    }

    /// A recipient's report of a defect of a station.
    pub(crate) fn defect(&self, recipient: &Caller, station: i64) -> i64 {
        let body = json!({ "kind": "stuck_door" });
        let created = self.send(recipient, op!(recipient::report_defect), &[station], body);
        number(&created.result()["id"])
    }
}

/// Settings without limits.
pub(crate) fn unlimited() -> LimitSettings {
    LimitSettings {
        rate_limits: false,
        ..LimitSettings::default()
    }
}

/// The lockers, behind limits with these settings.
pub(crate) fn service(app: Arc<Lockers>, settings: &LimitSettings) -> InProcess {
    InProcess::from_filter(routes(app, Arc::new(Limits::new(settings))))
}

/// The crew.
pub(crate) fn crew() -> Caller {
    Caller {
        secret: BADGE.to_owned(),
        id: 0,
        kind: "badge",
    }
}

/// A caller without a credential, who looks for a station.
pub(crate) fn unauthenticated() -> Caller {
    Caller {
        secret: String::new(),
        id: 0,
        kind: "",
    }
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().expect("no test panics in here")
}
