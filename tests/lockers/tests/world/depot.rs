//! A service and its users: who creates their accounts, and what they do, all by requests.

use super::calls::{Reply, number, op, request, text};
use conformance::{Caller, Op, Request};
use lockers::support::Clock;
use lockers::{LimitSettings, Limits, Lockers, routes};
use mock::{Mock, Options};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use test_support::in_process::InProcess;

/// The badge of the crew.
pub(crate) const BADGE: &str = "badge_of_the_crew";

/// A service, and facts that its answers do not repeat.
pub(crate) struct Depot {
    pub(crate) app: Arc<Lockers>,
    /// The mock that is called in place of the lockers.
    pub(super) mock: Option<Mock>,
    service: InProcess,
    named: AtomicUsize,
    plans: Mutex<HashMap<i64, String>>,
    couriers: Mutex<HashMap<i64, Caller>>,
    stations: Mutex<HashMap<i64, i64>>,
}

impl Depot {
    /// A service without users and limits.
    pub(crate) fn new() -> Self {
        Self::behind(&LimitSettings {
            rate_limits: false,
            ..LimitSettings::default()
        })
    }

    /// A service without users, behind limits with these settings.
    pub(crate) fn behind(settings: &LimitSettings) -> Self {
        let app = Arc::new(Lockers::new(BADGE.to_owned(), Clock::system()));
        Self {
            service: service(Arc::clone(&app), settings),
            app,
            mock: None,
            named: AtomicUsize::new(0),
            plans: Mutex::default(),
            couriers: Mutex::default(),
            stations: Mutex::default(),
        }
    }

    /// The mock of the contract without users and limits.
    pub(crate) fn mocked() -> Self {
        static MODEL: LazyLock<codegen::Model> =
            LazyLock::new(|| codegen::compile(include_str!("../../api.yaml")).expect("the build understood it, too"));
        let options = Options {
            rate_limits: false,
            credentials: vec![("badge".to_owned(), BADGE.to_owned())],
            ..Options::default()
        };
        let mock = Mock::new(&MODEL, options);
        Self {
            service: InProcess::mocked(mock.clone(), Clock::system()),
            mock: Some(mock),
            ..Self::new()
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
        lock(&self.plans).insert(id, plan.to_owned());
        Caller {
            secret: text(&created["key"]),
            id,
            kind: "terminal_key",
        }
    }

    /// Changes the plan of a courier.
    pub(crate) fn set_plan(&self, courier: i64, plan: &str) {
        let body = json!({ "plan": plan });
        self.send(&crew(), op!(depot::update_courier), &[courier], body)
            .result();
        lock(&self.plans).insert(courier, plan.to_owned());
    }

    /// Suspends a courier.
    pub(crate) fn bar(&self, courier: i64) {
        let body = json!({ "is_barred": true });
        self.send(&crew(), op!(depot::update_courier), &[courier], body)
            .result();
    }

    /// Ends the credential of a caller: the only terminal of a courier, with its own key, or the pass of a recipient.
    pub(crate) fn shut_out(&self, courier: &Caller) {
        if courier.kind == "pass" {
            self.send(&crew(), op!(depot::create_pass), &[courier.id], json!({}))
                .result();
            return;
        }
        let terminals = self.get(courier, op!(courier::list_terminals), &[]).result();
        let id = number(&terminals[0]["id"]);
        let gone = self.ask(courier, op!(courier::delete_terminal), &[id], "", None);
        assert_eq!(gone.response.status, 200, "{gone:?}");
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

    /// A new compartment of a station. Its label has only digits, unlike all but two samples of the conformance library, and
    /// sorts before or after all labels so far.
    pub(crate) fn compartment(&self, station: i64, size: &str) -> i64 {
        let label = loop {
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
        let id = self.door(station, &label, size);
        lock(&self.stations).insert(id, station);
        id
    }

    /// A new compartment with this label.
    pub(crate) fn door(&self, station: i64, label: &str, size: &str) -> i64 {
        let body = json!({ "compartments": [{ "label": label, "size": size }] });
        let created = self.send(&crew(), op!(depot::create_compartments), &[station], body);
        number(&created.result()["ids"][0])
    }

    /// Changes a compartment of this depot.
    pub(crate) fn change_compartment(&self, compartment: i64, change: Value) {
        let station = lock(&self.stations)[&compartment];
        self.send(&crew(), op!(depot::update_compartment), &[station, compartment], change)
            .result();
    }

    /// Blocks every compartment of a station.
    pub(crate) fn block_all(&self, station: i64) {
        let whole = self
            .get(&unauthenticated(), op!(finder::get_station), &[station])
            .result();
        for compartment in whole["compartments"].as_array().into_iter().flatten() {
            self.change_compartment(number(&compartment["id"]), json!({ "is_blocked": true }));
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

    /// A reservation of a compartment for a courier on any plan.
    pub(crate) fn reservation(&self, courier: &Caller, station: i64) -> i64 {
        let plan = lock(&self.plans)[&courier.id].clone();
        self.set_plan(courier.id, "priority");
        let created = self.send(courier, op!(courier::create_reservation), &[station], json!({}));
        self.set_plan(courier.id, &plan);
        number(&created.result()["id"])
    }

    /// A recipient's report of a defect of a station.
    pub(crate) fn defect(&self, recipient: &Caller, station: i64) -> i64 {
        let body = json!({ "kind": "stuck_door" });
        let created = self.send(recipient, op!(recipient::report_defect), &[station], body);
        number(&created.result()["id"])
    }
}

/// The lockers, behind limits with these settings.
pub(super) fn service(app: Arc<Lockers>, settings: &LimitSettings) -> InProcess {
    InProcess::of(routes(app, Arc::new(Limits::new(settings))))
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
