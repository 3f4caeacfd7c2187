//! Parcels are announced, move, are stored and collected, and recipients wait for that. By hand: the log of a parcel gets an
//! event, and the rules of a compartment concern several records.

use crate::reservations::reservations_of;
use crate::stored::{Actor, Keeps, Tx};
use crate::support::derived::{Counted, Source};
use crate::support::{Done, Encoded, Failure, Timestamp};
use crate::{
    Compartment, CompartmentId, Courier, CourierId, Event, Lockers, Parcel, ParcelArrival, ParcelStatus, Station,
    courier, recipient,
};
use codegen_store::{Decided, TransactionError};
use courier::{announce_parcel, move_parcel, store_parcel};
use recipient::{await_parcel, open_compartment};
use std::time::Duration;
use tokio::time::timeout;

/// The longest wait for a change of a parcel. A client that wants to wait longer asks again.
const PATIENCE: Duration = Duration::from_secs(1);

/// Sets a parcel's status, and puts it into this compartment or takes it out of its own.
fn put(
    tx: &mut Tx<'_>,
    former: &Parcel,
    (status, into): (ParcelStatus, Option<&Compartment>),
    at: Timestamp,
) -> Result<(), TransactionError> {
    let mut parcel = former.clone();
    if parcel.status != status {
        parcel.log.push(Event { status, at });
    }
    if status == ParcelStatus::Collected {
        parcel.collected_at = Some(at);
    }
    parcel.status = status;
    parcel.compartment_id = into.map(|door| door.id);
    parcel.station_id = into.map_or(parcel.station_id, |door| door.station_id);
    tx.replace(former, &parcel)?;
    count(tx, former.compartment_id, |door| former.removed_from(door))?;
    count(tx, parcel.compartment_id, |door| parcel.added_to(door))
}

/// Changes how many parcels are in a compartment.
fn count(
    tx: &mut Tx<'_>,
    id: Option<CompartmentId>,
    change: impl FnOnce(&mut Compartment),
) -> Result<(), TransactionError> {
    let Some(id) = id else { return Ok(()) };
    let former: Compartment = tx.existing(id)?;
    let mut door = former.clone();
    change(&mut door);
    tx.replace(&former, &door)
}

/// Why a courier cannot store a parcel in a compartment; `None` if it can.
fn misfit(
    tx: &Tx<'_>,
    courier: CourierId,
    parcel: &Parcel,
    (door, station): (&Compartment, &Station),
) -> Result<Option<store_parcel::Error>, TransactionError> {
    let is_reserved = || reservations_of(tx, courier).map(|own| own.iter().any(|one| one.compartment_id == door.id));
    let is_open = parcel.compartment_id == Some(door.id) || door.is_free(station);
    Ok(if store_parcel::is_finished(parcel) {
        Some(store_parcel::Error::Finished)
    } else if !(is_open || door.is_empty(station) && is_reserved()?) {
        Some(store_parcel::Error::NotFree)
    } else if door.size < parcel.size {
        Some(store_parcel::Error::TooSmall)
    } else {
        None
    })
}

impl courier::AnnounceParcel for Lockers {
    async fn announce_parcel(
        &self,
        request: announce_parcel::Request,
    ) -> Result<Done<announce_parcel::Success>, announce_parcel::Error> {
        let (announced_at, courier_id, once) = (self.now(), request.caller.id, request.once.clone());
        let by = Actor::from((&request.caller, &request.presented_credential));
        let announce = move |tx: &mut Tx<'_>| -> Decided<_, announce_parcel::Error> {
            let id = tx.next_id::<Parcel>()?;
            tx.create(&request.body.clone().into_parcel(announce_parcel::Rest {
                id,
                courier_id,
                log: Vec::new(),
                announced_at,
            }))?;
            Ok(announce_parcel::Success { id, announced_at })
        };
        self.store.write_once(by, once, announce).await.map_err(Failure::from)?
    }
}

impl courier::MoveParcel for Lockers {
    async fn move_parcel(&self, request: move_parcel::Request) -> Result<(), move_parcel::Error> {
        let (id, to, now) = (request.owned_parcel.id, request.body.status.into(), self.now());
        let by = Actor::from((&request.caller, &request.presented_credential));
        let written = self
            .store
            .write(by, move |tx: &mut Tx<'_>| -> Decided<_, move_parcel::Error> {
                let parcel: Parcel = tx.existing(id)?;
                let from = parcel.status;
                if !from.may_become(to) {
                    return Err(move_parcel::Error::WrongTurn { from, to }.into());
                }
                Ok(put(tx, &parcel, (to, None), now)?)
            });
        let moved = written.await.map_err(Failure::from)?;
        self.moved.notify_waiters();
        moved
    }
}

impl courier::StoreParcel for Lockers {
    async fn store_parcel(&self, request: store_parcel::Request) -> Result<store_parcel::Success, store_parcel::Error> {
        let now = self.now();
        let by = Actor::from((&request.caller, &request.presented_credential));
        let written = self
            .store
            .write(by, move |tx: &mut Tx<'_>| -> Decided<_, store_parcel::Error> {
                let parcel: Parcel = tx.existing(request.owned_parcel.id)?;
                // Another request may have deleted or filled it since the guard found it.
                let door: Option<Compartment> = tx.get(request.compartment.id)?;
                let door = door.ok_or(store_parcel::Error::UnknownCompartment)?;
                let station: Station = tx.existing(door.station_id)?;
                if let Some(misfit) = misfit(tx, request.caller.id, &parcel, (&door, &station))? {
                    return Err(misfit.into());
                }
                put(tx, &parcel, (ParcelStatus::Stored, Some(&door)), now)?;
                Ok(store_parcel::Success {
                    station_code: station.code,
                    compartment: door.label,
                })
            });
        let stored = written.await.map_err(Failure::from)?;
        self.moved.notify_waiters();
        stored
    }
}

impl recipient::OpenCompartment for Lockers {
    async fn open_compartment(
        &self,
        request: open_compartment::Request,
    ) -> Result<open_compartment::Success, open_compartment::Error> {
        let (id, now) = (request.owned_parcel.id, self.now());
        let by = Actor::from((&request.caller, &request.presented_credential));
        let written = self
            .store
            .write(by, move |tx: &mut Tx<'_>| -> Decided<_, open_compartment::Error> {
                let parcel: Parcel = tx.existing(id)?;
                let door = parcel.compartment_id.ok_or(open_compartment::Error::NotStored)?;
                let door: Compartment = tx.existing(door)?;
                let station: Station = tx.existing(door.station_id)?;
                put(tx, &parcel, (ParcelStatus::Collected, None), now)?;
                Ok(open_compartment::Success {
                    station_code: station.code,
                    compartment: door.label,
                })
            });
        let opened = written.await.map_err(Failure::from)?;
        self.moved.notify_waiters();
        opened
    }
}

impl recipient::AwaitParcel for Lockers {
    async fn await_parcel(
        &self,
        request: await_parcel::Request,
    ) -> Result<Encoded<ParcelArrival>, await_parcel::Error> {
        let (id, from) = (request.owned_parcel.id, request.query.from);
        let moved = async {
            loop {
                let next = self.moved.notified();
                let parcel = self.store.read(move |trees, _| trees.named::<Parcel>(id)).await;
                if !parcel.is_ok_and(|parcel| Some(parcel.status) == from) {
                    break;
                }
                next.await;
            }
        };
        let _ = timeout(PATIENCE, moved).await;
        let arrival = self.store.read(move |trees, _| {
            let parcel: Parcel = trees.named(id)?;
            let (courier, station): (Courier, Station) =
                (trees.named(parcel.courier_id)?, trees.named(parcel.station_id)?);
            let door = parcel.compartment_id.map(|id| trees.named(id)).transpose()?;
            Ok(parcel.arrival(&courier, &station, door.as_ref()))
        });
        Ok(arrival.await.map_err(Failure::from)?)
    }
}
