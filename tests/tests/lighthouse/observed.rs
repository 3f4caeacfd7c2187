//! What an observer sees: each request once, under a name of the contract's and never under one of the client's.

use super::app::{App, SIGHTINGS, keeper, request, ship};
use conformance::lighthouse::GateSettings;
use contract::support::{Ended, Observer};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[derive(Debug, Default)]
struct Watch {
    begun: AtomicUsize,
    ended: Mutex<Vec<Ended>>,
}

impl Observer for Watch {
    fn begun(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    fn ended(&self, ended: &Ended) {
        self.ended.lock().expect("no test panics in here").push(*ended);
    }
}

impl Watch {
    /// What was seen since the last time, `SURFACE OPERATION STATUS`; all that began has ended.
    #[track_caller]
    fn seen(&self) -> Vec<String> {
        let ended = std::mem::take(&mut *self.ended.lock().expect("no test panics in here"));
        assert_eq!(self.begun.swap(0, Ordering::Relaxed), ended.len());
        let shown = |one: &Ended| {
            let (surface, operation) = (one.surface.unwrap_or("-"), one.operation.unwrap_or("-"));
            let status = one.status.map_or("-".to_owned(), |status| status.to_string());
            format!("{surface} {operation} {status}")
        };
        ended.iter().map(shown).collect()
    }
}

fn watched() -> (App, Arc<Watch>) {
    let watch = Arc::new(Watch::default());
    let settings = GateSettings {
        observer: Some(watch.clone()),
        ..GateSettings::default()
    };
    (App::of(&settings), watch)
}

#[test]
fn each_row_of_the_error_table_is_observed_and_each_success() {
    let (app, watch) = watched();
    let json = || keeper("POST", SIGHTINGS).header("content-type", "application/json");
    let long = " ".repeat(4097);
    let good = ship("Kaiko Maru").to_string();
    for (request, body, seen) in [
        (keeper("GET", "/nowhere"), "", "- - 404"),
        (keeper("GET", "/log/v2/ships"), "", "log - 404"),
        (keeper("PATCH", SIGHTINGS), "", "log - 405"),
        (request("GET", SIGHTINGS), "", "log list_sightings 401"),
        (keeper("POST", SIGHTINGS), "{}", "log create_sighting 415"),
        (json(), &long, "log create_sighting 413"),
        (json(), "[]", "log create_sighting 400"),
        (keeper("GET", "/log/v2/sightings/7"), "", "log get_sighting 404"),
        (json(), &good, "log create_sighting 201"),
        (keeper("GET", "/log/v2/sightings/1"), "", "log get_sighting 200"),
        (request("GET", "/open/ping"), "", "open ping 200"),
    ] {
        app.send(request, body);
        assert_eq!(watch.seen(), [seen]);
    }
}

#[test]
fn a_client_that_goes_away_is_observed_without_a_status() {
    let (app, watch) = watched();
    app.abandon(keeper("POST", SIGHTINGS).header("content-type", "application/json"));
    assert_eq!(watch.seen(), ["log create_sighting -"]);
}

#[test]
fn a_request_of_an_operation_that_is_mounted_alone_is_observed_alike() {
    use conformance::lighthouse::{Gate, handlers::Lighthouse, open};
    let watch = Arc::new(Watch::default());
    let settings = GateSettings {
        observer: Some(watch.clone()),
        ..GateSettings::default()
    };
    let app = App::new(open::ping::filter(
        Arc::new(Lighthouse::default()),
        Arc::new(Gate::new(&settings)),
    ));
    app.send(request("GET", "/open/ping"), "");
    assert_eq!(watch.seen(), ["open ping 200"]);
}
