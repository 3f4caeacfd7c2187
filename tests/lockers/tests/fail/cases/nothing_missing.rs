//! A service with a handler for every operation compiles: the other cases are rejected only for what they lack.

include!("parts/others.rs");

handlers! {
    courier: list_parcels ListParcels, move_parcel MoveParcel;
    recipient: list_parcels ListParcels;
}

fn main() {
    let limits = Arc::new(lockers::Limits::new(&lockers::LimitSettings::default()));
    let _ = lockers::service_filter(Arc::new(Service), limits);
}
