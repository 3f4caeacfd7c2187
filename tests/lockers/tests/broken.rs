//! The conformance suite and the random histories against lockers whose tables have one fault each.

use crate::faults::{Fault, Faulty};
use crate::histories::compare;
use crate::world::{BADGE, Depot, roots, suite, unlimited};
use conformance::{
    DeclaredWorld, HistoriesReport, HistoryOptions, LimitedService, Request, RequestedResources, Response, Subject,
};
use lockers::Lockers;
use lockers::stored::Store;
use lockers::support::Clock;
use serde_json::Value;
use test_support::in_process::RUNTIME;
use test_support::planted::Planted;

/// A table and its fault.
type Defect = (&'static str, Fault);

/// Each fault of each table that has calls which it spoils. Left out is what no caller can notice:
///
/// - the tenth row of a caller's terminals or reservations, of which quotas allow fewer;
/// - a row that is read after it was removed: the transaction of each write looks again, and lists have its index row no more.
fn defects() -> Vec<Defect> {
    use Fault::*;
    let changed = [
        "Terminal",
        "Defect",
        "Courier",
        "Recipient",
        "Station",
        "Compartment",
        "Parcel",
    ];
    let removed = ["Terminal", "Compartment", "Reservation"];
    let long = ["Station", "Compartment", "Parcel", "Defect"];
    let each: [(&[&'static str], &[Fault]); 5] = [
        (&changed, &[SecondChangeLost, ChangesLost, FormerRead]),
        (&["Station", "Parcel"], &[FormerPlace]),
        (&long, &[TenListed, LastNotListed, FirstListedTwice]),
        (&removed, &[NotRemoved, NextRemoved, CountedIds]),
        (&["Terminal", "Reservation"], &[LastNotListed, FirstListedTwice]),
    ];
    let faults = each
        .iter()
        .flat_map(|(tables, faults)| tables.iter().map(move |table| (*table, *faults)));
    faults
        .flat_map(|(table, faults)| faults.iter().map(move |fault| (table, *fault)))
        .collect()
}

/// Lockers with a fault.
fn broken(defect: Defect) -> Depot {
    let app = Lockers::new(store(defect), BADGE, Clock::system());
    Depot::with_lockers(app, &unlimited())
}

/// An empty store with a fault.
fn store((table, fault): Defect) -> Store {
    let engine = Box::new(Faulty::new(table, fault));
    Store::in_engine(engine, (), None).expect("the machine has threads")
}

#[test]
fn a_store_whose_engine_panics_when_it_closes_has_closed() {
    let store = store(("Station", Fault::PanicsClosing));
    let closed = RUNTIME.block_on(store.close());
    assert!(closed.is_ok(), "{closed:?}");
}

/// A depot whose copies have its fault.
struct Broken(Defect, Depot);

impl Subject for Broken {
    fn call(&self, request: &Request) -> Response {
        Subject::call(&self.1, request)
    }

    fn call_held(&self, request: &Request, meanwhile: &mut dyn FnMut()) -> Response {
        self.1.call_held(request, meanwhile)
    }

    fn limited_service(&self) -> Box<dyn LimitedService> {
        self.1.limited_service()
    }

    fn apart(&self) -> Option<Box<dyn Subject>> {
        Some(Box::new(Self(self.0, broken(self.0))))
    }

    fn members(&self, operation: &str) -> Vec<(&'static str, Value)> {
        self.1.members(operation)
    }

    fn prepare_success(&self, world: &DeclaredWorld, operation: &str, arranged: &RequestedResources) {
        self.1.prepare_success(world, operation, arranged);
    }

    fn arrange_error(&self, world: &DeclaredWorld, error: &str, arranged: &RequestedResources) -> bool {
        self.1.arrange_error(world, error, arranged)
    }
}

fn world(defect: Defect) -> DeclaredWorld {
    DeclaredWorld::new(suite().contract, Box::new(Broken(defect, broken(defect))), roots())
}

fn histories(defect: Defect, options: &HistoryOptions) -> HistoriesReport {
    compare(store(defect), options)
}

/// What is tried with these defects.
fn planted(defects: &[Defect]) -> Planted<'_, Defect> {
    Planted {
        defects,
        histories: &histories,
        suite: suite(),
        world: &world,
    }
}

#[test]
fn a_sample_of_broken_tables_is_noticed() {
    planted(&defects()).expect_sample_noticed();
}

#[test]
fn every_broken_table_is_noticed() {
    planted(&defects()).expect_all_noticed();
}
