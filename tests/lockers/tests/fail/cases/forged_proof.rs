//! Only the guard can make the proof that a record exists and who owns it.

use lockers::courier::get_parcel;
use lockers::{CourierId, Found, Owned, Parcel, ParcelId, TerminalKeyCaller};
use lockers::support::SentId;
use std::sync::Arc;

fn main() {}

fn from_a_record(parcel: Arc<Parcel>) -> Owned<Parcel> {
    Owned(parcel) //~ E0423: cannot initialize a tuple struct which contains private fields
}

fn by_conversion(parcel: Arc<Parcel>) -> Owned<Parcel> {
    parcel.into() //~ E0277: From<Arc<Parcel>>` is not satisfied
}

fn by_the_guards_own_comparison(found: &Found<Parcel>, somebody: CourierId) -> Option<Owned<Parcel>> {
    Owned::<Parcel>::claim_by_courier(found, somebody, &SentId::Plain(1)).ok() //~ E0624: `claim_by_courier` is private
}

fn by_asking_for_it_oneself(service: &(impl lockers::FindParcel + Sync)) {
    let _ = Found::<Parcel>::look_up(service, ParcelId::new(1), &SentId::Plain(1)); //~ E0624: `look_up` is private
}

fn by_calling_what_comes_after_the_guards(parcel: Found<Parcel>, caller: TerminalKeyCaller, path: get_parcel::Path) {
    let _ = get_parcel::Request { caller, path, owned_parcel: parcel }; //~ E0308: expected `Owned<Parcel>`, found `Found<Parcel>`
}
