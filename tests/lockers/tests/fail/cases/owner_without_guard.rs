//! A handler for the owner alone needs the proof, and the contract must declare the guard that makes it: the crew of
//! the depot may move any defect.

use lockers::courier::{delete_reservation, get_parcel};
use lockers::depot::move_defect;
use lockers::{Defect, Found, Owned, Parcel};

fn main() {}

fn of_the_owner(request: get_parcel::Request) -> Owned<Parcel> {
    request.owned_parcel
}

fn of_anyone(request: move_defect::Request) -> Owned<Defect> {
    request.owned_defect //~ E0609: no field `owned_defect` on type
}

fn found_is_not_owned(parcel: Found<Parcel>) {
    close(parcel); //~ E0308: expected `Owned<Parcel>`, found `Found<Parcel>`
}

fn one_record_is_not_another(request: delete_reservation::Request) {
    close(request.owned_reservation); //~ E0308: expected `Owned<Parcel>`, found `Owned<Reservation>`
}

fn close(_: Owned<Parcel>) {}
