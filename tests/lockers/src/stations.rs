//! The search for stations.

use crate::compartments::OF_STATION;
use crate::stored::{Stored, Trees};
use crate::support::{Failure, Key, Page};
use crate::{Compartment, Lockers, Size, Station, StationCard, finder};
use codegen_store::{Index, Listing, StoreResult, Tree};
use finder::list_stations;

const IN_ORDER: Tree = Index::tree_with::<Stored, Station>("city, opened_on desc, id");

/// The number of compartments of this size that any courier could use.
fn free_doors(trees: &Trees, station: &Station, size: Size) -> StoreResult<i64> {
    let of_station = station.id.bytes();
    let doors = Listing::new((Some(OF_STATION), false), &of_station, (0, 0), true);
    let is_free = |door: &Compartment| Ok(door.size == size && door.is_free(station));
    Ok(doors.filter(trees, is_free, |_| Ok(()))?.1)
}

/// By hand: free compartments are counted, and names that are near are proposed.
impl finder::ListStations for Lockers {
    async fn list_stations(&self, request: list_stations::Request) -> Result<Page<StationCard>, list_stations::Error> {
        let query = request.query;
        let found = self.store.read(move |trees, _| {
            let window = ((query.page - 1).saturating_mul(query.page_size), query.page_size);
            let page = Listing::new((Some(IN_ORDER), false), &[], window, true);
            let is_listed = |station: &Station| {
                let is_found = list_stations::matches(station, &query);
                Ok(is_found && (!query.has_room || free_doors(trees, station, query.size)? > 0))
            };
            let card = |station: &Station| Ok(station.card(free_doors(trees, station, query.size)?));
            page.filter(trees, is_listed, card)
        });
        let (rows, total) = found.await.map_err(Failure::from)?;
        let rows = rows.into_iter().collect();
        Ok(Page { rows, total })
    }
}
