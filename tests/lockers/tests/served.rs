//! The whole contract, served: the bytes of its envelope, and unknown paths. All other tests are generated.

use crate::world::{Depot, op, unauthenticated};
use conformance::Request;
use serde_json::json;

/// A request with this method and path, without a credential.
pub(crate) fn bare(method: &str, target: &str) -> Request {
    Request {
        method: method.to_owned(),
        target: target.to_owned(),
        ..Request::default()
    }
}

#[test]
fn a_success_wears_the_envelope_of_its_own_contract() {
    let depot = Depot::new();
    let body = |reply: &crate::world::Reply| String::from_utf8_lossy(&reply.response.body).into_owned();
    let me = depot.get(&depot.recipient(), op!(recipient::list_parcels), &[]);
    assert_eq!(body(&me), r#"{"ok":true,"version":2,"result":[],"limit":20}"#);
    assert_eq!(
        (me.header("lockers-request").len(), me.header("x-request-id")),
        (16, "")
    );
    let stations = depot.get(&unauthenticated(), op!(finder::list_stations), &[]);
    let empty = r#"{"ok":true,"version":2,"result":[],"total":0,"page":1,"page_size":10}"#;
    assert_eq!(body(&stations), empty);
    let changed = depot.send(
        &depot.recipient(),
        op!(recipient::update_me),
        &[],
        json!({ "name": "Ren" }),
    );
    let message = r#"{"ok":true,"version":2,"result":null,"message":"Profile changed"}"#;
    assert_eq!(body(&changed), message);
}

#[test]
fn without_the_envelope_a_body_is_the_data_and_without_data_there_is_none() {
    let depot = Depot::new();
    let ping = depot.get(&unauthenticated(), op!(pulse::ping), &[]);
    assert_eq!((ping.response.status, ping.response.body.len()), (200, 0));
    assert_eq!(
        (ping.header("content-type"), ping.header("lockers-request").len()),
        ("", 16)
    );
    let station = depot.station();
    let list = depot.get(&unauthenticated(), op!(finder::list_compartments), &[station]);
    assert_eq!(list.json().as_array().map(Vec::len), Some(12));
    assert_eq!(list.header("content-type"), "application/json");
}

#[test]
fn a_path_beside_the_bases_is_nowhere() {
    let world = Depot::new();
    for (path, meant) in [
        ("/find", ""),
        ("/find/stations/", ", did you mean `/find/stations`?"),
        ("/find2/stations", ", did you mean `/find/stations`?"),
        ("/stations", ", did you mean `/find/stations`?"),
        ("/courier/v2/parcels", ", did you mean `/courier/v1/parcels`?"),
        ("/api/v1/humans", ""),
    ] {
        let nowhere = world.call(bare("GET", path));
        let expected = format!("404 no_such_path: there is no such path{meant}");
        assert_eq!(nowhere.error_line(), expected, "{path}");
    }
}
