//! The calls of an observer: one for each request, with a name of the contract and never with one of the client.

use crate::served::bare;
use crate::world::{Depot, crew, op, request, unauthenticated};
use conformance::Request;
use lockers::support::{Ended, Observer};
use lockers::{LimitSettings, Limits, pulse};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use test_support::in_process::InProcess;

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
    /// The calls since the last time, `SURFACE OPERATION STATUS`; checks that every started request has ended.
    #[track_caller]
    fn ended_requests(&self) -> Vec<String> {
        let ended = std::mem::take(&mut *self.ended.lock().expect("no test panics in here"));
        assert_eq!(self.begun.swap(0, Ordering::Relaxed), ended.len());
        let line = |one: &Ended| {
            let (surface, operation) = (one.surface.unwrap_or("-"), one.operation.unwrap_or("-"));
            let status = one.status.map_or("-".to_owned(), |status| status.to_string());
            format!("{surface} {operation} {status}")
        };
        ended.iter().map(line).collect()
    }
}

fn watched() -> (LimitSettings, Arc<Watch>) {
    let watch = Arc::new(Watch::default());
    let settings = LimitSettings {
        observer: Some(watch.clone()),
        ..LimitSettings::default()
    };
    (settings, watch)
}

fn recipient(body: Value) -> Request {
    request(&crew(), op!(depot::create_recipient), &[], "", Some(body))
}

#[test]
fn each_error_and_each_success_is_observed() {
    let (settings, watch) = watched();
    let depot = Depot::behind(&settings);
    let mut plain = recipient(json!({}));
    plain.headers[1].1 = "text/plain".to_owned();
    let move_defect = json!({ "status": "in_repair" });
    for (request, ended_requests) in [
        (bare("GET", "/nowhere"), "- - 404"),
        (bare("GET", "/depot/ships"), "depot - 404"),
        (bare("PATCH", "/depot/recipients"), "depot - 405"),
        (bare("POST", "/depot/recipients"), "depot create_recipient 401"),
        (plain, "depot create_recipient 415"),
        (recipient(json!("x".repeat(16_384))), "depot create_recipient 413"),
        (recipient(json!([])), "depot create_recipient 422"),
        (
            request(&crew(), op!(depot::move_defect), &[7], "", Some(move_defect)),
            "depot move_defect 404",
        ),
        (recipient(json!({ "name": "Aoi" })), "depot create_recipient 201"),
        (bare("GET", pulse::ping::PATH), "pulse ping 200"),
    ] {
        depot.call(request);
        assert_eq!(watch.ended_requests(), [ended_requests]);
    }
}

#[test]
fn a_client_that_goes_away_is_observed_without_a_status() {
    let (settings, watch) = watched();
    drop(Depot::behind(&settings).service().begin(&recipient(json!({}))));
    assert_eq!(watch.ended_requests(), ["depot create_recipient -"]);
}

#[test]
fn a_request_of_an_operation_that_is_mounted_alone_is_observed_alike() {
    let (settings, watch) = watched();
    let limits = Arc::new(Limits::new(&settings));
    let service = InProcess::from_filter(pulse::ping::filter(Depot::new().app, limits));
    service.call(&request(&unauthenticated(), op!(pulse::ping), &[], "", None));
    assert_eq!(watch.ended_requests(), ["pulse ping 200"]);
}
