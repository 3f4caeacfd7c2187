//! Random histories and probes against lockers whose tables have one fault each.

use crate::faults::{Fault, Faulty};
use crate::histories::{compare, probe};
use conformance::{HistoriesReport, HistoryOptions, ProbeOptions, ProbeOutcome};
use lockers::stored::Store;
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

fn histories(defect: Defect, options: &HistoryOptions) -> HistoriesReport {
    compare(store(defect), options)
}

fn probes(defect: Defect, options: &ProbeOptions) -> Vec<ProbeOutcome> {
    probe(store(defect), options)
}

/// What is tried with these defects.
fn planted(defects: &[Defect]) -> Planted<'_, Defect> {
    Planted {
        defects,
        histories: &histories,
        probes: &probes,
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
