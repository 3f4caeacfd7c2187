//! The view's own encoder decides what an answer shows of a record: exactly the declared members, with their names.

use lockers::courier::get_parcel;
use lockers::support::Encoded;
use lockers::{Courier, Parcel, ParcelReceived, ParcelRow, ParcelRowRow};

fn main() {}

fn from_text(json: String) -> Encoded<ParcelRow> {
    Encoded::<ParcelRow>::encode(&json) //~ E0308: expected `&ParcelRowRow<'_>`, found `&String`
}

fn of_another_view(parcel: &Parcel, courier: &Courier) -> Result<get_parcel::Success, get_parcel::Error> {
    let received: Encoded<ParcelReceived> = parcel.received(courier);
    Ok(received) //~ E0308: expected `Encoded<ParcelWhole>`, found `Encoded<ParcelReceived>`
}

fn with_other_members(row: &ParcelRowRow<'_>) -> i64 {
    row.id.get() //~ E0616: field `id`
}

fn of_something_else() {
    let _ = Encoded::<String>::encode; //~ E0599: `String: View`
}
