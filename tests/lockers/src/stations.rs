//! Stations: entered and changed by the depot, public for everybody else.

use crate::events::MAX_RECIPIENTS;
use crate::pages::page;
use crate::support::{Done, Failure, Page, Streamed};
use crate::{
    Lockers, NewStationRest, Station, StationCard, StationId, StationStop, StationWhole, courier, depot, finder,
};
use depot::{create_station, set_station_status, update_station};
use finder::{get_station, list_stations};
use std::sync::Arc;

impl finder::ListStations for Lockers {
    async fn list_stations(&self, request: list_stations::Request) -> Result<Page<StationCard>, list_stations::Error> {
        let query = request.query;
        let store = self.store();
        let has_room = |station: &Station| store.free_doors(station.id, query.size).next().is_some();
        let mut found = store
            .stations
            .filter(|station| list_stations::matches(station, &query) && (!query.has_room || has_room(station)));
        found.sort_by(|a, b| list_stations::order(a, b));
        let card = |station: &Arc<Station>| {
            let free = store.free_doors(station.id, query.size).count();
            Ok(station.card(i64::try_from(free).map_err(|_| Failure::Internal)?))
        };
        let offset = (query.page - 1).saturating_mul(query.page_size);
        page(&found, offset, query.page_size, card).map_err(Into::into)
    }
}

impl courier::ListStations for Lockers {
    async fn list_stations(
        &self,
        request: courier::list_stations::Request,
    ) -> Result<Page<StationStop>, courier::list_stations::Error> {
        let (network, query) = (request.caller.realm, request.query);
        let mut found = self
            .store()
            .stations
            .filter(|station| courier::list_stations::matches(station, network));
        found.sort_by(|a, b| courier::list_stations::order(a, b));
        page(&found, query.offset, query.limit, |station| Ok(station.stop())).map_err(Into::into)
    }
}

impl finder::GetStation for Lockers {
    async fn get_station(&self, request: get_station::Request) -> Result<Streamed<StationWhole>, get_station::Error> {
        let station = request.station;
        let doors = self.store().doors_of(station.id).map(|door| door.item()).collect();
        Ok(station.whole(doors))
    }
}

impl depot::CreateStation for Lockers {
    async fn create_station(
        &self,
        request: create_station::Request,
    ) -> Result<Done<create_station::Success>, create_station::Error> {
        let mut store = self.store();
        let id = store
            .stations
            .add(StationId::new, |id| request.body.into_station(NewStationRest { id }));
        Ok(store.done(&request.once, create_station::Success { id }))
    }
}

impl depot::UpdateStation for Lockers {
    async fn update_station(&self, request: update_station::Request) -> Result<(), update_station::Error> {
        let mut store = self.store();
        let station = store.stations.get_mut(request.station.id).ok_or(Failure::Internal)?;
        let mut body = request.body;
        if let Some(hours) = body.hours.take() {
            station.hours = hours;
        }
        body.apply(station);
        Ok(())
    }
}

impl depot::SetStationStatus for Lockers {
    async fn set_station_status(&self, request: set_station_status::Request) -> Result<(), set_station_status::Error> {
        let (to, now) = (request.body.status, self.now());
        let mut store = self.store();
        let station = store.stations.get_mut(request.station.id).ok_or(Failure::Internal)?;
        let from = station.status;
        if !from.may_become(to) {
            return Err(set_station_status::Error::WrongTurn { from, to });
        }
        if from != to {
            station.status = to;
            let station = station.clone();
            let reports = store.defects.filter(|defect| defect.station_id == station.id);
            let reporters = reports.iter().take(MAX_RECIPIENTS).map(|defect| defect.recipient_id);
            let caused = set_station_status::events(&station, &reporters.collect::<Vec<_>>());
            store.emit(caused, now);
        }
        Ok(())
    }
}
