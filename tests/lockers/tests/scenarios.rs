//! Scenarios of several operations, which no generator can know.

use crate::world::{Depot, Reply, crew, number, op, request, text, unauthenticated};
use conformance::Caller;
use serde_json::{Value, json};

/// A courier, a recipient, and a parcel of medium size between them.
struct Delivery {
    depot: Depot,
    courier: Caller,
    recipient: Caller,
    station: i64,
    parcel: i64,
}

impl Delivery {
    fn announced() -> Self {
        let depot = Depot::new();
        let (courier, recipient, station) = (depot.courier("basic"), depot.recipient(), depot.station());
        let parcel = depot.parcel(&courier, recipient.id, station);
        Self {
            depot,
            courier,
            recipient,
            station,
            parcel,
        }
    }

    fn stored() -> Self {
        let delivery = Self::announced();
        let compartment = delivery.medium(delivery.station);
        delivery.depot.store(delivery.parcel, compartment);
        delivery
    }

    /// A new compartment that the parcel fits into.
    fn medium(&self, station: i64) -> i64 {
        self.depot.compartment(station, "medium")
    }

    fn store(&self, caller: &Caller, parcel: i64, compartment: i64) -> Reply {
        let body = json!({ "compartment_id": compartment });
        self.depot.send(caller, op!(courier::store_parcel), &[parcel], body)
    }

    fn open(&self) -> Reply {
        let op = op!(recipient::open_compartment);
        self.depot.get(&self.recipient, op, &[self.parcel])
    }

    fn read_by_courier(&self) -> Value {
        self.depot
            .get(&self.courier, op!(courier::get_parcel), &[self.parcel])
            .result()
    }

    fn read_by_recipient(&self) -> Value {
        let op = op!(recipient::list_parcels);
        self.depot.get(&self.recipient, op, &[]).result()[0].take()
    }

    fn free(&self, station: i64) -> Value {
        let found = self
            .depot
            .ask(&unauthenticated(), op!(finder::list_stations), &[], "size=medium", None);
        let stations = found.result();
        let card = stations
            .as_array()
            .into_iter()
            .flatten()
            .find(|card| card["id"] == station);
        card.expect("the station is found")["free_compartments"].clone()
    }
}

#[test]
fn a_parcel_goes_from_the_courier_to_the_recipient() {
    let delivery = Delivery::announced();
    assert_eq!(delivery.read_by_recipient()["status"], "announced");
    delivery.depot.move_parcel(delivery.parcel, "in_transit");
    let compartment = delivery.medium(delivery.station);
    let stored = delivery.store(&delivery.courier, delivery.parcel, compartment).result();
    let arrived = delivery.read_by_recipient();
    assert_eq!(
        (&arrived["status"], &arrived["from"]),
        (&json!("stored"), &json!("Tobu Express"))
    );
    assert_eq!(arrived["compartment"], stored["compartment"]);
    assert_eq!(delivery.open().result(), stored);
    let parcel = delivery.read_by_courier();
    assert_eq!(
        (&parcel["status"], &parcel["compartment_id"]),
        (&json!("collected"), &Value::Null)
    );
}

#[test]
fn a_parcel_is_collected_once() {
    let delivery = Delivery::stored();
    delivery.open().result();
    let again = delivery.open().error_line();
    assert_eq!(
        again,
        format!("409 not_stored: parcel {} is in no compartment", delivery.parcel)
    );
}

#[test]
fn a_parcel_may_be_stored_at_another_station() {
    let delivery = Delivery::announced();
    let other = delivery.depot.station();
    let compartment = delivery.medium(other);
    delivery.store(&delivery.courier, delivery.parcel, compartment).result();
    assert_eq!(delivery.read_by_courier()["station_id"], other);
}

#[test]
fn a_compartment_takes_one_parcel_at_a_time() {
    let delivery = Delivery::stored();
    let compartment = number(&delivery.read_by_courier()["compartment_id"]);
    let next = delivery
        .depot
        .parcel(&delivery.courier, delivery.recipient.id, delivery.station);
    let store = || delivery.store(&delivery.courier, next, compartment);
    let error_line = "409 not_free: this compartment is in use, held for another courier, or out of service";
    assert_eq!(store().error_line(), error_line);
    delivery.open().result();
    store().result();
}

#[test]
fn a_closed_station_takes_no_parcel_and_gives_back_what_it_has() {
    let delivery = Delivery::stored();
    let set = |status: &str| {
        let body = json!({ "status": status });
        let op = op!(depot::set_station_status);
        delivery.depot.send(&crew(), op, &[delivery.station], body).result()
    };
    set("closed");
    let next = delivery
        .depot
        .parcel(&delivery.courier, delivery.recipient.id, delivery.station);
    let compartment = delivery.medium(delivery.station);
    assert_eq!(
        delivery.store(&delivery.courier, next, compartment).response.status,
        409
    );
    assert_eq!(delivery.free(delivery.station), 0);
    delivery.open().result();
    set("in_service");
    delivery.store(&delivery.courier, next, compartment).result();
}

#[test]
fn a_parcel_that_is_taken_along_leaves_its_compartment_free() {
    let delivery = Delivery::stored();
    let before = number(&delivery.free(delivery.station));
    delivery.depot.move_parcel(delivery.parcel, "in_transit");
    assert_eq!(delivery.free(delivery.station), before + 1);
    assert_eq!(delivery.open().response.status, 409);
}

#[test]
fn a_held_compartment_is_free_for_its_courier_alone() {
    let delivery = Delivery::announced();
    let (depot, other) = (&delivery.depot, delivery.depot.courier("priority"));
    let body = json!({ "size": "medium" });
    let held = depot.send(&other, op!(courier::create_reservation), &[delivery.station], body);
    let held = held.result();
    let compartment = number(&held["compartment_id"]);
    let rejected = delivery.store(&delivery.courier, delivery.parcel, compartment);
    assert_eq!(rejected.response.status, 409);
    let own = depot.parcel(&other, delivery.recipient.id, delivery.station);
    delivery.store(&other, own, compartment).result();
    // Its id is a UUID.
    let mut give_back = request(&other, op!(courier::delete_reservation), &[0], "", None);
    give_back.target = give_back.target.replace("/0", &format!("/{}", text(&held["id"])));
    depot.call(give_back).result();
    assert_eq!(
        depot.get(&other, op!(courier::list_reservations), &[]).result(),
        json!([])
    );
}

#[test]
fn stations_are_found_by_what_they_have_and_paged_by_number() {
    let depot = Depot::new();
    let stations: Vec<i64> = (0..3).map(|_| depot.station()).collect();
    depot.block_all(stations[1]);
    let found = |query: &str| {
        let reply = depot
            .ask(&unauthenticated(), op!(finder::list_stations), &[], query, None)
            .json();
        let ids: Vec<i64> = reply["result"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|card| number(&card["id"]))
            .collect();
        (ids, number(&reply["total"]))
    };
    assert_eq!(found("city=kawa&has_room=1"), (vec![stations[0], stations[2]], 2));
    assert_eq!(found("page_size=2&page=2"), (vec![stations[2]], 3));
    assert_eq!(found("feature=step-free"), (vec![], 0));
}

#[test]
fn a_recipient_sees_what_others_have_reported() {
    let depot = Depot::new();
    let (one, other, station) = (depot.recipient(), depot.recipient(), depot.station());
    let defect = depot.defect(&one, station);
    depot.defect(&one, depot.station());
    let known = depot
        .get(&other, op!(recipient::list_known_defects), &[station])
        .result();
    let only = json!([{ "id": defect, "kind": "stuck_door", "status": "reported" }]);
    assert_eq!(known, only, "not who has told it, and not of another station");
}
