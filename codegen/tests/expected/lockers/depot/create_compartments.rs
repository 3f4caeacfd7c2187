// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `POST /stations/:station/compartments (create_compartments, tests/lockers/api.yaml:505:7)`. Enter compartments of a station, all or none.
#[diagnostic::on_unimplemented(
    message = "no handler for POST /stations/:station/compartments (create_compartments, tests/lockers/api.yaml:505:7)",
    note = "implement `depot::CreateCompartments` for `{Self}`"
)]
pub trait CreateCompartments: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn create_compartments(
        &self,
        request: create_compartments::Request,
    ) -> impl Future<
        Output = Result<create_compartments::Success, create_compartments::Error>,
    > + Send;
}

/// `POST /stations/:station/compartments (create_compartments, tests/lockers/api.yaml:505:7)`
pub mod create_compartments {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "POST";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/depot/stations/:station/compartments";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
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
        /// `station` (tests/lockers/api.yaml:508:17)
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

    /// What stands in the body.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Body {
        /// `compartments` (tests/lockers/api.yaml:510:28)
        pub compartments: Vec<NewCompartment>,
    }

    impl Body {
        #[allow(dead_code)]
        pub(crate) fn decode(
            value: support::Value,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let mut members = support::Members::of_object(
                value,
                &["compartments"],
                faults,
            )?;
            let given_compartments = members
                .required("compartments", faults, decode::new_doors);
            Some(Self {
                compartments: given_compartments?,
            })
        }
    }

    /// What a success says.
    #[derive(Clone, Debug)]
    #[derive(support::serde::Serialize)]
    #[serde(crate = "support::serde")]
    pub struct Success {
        /// `ids` (tests/lockers/api.yaml:513:41)
        pub ids: Vec<CompartmentId>,
        /// `is_open` (tests/lockers/api.yaml:513:66)
        pub is_open: bool,
    }

    impl support::WriteJson for Success {
        fn write_json(&self, out: &mut Vec<u8>) {
            support::write_json(self, out);
        }
    }

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownStation,
        /// `label_taken`: 409 (tests/lockers/api.yaml:48:3)
        LabelTaken,
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
        A: CreateCompartments + AdmitBadge + FindStation,
    {
        Box::pin(async move {
            exchange.reached("create_compartments");
            let caller = super::super::badge::admitted(
                    app,
                    gate,
                    &exchange.headers,
                    exchange.peer,
                )
                .await?;
            exchange.admitted("badge", None);
            gate.check_crew(exchange, exchange.peer)?;
            if !support::is_json(&exchange.headers) {
                return Err(errors::not_json());
            }
            let bytes = bodies::read(exchange, 65_536).await?;
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
            let station = Found::<Station>::look_up(app, station_id).await?;
            let Some(station) = station else {
                return Err(errors::unknown("station", station_id));
            };
            match app.create_compartments(Request { path, body, station }).await {
                Ok(success) => {
                    Ok(
                        envelope::success(
                            201,
                            Some(&success),
                            Some("Compartments entered"),
                            &[],
                        ),
                    )
                }
                Err(error) => {
                    Err(
                        match error {
                            Error::UnknownStation => {
                                errors::unknown("station", station_id)
                            }
                            Error::LabelTaken => errors::label_taken(path.station),
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
        A: CreateCompartments + AdmitBadge + FindStation,
    {
        serve(
            app,
            gate,
            "depot",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::CreateCompartments))
            },
            run,
        )
    }
}
