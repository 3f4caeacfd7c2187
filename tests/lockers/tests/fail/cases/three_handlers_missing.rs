//! Every missing handler is reported once, with its method, its path and its position in the contract, and no other,
//! for any use of the filter.

include!("parts/others.rs");

use lockers::support::warp::{self, Filter};

fn main() {
    let limits = Arc::new(lockers::Limits::new(&lockers::LimitSettings::default()));
    let served = lockers::service_filter(Arc::new(Service), Arc::clone(&limits))
    //~^ E0277: no handler for GET /courier/v1/parcels (list_parcels, {at courier.list_parcels})
    //~| E0277: no handler for PATCH /courier/v1/parcels/:id/status (move_parcel, {at courier.move_parcel})
    //~| E0277: no handler for GET /me/v1/parcels (list_parcels, {at recipient.list_parcels})
        .or(lockers::fallback(limits))
        .unify();
    let _ = warp::service(served);
}
