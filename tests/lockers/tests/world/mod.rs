//! The world of the generated tests: the lockers in this process, and the arrangement of each request's conditions.

mod calls;
mod depot;

pub(crate) use calls::{Reply, number, op, request};
pub(crate) use depot::{BADGE, Depot, crew, unauthenticated};

use calls::text;
use conformance::{Access, Caller, Credential, LimitedService, Request, RequestedResources, Response, Suite, World};
use lockers::LimitSettings;
use serde_json::json;
use std::sync::{Arc, LazyLock, OnceLock};
use test_support::in_process::Limited;

/// The suite of the lockers' contract.
pub(crate) fn suite() -> &'static Suite {
    static SUITE: LazyLock<&Suite> =
        LazyLock::new(|| Suite::of(include_str!("../../api.yaml"), "tests/lockers/api.yaml"));
    &SUITE
}

/// The world that all generated tests share; each creates its own users in it.
pub(crate) fn world() -> &'static dyn World {
    static DEPOT: OnceLock<Depot> = OnceLock::new();
    DEPOT.get_or_init(Depot::new)
}

impl World for Depot {
    fn call(&self, request: &Request) -> Response {
        self.service().call(request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.service().call_held(request, meanwhile)
    }

    fn caller(&self, credential: &'static Credential, plan: Option<&str>) -> Caller {
        match credential.name.as_str() {
            "terminal_key" => self.courier(plan.unwrap_or("basic")),
            "pass" => self.recipient(),
            "badge" => crew(),
            other => panic!("who calls with {other}?"),
        }
    }

    fn another(&self, caller: &Caller) -> Caller {
        let terminal = self.terminal_of(caller.id);
        Caller {
            secret: text(&terminal["key"]),
            ..caller.clone()
        }
    }

    fn set_access(&self, caller: &Caller, to: Access<'_>) {
        match to {
            Access::Plan(plan) => self.set_plan(caller.id, plan),
            Access::Suspended => self.bar(caller.id),
            Access::Revoked => self.shut_out(caller),
        }
    }

    fn create(&self, resource: &str, caller: &Caller, within: Option<(&str, i64)>) -> i64 {
        match (resource, caller.kind, within) {
            ("Courier", ..) => self.courier("basic").id,
            ("Terminal", "terminal_key", _) => number(&self.terminal_of(caller.id)["id"]),
            ("Recipient", ..) => self.recipient().id,
            ("Station", ..) => self.station(),
            ("Compartment", _, Some((_, station))) => self.compartment(station, "medium"),
            ("Compartment", ..) => self.compartment(self.station(), "medium"),
            ("Reservation", "terminal_key", _) => self.reservation(caller, self.station()),
            ("Parcel", "terminal_key", _) => self.parcel(caller, self.recipient().id, self.station()),
            ("Parcel", "pass", _) => self.parcel(&self.courier("basic"), caller.id, self.station()),
            ("Defect", ..) => self.defect(&self.recipient(), self.station()),
            other => panic!("nothing here makes {other:?}"),
        }
    }

    fn prepare_success(&self, operation: &str, _: &Caller, arranged: &RequestedResources) {
        if operation == "recipient::open_compartment" {
            self.store(arranged.id("Parcel"), self.compartment(self.station(), "medium"));
        }
    }

    fn quota_usage(&self, quota: &str) -> u64 {
        match quota {
            "terminals" => 1,
            "reservations" | "open_reports" => 0,
            other => panic!("who counts {other}?"),
        }
    }

    fn arrange_error(&self, error: &str, caller: &Caller, arranged: &RequestedResources) {
        match error {
            "finished" => self.move_parcel(arranged.id("Parcel"), "cancelled"),
            "not_stored" => self.move_parcel(arranged.id("Parcel"), "in_transit"),
            "not_free" => self.change_compartment(arranged.id("Compartment"), json!({ "is_blocked": true })),
            "too_small" => self.change_compartment(arranged.id("Compartment"), json!({ "size": "small" })),
            "station_full" => self.block_all(arranged.id("Station")),
            "occupied" => {
                let parcel = self.create("Parcel", &self.courier("basic"), None);
                self.store(parcel, arranged.id("Compartment"));
            }
            "label_taken" => {
                self.door(arranged.id("Station"), FIRST_LABEL, "small");
            }
            other => panic!("nothing here brings about {other} for {caller:?}"),
        }
    }

    fn apart(&self) -> Option<&'static dyn World> {
        Some(Box::leak(Box::new(match self.mock {
            Some(_) => Depot::mocked(),
            None => Depot::new(),
        })))
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        if let Some(mock) = &self.mock {
            return Box::new(Limited::mocked(mock));
        }
        Box::new(Limited::new(|clock| {
            let settings = LimitSettings {
                clock,
                ..LimitSettings::default()
            };
            depot::service(Arc::clone(&self.app), &settings)
        }))
    }
}

/// The label that the conformance library gives the first of several compartments.
const FIRST_LABEL: &str = "A";
