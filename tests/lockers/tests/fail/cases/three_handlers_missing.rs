//! Every handler that is missing is named at once, with its method, its path and its place in the contract, and no other.

include!("parts/others.rs");

fn main() {
    let gate = Arc::new(lockers::Gate::new(&lockers::GateSettings::default()));
    let _ = lockers::service_filter(Arc::new(Service), gate);
    //~^ E0277: no handler for GET /courier/v1/parcels (list_parcels, {at courier.list_parcels})
    //~| E0277: no handler for PATCH /courier/v1/parcels/:id/status (move_parcel, {at courier.move_parcel})
    //~| E0277: no handler for GET /me/v1/parcels (list_parcels, {at recipient.list_parcels})
}
