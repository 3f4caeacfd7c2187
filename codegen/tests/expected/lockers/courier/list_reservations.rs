// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `GET /reservations (list_reservations, tests/lockers/api.yaml:354:7)`. The compartments that are held for the courier.
#[diagnostic::on_unimplemented(
    message = "no handler for GET /reservations (list_reservations, tests/lockers/api.yaml:354:7)",
    note = "implement `courier::ListReservations` for `{Self}`"
)]
pub trait ListReservations: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn list_reservations(
        &self,
        request: list_reservations::Request,
    ) -> impl Future<
        Output = Result<list_reservations::Success, list_reservations::Error>,
    > + Send;
}

/// `GET /reservations (list_reservations, tests/lockers/api.yaml:354:7)`
pub mod list_reservations {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "GET";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/reservations";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
    }

    /// What a success says.
    pub type Success = Vec<support::Encoded<ReservationItem>>;

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `broken`: 500 (tests/lockers/api.yaml:50:3)
        Broken,
    }

    impl From<support::Failure> for Error {
        fn from(_: support::Failure) -> Self {
            Self::Broken
        }
    }

    /// The order of the list: `id` ascending.
    #[must_use]
    pub fn order(a: &Reservation, b: &Reservation) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal.then_with(|| a.id.cmp(&b.id))
    }

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: ListReservations + AdmitTerminalKey,
    {
        Box::pin(async move {
            exchange.reached("list_reservations");
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
            gate.check_reads(exchange, (0, caller.limited_by.get()))?;
            let mut faults = support::Faults::new();
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (Some(query), true) = (query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            match app.list_reservations(Request { caller }).await {
                Ok(success) => Ok(envelope::success(200, Some(&success), None, &[])),
                Err(error) => {
                    Err(
                        match error {
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
        A: ListReservations + AdmitTerminalKey,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::ListReservations))
            },
            run,
        )
    }
}
