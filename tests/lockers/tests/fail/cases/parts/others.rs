// A service without three handlers: two of couriers, one of recipients. Its other handlers do nothing.

use lockers::support::feed::FeedPage;
use lockers::support::{AnswerId, Done, Failure, Timestamp};
use std::sync::Arc;

struct Service;

macro_rules! handlers {
    ($($surface:ident: $($operation:ident $handler:ident),+;)+) => {$($(
        impl lockers::$surface::$handler for Service {
            async fn $operation(
                &self,
                _: lockers::$surface::$operation::Request,
            ) -> Result<lockers::$surface::$operation::Success, lockers::$surface::$operation::Error> {
                unreachable!()
            }
        }
    )+)+};
}

/// Of operations that take an idempotency key.
macro_rules! handlers_of_keyed {
    ($($surface:ident: $($operation:ident $handler:ident),+;)+) => {$($(
        impl lockers::$surface::$handler for Service {
            async fn $operation(
                &self,
                _: lockers::$surface::$operation::Request,
            ) -> Result<Done<lockers::$surface::$operation::Success>, lockers::$surface::$operation::Error> {
                unreachable!()
            }
        }
    )+)+};
}

handlers_of_keyed! {
    courier: announce_parcel AnnounceParcel, create_reservation CreateReservation;
    depot:
        create_courier CreateCourier, create_terminal CreateTerminal, create_recipient CreateRecipient,
        create_station CreateStation, create_compartments CreateCompartments;
}

impl lockers::FindAnswer for Service {
    async fn find_answer(&self, _: AnswerId, _: Timestamp) -> Result<Option<Vec<u8>>, Failure> {
        unreachable!()
    }
}

handlers! {
    pulse: ping Ping;
    finder: list_stations ListStations, get_station GetStation, list_compartments ListCompartments;
    courier:
        count_parcels CountParcels, get_parcel GetParcel, store_parcel StoreParcel, list_stations ListStations,
        list_reservations ListReservations, delete_reservation DeleteReservation,
        list_terminals ListTerminals, delete_terminal DeleteTerminal;
    recipient:
        get_me GetMe, update_me UpdateMe, get_parcel GetParcel, await_parcel AwaitParcel,
        update_parcel UpdateParcel,
        open_compartment OpenCompartment, report_defect ReportDefect, reopen_defect ReopenDefect,
        list_known_defects ListKnownDefects;
    depot:
        update_courier UpdateCourier, create_pass CreatePass, delete_pass DeletePass, update_station UpdateStation,
        set_station_status SetStationStatus,
        update_compartment UpdateCompartment, delete_compartment DeleteCompartment, list_defects ListDefects,
        move_defect MoveDefect;
}

impl lockers::recipient::ListEvents for Service {
    async fn list_events(
        &self,
        _: lockers::recipient::list_events::Request,
    ) -> Result<FeedPage, lockers::recipient::list_events::Error> {
        unreachable!()
    }
}

macro_rules! found {
    ($($trait:ident $find:ident $id:ident $record:ident),+) => {$(
        impl lockers::$trait for Service {
            async fn $find(&self, _: lockers::$id) -> Result<Option<Arc<lockers::$record>>, Failure> {
                unreachable!()
            }
        }
    )+};
}

found! {
    FindCourier find_courier CourierId Courier, FindTerminal find_terminal TerminalId Terminal,
    FindRecipient find_recipient RecipientId Recipient, FindStation find_station StationId Station,
    FindCompartment find_compartment CompartmentId Compartment,
    FindReservation find_reservation ReservationId Reservation, FindParcel find_parcel ParcelId Parcel,
    FindDefect find_defect DefectId Defect
}

macro_rules! admitted {
    ($($trait:ident $admit:ident $caller:ident),+) => {$(
        impl lockers::$trait for Service {
            async fn $admit(&self, _: &str) -> Result<Option<lockers::$caller>, Failure> {
                unreachable!()
            }
        }
    )+};
}

admitted! {
    AdmitTerminalKey admit_terminal_key TerminalKeyCaller, AdmitPass admit_pass PassCaller,
    AdmitBadge admit_badge BadgeCaller
}
