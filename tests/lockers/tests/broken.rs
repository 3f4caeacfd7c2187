//! The conformance suite and the random histories against lockers whose tables have one fault each.

use crate::histories::compare;
use crate::world::{BADGE, Depot, roots, suite, unlimited};
use conformance::{
    DeclaredWorld, HistoriesReport, HistoryOptions, LimitedService, Request, RequestedResources, Response, Subject,
};
use lockers::support::Clock;
use lockers::{Fault, Lockers};
use serde_json::Value;
use test_support::planted::Planted;

/// A table and its fault.
type Defect = (&'static str, Fault);

/// Each fault of each table that has calls which it spoils. Left out is what no caller can notice:
///
/// - the tenth row of a caller's terminals or reservations, of which quotas allow fewer;
/// - a former terminal, defect or reservation: only guards read these one by one, for what never changes;
/// - a terminal or reservation that is read after it was removed: what ends it finds nothing and answers as the guard would.
fn defects() -> Vec<Defect> {
    use Fault::*;
    let changed = [
        "terminals",
        "defects",
        "couriers",
        "recipients",
        "stations",
        "compartments",
        "parcels",
    ];
    let removed = ["terminals", "compartments", "reservations"];
    let long = ["stations", "compartments", "parcels", "defects"];
    let each: [(&[&'static str], &[Fault]); 7] = [
        (&changed, &[SecondChangeLost, ChangesLost]),
        (&changed[2..], &[FormerRead]),
        (&["terminals"], &[FormerListed]),
        (&long, &[FormerListed, TenListed, LastNotListed, FirstListedTwice]),
        (&removed, &[NotRemoved, NextRemoved, CountedIds]),
        (&["compartments"], &[RemovedRead]),
        (&["terminals", "reservations"], &[LastNotListed, FirstListedTwice]),
    ];
    let faults = each
        .iter()
        .flat_map(|(tables, faults)| tables.iter().map(move |table| (*table, *faults)));
    faults
        .flat_map(|(table, faults)| faults.iter().map(move |fault| (table, *fault)))
        .collect()
}

/// Lockers with a fault.
fn broken((table, fault): Defect) -> Depot {
    let app = Lockers::new(BADGE.to_owned(), Clock::system());
    assert!(app.spoil(table, fault), "{table}");
    Depot::with_lockers(app, &unlimited())
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

fn histories((table, fault): Defect, options: &HistoryOptions) -> HistoriesReport {
    compare(|app| assert!(app.spoil(table, fault), "{table}"), options)
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
