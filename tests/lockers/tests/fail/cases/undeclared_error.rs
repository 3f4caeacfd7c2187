//! A handler can return only the errors that its operation declares.

use lockers::courier::{get_parcel, store_parcel};

fn main() {
    let _declared = store_parcel::Error::TooSmall;
    let _undeclared = get_parcel::Error::TooSmall; //~ E0599: `TooSmall` found for enum `lockers::courier::get_parcel::Error`
    let _of_another = rejected(store_parcel::Error::TooSmall); //~ E0308: get_parcel::Error`, found `lockers::courier::store_parcel::Error`
}

fn rejected(error: get_parcel::Error) -> Result<get_parcel::Success, get_parcel::Error> {
    Err(error)
}
