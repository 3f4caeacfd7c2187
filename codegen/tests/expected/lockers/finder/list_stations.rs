// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `GET /stations (list_stations, tests/lockers/api.yaml:276:7)`. Search the stations.
#[diagnostic::on_unimplemented(
    message = "no handler for GET /stations (list_stations, tests/lockers/api.yaml:276:7)",
    note = "implement `finder::ListStations` for `{Self}`"
)]
pub trait ListStations: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn list_stations(
        &self,
        request: list_stations::Request,
    ) -> impl Future<
        Output = Result<list_stations::Success, list_stations::Error>,
    > + Send;
}

/// `GET /stations (list_stations, tests/lockers/api.yaml:276:7)`
pub mod list_stations {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "GET";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/find/stations";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// The query.
        pub query: Query,
    }

    /// What stands in the query.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Query {
        /// `city` (tests/lockers/api.yaml:280:11)
        pub city: Option<String>,
        /// `feature` (tests/lockers/api.yaml:281:11)
        pub feature: Option<Feature>,
        /// `size` (tests/lockers/api.yaml:282:11)
        pub size: Size,
        /// `has_room` (tests/lockers/api.yaml:283:11)
        pub has_room: Option<bool>,
        /// `page` (tests/lockers/api.yaml:284:11)
        pub page: i64,
        /// `page_size` (tests/lockers/api.yaml:285:11)
        pub page_size: i64,
    }

    impl Query {
        pub(super) fn decode(
            query: Option<&str>,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let mut members = support::Members::of_query(
                query,
                &["city", "feature", "size", "has_room", "page", "page_size"],
                faults,
            );
            let given_city = members.optional("city", faults, decode::search_term);
            let given_feature = members.optional("feature", faults, Feature::decode);
            let given_size = members
                .or_default("size", faults, Size::decode, Size::Small);
            let given_has_room = members
                .optional("has_room", faults, support::decode::flag);
            let given_page = members.or_default("page", faults, decode::page, 1);
            let given_page_size = members
                .or_default("page_size", faults, decode::page_size, 10);
            Some(Self {
                city: given_city?,
                feature: given_feature?,
                size: given_size?,
                has_room: given_has_room?,
                page: given_page?,
                page_size: given_page_size?,
            })
        }
    }

    /// What a success says.
    pub type Success = support::Page<StationCard>;

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

    /// The order of the list: `city` ascending, then `opened_on` descending, then `id` ascending.
    #[must_use]
    pub fn order(a: &Station, b: &Station) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
            .then_with(|| a.city.cmp(&b.city))
            .then_with(|| a.opened_on.cmp(&b.opened_on).reverse())
            .then_with(|| a.id.cmp(&b.id))
    }

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: ListStations,
    {
        Box::pin(async move {
            exchange.reached("list_stations");
            gate.check_searches(exchange, exchange.peer)?;
            let mut faults = support::Faults::new();
            let query = Query::decode(exchange.query(), &mut faults);
            let (Some(query), true) = (query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            let echoed = [query.page, query.page_size];
            match app.list_stations(Request { query }).await {
                Ok(success) => {
                    Ok(
                        envelope::success(
                            200,
                            Some(&success.rows),
                            None,
                            &[
                                ("total", success.total),
                                ("page", echoed[0usize]),
                                ("page_size", echoed[1usize]),
                            ],
                        ),
                    )
                }
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
        A: ListStations,
    {
        serve(
            app,
            gate,
            "finder",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::ListStations))
            },
            run,
        )
    }
}
