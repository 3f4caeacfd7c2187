// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `GET /stations/:station (get_station, tests/lockers/api.yaml:289:7)`. One station with its compartments.
#[diagnostic::on_unimplemented(
    message = "no handler for GET /stations/:station (get_station, tests/lockers/api.yaml:289:7)",
    note = "implement `finder::GetStation` for `{Self}`"
)]
pub trait GetStation: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn get_station(
        &self,
        request: get_station::Request,
    ) -> impl Future<Output = Result<get_station::Success, get_station::Error>> + Send;
}

/// `GET /stations/:station (get_station, tests/lockers/api.yaml:289:7)`
pub mod get_station {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "GET";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/find/stations/:station";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// The path.
        pub path: Path,
        /// The station, which exists.
        pub station: Found<Station>,
    }

    /// What stands in the path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Path {
        /// `station` (tests/lockers/api.yaml:292:17)
        pub station: StationId,
    }

    impl Path {
        pub(super) fn decode(
            exchange: &support::Exchange,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let given_station = exchange
                .parameter("station", 2, faults, StationId::decode);
            Some(Self { station: given_station? })
        }
    }

    /// What a success says.
    pub type Success = support::Encoded<StationWhole>;

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownStation,
        /// `broken`: 500 (tests/lockers/api.yaml:50:3)
        Broken,
    }

    impl From<support::Failure> for Error {
        fn from(_: support::Failure) -> Self {
            Self::Broken
        }
    }

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: GetStation + FindStation,
    {
        Box::pin(async move {
            exchange.reached("get_station");
            gate.check_searches(exchange, exchange.peer)?;
            let mut faults = support::Faults::new();
            let path = Path::decode(exchange, &mut faults);
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (Some(path), Some(query), true) = (path, query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            let station_id = path.station;
            let station = Found::<Station>::look_up(app, station_id).await?;
            let Some(station) = station else {
                return Err(errors::unknown("station", station_id));
            };
            match app.get_station(Request { path, station }).await {
                Ok(success) => Ok(envelope::success(200, Some(&success), None, &[])),
                Err(error) => {
                    Err(
                        match error {
                            Error::UnknownStation => {
                                errors::unknown("station", station_id)
                            }
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
        A: GetStation + FindStation,
    {
        serve(
            app,
            gate,
            "finder",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::GetStation))
            },
            run,
        )
    }
}
