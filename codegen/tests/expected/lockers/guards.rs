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

    #[allow(dead_code)]
    async fn found<R>(
        looked_up: impl Future<Output = Result<Option<Arc<R>>, support::Failure>>,
    ) -> Result<Option<Found<R>>, support::Refusal> {
        Ok(looked_up.await.map_err(errors::failure)?.map(Found))
    }

    impl Found<Courier> {
        pub(crate) fn look_up<A: FindCourier + Sync>(
            app: &A,
            id: CourierId,
        ) -> impl Future<Output = Result<Option<Self>, support::Refusal>> + Send {
            found(app.find_courier(id))
        }
    }

    impl Found<Terminal> {
        pub(crate) fn look_up<A: FindTerminal + Sync>(
            app: &A,
            id: TerminalId,
        ) -> impl Future<Output = Result<Option<Self>, support::Refusal>> + Send {
            found(app.find_terminal(id))
        }
    }

    impl Found<Recipient> {
        pub(crate) fn look_up<A: FindRecipient + Sync>(
            app: &A,
            id: RecipientId,
        ) -> impl Future<Output = Result<Option<Self>, support::Refusal>> + Send {
            found(app.find_recipient(id))
        }
    }

    impl Found<Station> {
        pub(crate) fn look_up<A: FindStation + Sync>(
            app: &A,
            id: StationId,
        ) -> impl Future<Output = Result<Option<Self>, support::Refusal>> + Send {
            found(app.find_station(id))
        }
    }

    impl Found<Compartment> {
        pub(crate) fn look_up<A: FindCompartment + Sync>(
            app: &A,
            id: CompartmentId,
        ) -> impl Future<Output = Result<Option<Self>, support::Refusal>> + Send {
            found(app.find_compartment(id))
        }
    }

    impl Found<Reservation> {
        pub(crate) fn look_up<A: FindReservation + Sync>(
            app: &A,
            id: ReservationId,
        ) -> impl Future<Output = Result<Option<Self>, support::Refusal>> + Send {
            found(app.find_reservation(id))
        }
    }

    impl Found<Parcel> {
        pub(crate) fn look_up<A: FindParcel + Sync>(
            app: &A,
            id: ParcelId,
        ) -> impl Future<Output = Result<Option<Self>, support::Refusal>> + Send {
            found(app.find_parcel(id))
        }
    }

    impl Found<Defect> {
        pub(crate) fn look_up<A: FindDefect + Sync>(
            app: &A,
            id: DefectId,
        ) -> impl Future<Output = Result<Option<Self>, support::Refusal>> + Send {
            found(app.find_defect(id))
        }
    }

    impl Found<Compartment> {
        pub(crate) fn belongs_to_station(&self, parent: StationId) -> bool {
            self.0.station_id == parent
        }
    }

    impl Owned<Terminal> {
        #[allow(dead_code)]
        pub(crate) fn claim_by_courier(
            found: &Found<Terminal>,
            caller: CourierId,
        ) -> Option<Self> {
            (found.0.courier_id == caller).then(|| Self(Arc::clone(&found.0)))
        }
    }

    impl Owned<Reservation> {
        #[allow(dead_code)]
        pub(crate) fn claim_by_courier(
            found: &Found<Reservation>,
            caller: CourierId,
        ) -> Option<Self> {
            (found.0.courier_id == caller).then(|| Self(Arc::clone(&found.0)))
        }
    }

    impl Owned<Parcel> {
        #[allow(dead_code)]
        pub(crate) fn claim_by_courier(
            found: &Found<Parcel>,
            caller: CourierId,
        ) -> Option<Self> {
            (found.0.courier_id == caller).then(|| Self(Arc::clone(&found.0)))
        }
    }

    impl Owned<Parcel> {
        #[allow(dead_code)]
        pub(crate) fn claim_by_recipient(
            found: &Found<Parcel>,
            caller: RecipientId,
        ) -> Option<Self> {
            (found.0.recipient_id == caller).then(|| Self(Arc::clone(&found.0)))
        }
    }
}

pub use guards::{Found, Owned};
