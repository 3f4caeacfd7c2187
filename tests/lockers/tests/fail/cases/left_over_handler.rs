//! A handler whose endpoint was removed from the contract does not compile.

use lockers::courier;

struct Service;

impl courier::RecallParcel for Service { //~ E0405: `RecallParcel` in module `courier`
    async fn recall_parcel(
        &self,
        _: courier::recall_parcel::Request, //~ E0433: `recall_parcel` in `courier`
    ) -> Result<(), courier::recall_parcel::Error> { //~ E0433: `recall_parcel` in `courier`
        Ok(())
    }
}

fn main() {}
