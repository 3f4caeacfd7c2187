// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `DELETE /reservations/:id (delete_reservation, tests/lockers/api.yaml:370:7)`. Give a compartment back.
#[diagnostic::on_unimplemented(
    message = "no handler for DELETE /reservations/:id (delete_reservation, tests/lockers/api.yaml:370:7)",
    note = "implement `courier::DeleteReservation` for `{Self}`"
)]
pub trait DeleteReservation: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn delete_reservation(
        &self,
        request: delete_reservation::Request,
    ) -> impl Future<
        Output = Result<delete_reservation::Success, delete_reservation::Error>,
    > + Send;
}

/// `DELETE /reservations/:id (delete_reservation, tests/lockers/api.yaml:370:7)`
pub mod delete_reservation {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "DELETE";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/reservations/:id";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
        /// The path.
        pub path: Path,
        /// The reservation, which the caller owns.
        pub reservation: Owned<Reservation>,
    }

    /// What stands in the path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Path {
        /// `id` (tests/lockers/api.yaml:373:17)
        pub id: ReservationId,
    }

    impl Path {
        pub(super) fn decode(
            exchange: &support::Exchange,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let given_id = exchange.parameter("id", 3, faults, ReservationId::decode);
            Some(Self { id: given_id? })
        }
    }

    /// What a success says.
    pub type Success = ();

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownReservation,
        /// `foreign`: 403 (tests/lockers/api.yaml:39:3)
        ForeignReservation,
        /// `read_only`: 503 (tests/lockers/api.yaml:49:3)
        ReadOnly,
        /// `broken`: 500 (tests/lockers/api.yaml:50:3)
        Broken,
    }

    impl From<support::Failure> for Error {
        fn from(failure: support::Failure) -> Self {
            match failure {
                support::Failure::Unwritable => Self::ReadOnly,
                support::Failure::Internal => Self::Broken,
            }
        }
    }

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: DeleteReservation + AdmitTerminalKey + FindReservation,
    {
        Box::pin(async move {
            exchange.reached("delete_reservation");
            let caller = super::super::terminal_key::admitted(
                    app,
                    gate,
                    &exchange.headers,
                    exchange.peer,
                )
                .await?;
            exchange.admitted("courier", Some(caller.id.get()));
            if caller.suspended {
                return Err(errors::barred());
            }
            gate.check_writes(exchange, (0, caller.limited_by.get()))?;
            let mut faults = support::Faults::new();
            let path = Path::decode(exchange, &mut faults);
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (Some(path), Some(query), true) = (path, query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            let reservation_id = path.id;
            let reservation = Found::<Reservation>::look_up(app, reservation_id).await?;
            let Some(reservation) = reservation else {
                return Err(errors::unknown("reservation", reservation_id));
            };
            let Some(reservation) = Owned::<
                Reservation,
            >::claim_by_courier(&reservation, caller.id) else {
                return Err(errors::foreign("reservation", reservation_id));
            };
            match app
                .delete_reservation(Request {
                    caller,
                    path,
                    reservation,
                })
                .await
            {
                Ok(success) => {
                    Ok(envelope::success(200, None, Some("Compartment given back"), &[]))
                }
                Err(error) => {
                    Err(
                        match error {
                            Error::UnknownReservation => {
                                errors::unknown("reservation", reservation_id)
                            }
                            Error::ForeignReservation => {
                                errors::foreign("reservation", reservation_id)
                            }
                            Error::ReadOnly => errors::read_only(),
                            Error::Broken => errors::broken(),
                        },
                    )
                }
            }
        })
    }

    /// This operation alone, as a filter for an app of one's own; any other request is rejected as not found.
    pub fn filter<A>(
        app: std::sync::Arc<A>,
        gate: std::sync::Arc<Gate>,
    ) -> impl support::warp::Filter<
        Extract = (support::Response,),
        Error = support::warp::Rejection,
    > + Clone
    where
        A: DeleteReservation + AdmitTerminalKey + FindReservation,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::DeleteReservation))
            },
            run,
        )
    }
}
