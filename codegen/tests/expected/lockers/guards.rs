// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Finds a courier for the guards.
#[diagnostic::on_unimplemented(message = "nothing finds a courier for the guards")]
pub trait FindCourier {
    /// The record, or nothing where there is none of this id.
    fn find_courier(
        &self,
        id: CourierId,
    ) -> impl Future<
        Output = Result<Option<std::sync::Arc<Courier>>, support::Failure>,
    > + Send;
}

/// Finds a terminal for the guards.
#[diagnostic::on_unimplemented(message = "nothing finds a terminal for the guards")]
pub trait FindTerminal {
    /// The record, or nothing where there is none of this id.
    fn find_terminal(
        &self,
        id: TerminalId,
    ) -> impl Future<
        Output = Result<Option<std::sync::Arc<Terminal>>, support::Failure>,
    > + Send;
}

/// Finds a recipient for the guards.
#[diagnostic::on_unimplemented(message = "nothing finds a recipient for the guards")]
pub trait FindRecipient {
    /// The record, or nothing where there is none of this id.
    fn find_recipient(
        &self,
        id: RecipientId,
    ) -> impl Future<
        Output = Result<Option<std::sync::Arc<Recipient>>, support::Failure>,
    > + Send;
}

/// Finds a station for the guards.
#[diagnostic::on_unimplemented(message = "nothing finds a station for the guards")]
pub trait FindStation {
    /// The record, or nothing where there is none of this id.
    fn find_station(
        &self,
        id: StationId,
    ) -> impl Future<
        Output = Result<Option<std::sync::Arc<Station>>, support::Failure>,
    > + Send;
}

/// Finds a compartment for the guards.
#[diagnostic::on_unimplemented(message = "nothing finds a compartment for the guards")]
pub trait FindCompartment {
    /// The record, or nothing where there is none of this id.
    fn find_compartment(
        &self,
        id: CompartmentId,
    ) -> impl Future<
        Output = Result<Option<std::sync::Arc<Compartment>>, support::Failure>,
    > + Send;
}

/// Finds a reservation for the guards.
#[diagnostic::on_unimplemented(message = "nothing finds a reservation for the guards")]
pub trait FindReservation {
    /// The record, or nothing where there is none of this id.
    fn find_reservation(
        &self,
        id: ReservationId,
    ) -> impl Future<
        Output = Result<Option<std::sync::Arc<Reservation>>, support::Failure>,
    > + Send;
}

/// Finds a parcel for the guards.
#[diagnostic::on_unimplemented(message = "nothing finds a parcel for the guards")]
pub trait FindParcel {
    /// The record, or nothing where there is none of this id.
    fn find_parcel(
        &self,
        id: ParcelId,
    ) -> impl Future<
        Output = Result<Option<std::sync::Arc<Parcel>>, support::Failure>,
    > + Send;
}

/// Finds a defect for the guards.
#[diagnostic::on_unimplemented(message = "nothing finds a defect for the guards")]
pub trait FindDefect {
    /// The record, or nothing where there is none of this id.
    fn find_defect(
        &self,
        id: DefectId,
    ) -> impl Future<
        Output = Result<Option<std::sync::Arc<Defect>>, support::Failure>,
    > + Send;
}

/// The guards, and the proofs that only they can make.
#[allow(clippy::wildcard_imports, reason = "it guards whatever the contract names")]
pub mod guards {
    use super::*;
    use std::sync::Arc;

    /// A record that exists.
    #[derive(Clone, Debug)]
    pub struct Found<R>(Arc<R>);

    /// A record that the caller owns: only the guard's own comparison makes one.
    #[derive(Clone, Debug)]
    pub struct Owned<R>(Arc<R>);

    impl<R> std::ops::Deref for Found<R> {
        type Target = R;

        fn deref(&self) -> &R {
            &self.0
        }
    }

    impl<R> std::ops::Deref for Owned<R> {
        type Target = R;

        fn deref(&self) -> &R {
            &self.0
        }
    }

    impl Found<Courier> {
        pub(super) async fn look_up<A: FindCourier>(
            app: &A,
            id: CourierId,
        ) -> Result<Option<Self>, support::Failure> {
            Ok(app.find_courier(id).await?.map(Self))
        }
    }

    impl Found<Terminal> {
        pub(super) async fn look_up<A: FindTerminal>(
            app: &A,
            id: TerminalId,
        ) -> Result<Option<Self>, support::Failure> {
            Ok(app.find_terminal(id).await?.map(Self))
        }
    }

    impl Found<Recipient> {
        pub(super) async fn look_up<A: FindRecipient>(
            app: &A,
            id: RecipientId,
        ) -> Result<Option<Self>, support::Failure> {
            Ok(app.find_recipient(id).await?.map(Self))
        }
    }

    impl Found<Station> {
        pub(super) async fn look_up<A: FindStation>(
            app: &A,
            id: StationId,
        ) -> Result<Option<Self>, support::Failure> {
            Ok(app.find_station(id).await?.map(Self))
        }
    }

    impl Found<Compartment> {
        pub(super) async fn look_up<A: FindCompartment>(
            app: &A,
            id: CompartmentId,
        ) -> Result<Option<Self>, support::Failure> {
            Ok(app.find_compartment(id).await?.map(Self))
        }
    }

    impl Found<Reservation> {
        pub(super) async fn look_up<A: FindReservation>(
            app: &A,
            id: ReservationId,
        ) -> Result<Option<Self>, support::Failure> {
            Ok(app.find_reservation(id).await?.map(Self))
        }
    }

    impl Found<Parcel> {
        pub(super) async fn look_up<A: FindParcel>(
            app: &A,
            id: ParcelId,
        ) -> Result<Option<Self>, support::Failure> {
            Ok(app.find_parcel(id).await?.map(Self))
        }
    }

    impl Found<Defect> {
        pub(super) async fn look_up<A: FindDefect>(
            app: &A,
            id: DefectId,
        ) -> Result<Option<Self>, support::Failure> {
            Ok(app.find_defect(id).await?.map(Self))
        }
    }

    impl Found<Compartment> {
        pub(super) fn belongs_to_station(&self, parent: StationId) -> bool {
            self.0.station_id == parent
        }
    }

    impl Owned<Terminal> {
        #[allow(dead_code)]
        pub(super) fn claim_by_courier(
            found: &Found<Terminal>,
            caller: CourierId,
        ) -> Option<Self> {
            (found.0.courier_id == caller).then(|| Self(Arc::clone(&found.0)))
        }
    }

    impl Owned<Reservation> {
        #[allow(dead_code)]
        pub(super) fn claim_by_courier(
            found: &Found<Reservation>,
            caller: CourierId,
        ) -> Option<Self> {
            (found.0.courier_id == caller).then(|| Self(Arc::clone(&found.0)))
        }
    }

    impl Owned<Parcel> {
        #[allow(dead_code)]
        pub(super) fn claim_by_courier(
            found: &Found<Parcel>,
            caller: CourierId,
        ) -> Option<Self> {
            (found.0.courier_id == caller).then(|| Self(Arc::clone(&found.0)))
        }
    }

    impl Owned<Parcel> {
        #[allow(dead_code)]
        pub(super) fn claim_by_recipient(
            found: &Found<Parcel>,
            caller: RecipientId,
        ) -> Option<Self> {
            (found.0.recipient_id == caller).then(|| Self(Arc::clone(&found.0)))
        }
    }
}

pub use guards::{Found, Owned};
