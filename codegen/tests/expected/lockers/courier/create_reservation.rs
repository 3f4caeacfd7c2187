// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `POST /stations/:station/reservations (create_reservation, tests/lockers/api.yaml:360:7)`. Have a compartment held.
#[diagnostic::on_unimplemented(
    message = "no handler for POST /stations/:station/reservations (create_reservation, tests/lockers/api.yaml:360:7)",
    note = "implement `courier::CreateReservation` for `{Self}`"
)]
pub trait CreateReservation: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn create_reservation(
        &self,
        request: create_reservation::Request,
    ) -> impl Future<
        Output = Result<create_reservation::Success, create_reservation::Error>,
    > + Send;
}

/// `POST /stations/:station/reservations (create_reservation, tests/lockers/api.yaml:360:7)`
pub mod create_reservation {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "POST";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/stations/:station/reservations";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
        /// The path.
        pub path: Path,
        /// The body.
        pub body: Body,
        /// The station, which exists.
        pub station: Found<Station>,
    }

    /// What stands in the path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Path {
        /// `station` (tests/lockers/api.yaml:363:17)
        pub station: StationId,
    }

    impl Path {
        pub(super) fn decode(
            exchange: &support::Exchange,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let given_station = exchange
                .parameter("station", 3, faults, StationId::decode);
            Some(Self { station: given_station? })
        }
    }

    /// What stands in the body.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Body {
        /// `size` (tests/lockers/api.yaml:364:28)
        pub size: Size,
        /// `note` (tests/lockers/api.yaml:364:48)
        pub note: Option<String>,
    }

    impl Body {
        #[allow(dead_code)]
        pub(crate) fn decode(
            value: support::Value,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let mut members = support::Members::of_object(
                value,
                &["size", "note"],
                faults,
            )?;
            let given_size = members
                .or_default("size", faults, Size::decode, Size::Small);
            let given_note = members.optional("note", faults, decode::note);
            Some(Self {
                size: given_size?,
                note: given_note?,
            })
        }
    }

    /// What a success says.
    #[derive(Clone, Debug)]
    #[derive(support::serde::Serialize)]
    #[serde(crate = "support::serde")]
    pub struct Success {
        /// `id` (tests/lockers/api.yaml:368:41)
        pub id: ReservationId,
        /// `compartment_id` (tests/lockers/api.yaml:368:61)
        pub compartment_id: CompartmentId,
        /// `size` (tests/lockers/api.yaml:368:93)
        pub size: Size,
    }

    impl support::WriteJson for Success {
        fn write_json(&self, out: &mut Vec<u8>) {
            support::write_json(self, out);
        }
    }

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `higher_plan`: 402 (tests/lockers/api.yaml:37:3)
        HigherPlan,
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownStation,
        /// `exhausted`: 409 (tests/lockers/api.yaml:40:3)
        Exhausted,
        /// `station_full`: 409 (tests/lockers/api.yaml:45:3)
        StationFull,
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

    /// The plan guard again, for the transaction that commits: whether the caller, as it is now, may do this.
    ///
    /// # Errors
    /// The refusal of another plan.
    pub fn recheck(caller: &Courier) -> Result<(), Error> {
        if caller.plan == Plan::Priority { Ok(()) } else { Err(Error::HigherPlan) }
    }

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: CreateReservation + AdmitTerminalKey + FindStation,
    {
        Box::pin(async move {
            exchange.reached("create_reservation");
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
            if !support::is_json(&exchange.headers) {
                return Err(errors::not_json());
            }
            let bytes = bodies::read(exchange, 16_384).await?;
            let mut faults = support::Faults::new();
            let path = Path::decode(exchange, &mut faults);
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (body, faults) = support::decode_json(bytes, faults, Body::decode).await;
            let (Some(path), Some(query), Some(body), true) = (
                path,
                query,
                body,
                faults.is_empty(),
            ) else {
                return Err(errors::malformed(faults.into_text()));
            };
            let station_id = path.station;
            if caller.plan != Plan::Priority {
                return Err(errors::higher_plan("priority"));
            }
            let station = Found::<Station>::look_up(app, station_id).await?;
            let Some(station) = station else {
                return Err(errors::unknown("station", station_id));
            };
            match app
                .create_reservation(Request {
                    caller,
                    path,
                    body,
                    station,
                })
                .await
            {
                Ok(success) => {
                    Ok(
                        envelope::success(
                            201,
                            Some(&success),
                            Some("Compartment held"),
                            &[],
                        ),
                    )
                }
                Err(error) => {
                    Err(
                        match error {
                            Error::HigherPlan => errors::higher_plan("priority"),
                            Error::UnknownStation => {
                                errors::unknown("station", station_id)
                            }
                            Error::Exhausted => {
                                errors::exhausted(quotas::RESERVATIONS, "reservations")
                            }
                            Error::StationFull => errors::station_full(path.station),
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
        A: CreateReservation + AdmitTerminalKey + FindStation,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::CreateReservation))
            },
            run,
        )
    }
}
