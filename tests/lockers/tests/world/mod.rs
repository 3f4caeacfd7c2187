//! The world of the generated tests: the lockers in this process, and the arrangement of each request's conditions.

mod calls;
mod depot;

pub(crate) use calls::{Reply, number, op, request};
pub(crate) use depot::{BADGE, Depot, crew, service, unauthenticated, unlimited};

use conformance::{DeclaredWorld, LimitedService, Request, RequestedResources, Response, Subject, Suite};
use lockers::LimitSettings;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use test_support::in_process::Limited;

/// The suite of the lockers' contract.
pub(crate) fn suite() -> &'static Suite {
    static SUITE: LazyLock<&Suite> =
        LazyLock::new(|| Suite::from_source(include_str!("../../api.yaml"), "tests/lockers/api.yaml"));
    &SUITE
}

/// The secrets that no operation creates.
pub(crate) fn roots() -> Vec<(String, String)> {
    vec![("badge".to_owned(), BADGE.to_owned())]
}

/// What the contract does not declare (`undeclared`, and rules without `when`) is arranged by hand.
impl Subject for Depot {
    fn call(&self, request: &Request) -> Response {
        self.service().call(request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.service().call_held(request, meanwhile)
    }

    fn apart(&self) -> Option<Box<dyn Subject>> {
        Some(Box::new(Depot::new()))
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        Box::new(Limited::new(|clock| {
            let settings = LimitSettings {
                clock,
                ..LimitSettings::default()
            };
            depot::service(Arc::clone(&self.app), &settings)
        }))
    }

    fn members(&self, operation: &str) -> Vec<(&'static str, Value)> {
        match operation {
            "courier::announce_parcel" => vec![("size", json!("medium"))],
            "depot::create_compartments" => vec![("compartments", self.doors(&["medium"]))],
            _ => Vec::new(),
        }
    }

    fn prepare_success(&self, world: &DeclaredWorld, operation: &str, arranged: &RequestedResources) {
        match operation {
            "recipient::open_compartment" => {
                world.act("courier::store_parcel", &[("Parcel", arranged.id("Parcel"))], &[]);
            }
            "courier::create_reservation" => {
                let doors = self.doors(&["small", "medium", "large"].repeat(4));
                let station = ("Station", arranged.id("Station"));
                world.act("depot::create_compartments", &[station], &[("compartments", doors)]);
            }
            _ => {}
        }
    }
}
