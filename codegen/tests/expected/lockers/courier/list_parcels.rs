// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `GET /parcels (list_parcels, tests/lockers/api.yaml:302:7)`. The courier's own parcels.
#[diagnostic::on_unimplemented(
    message = "no handler for GET /parcels (list_parcels, tests/lockers/api.yaml:302:7)",
    note = "implement `courier::ListParcels` for `{Self}`"
)]
pub trait ListParcels: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn list_parcels(
        &self,
        request: list_parcels::Request,
    ) -> impl Future<Output = Result<list_parcels::Success, list_parcels::Error>> + Send;
}

/// `GET /parcels (list_parcels, tests/lockers/api.yaml:302:7)`
pub mod list_parcels {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "GET";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/parcels";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
        /// The query.
        pub query: Query,
    }

    /// What stands in the query.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Query {
        /// `station` (tests/lockers/api.yaml:306:11)
        pub station: Option<StationId>,
        /// `status` (tests/lockers/api.yaml:307:11)
        pub status: Option<ParcelStatus>,
        /// `collect_by` (tests/lockers/api.yaml:308:11)
        pub collect_by: Option<support::Date>,
        /// `is_fragile` (tests/lockers/api.yaml:309:11)
        pub is_fragile: Option<bool>,
        /// `min_weight` (tests/lockers/api.yaml:310:11)
        pub min_weight: Option<support::Number>,
        /// `max_weight` (tests/lockers/api.yaml:311:11)
        pub max_weight: Option<support::Number>,
        /// `limit` (tests/lockers/api.yaml:312:11)
        pub limit: i64,
        /// `offset` (tests/lockers/api.yaml:313:11)
        pub offset: i64,
    }

    impl Query {
        pub(super) fn decode(
            query: Option<&str>,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let mut members = support::Members::of_query(
                query,
                &[
                    "station",
                    "status",
                    "collect_by",
                    "is_fragile",
                    "min_weight",
                    "max_weight",
                    "limit",
                    "offset",
                ],
                faults,
            );
            let given_station = members.optional("station", faults, StationId::decode);
            let given_status = members.optional("status", faults, ParcelStatus::decode);
            let given_collect_by = members
                .optional("collect_by", faults, support::decode::date);
            let given_is_fragile = members
                .optional("is_fragile", faults, support::decode::boolean);
            let given_min_weight = members
                .optional("min_weight", faults, decode::weight_bound);
            let given_max_weight = members
                .optional("max_weight", faults, decode::weight_bound);
            let given_limit = members.or_default("limit", faults, decode::page_size, 20);
            let given_offset = members.or_default("offset", faults, decode::count, 0);
            support::decode::at_most(
                faults,
                ("min_weight", given_min_weight.flatten().map(support::Number::get)),
                ("max_weight", given_max_weight.flatten().map(support::Number::get)),
            );
            Some(Self {
                station: given_station?,
                status: given_status?,
                collect_by: given_collect_by?,
                is_fragile: given_is_fragile?,
                min_weight: given_min_weight?,
                max_weight: given_max_weight?,
                limit: given_limit?,
                offset: given_offset?,
            })
        }
    }

    /// What a success says.
    pub type Success = support::Page<ParcelRow>;

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

    /// The order of the list: `collect_by` ascending, then `weight` descending, then `id` ascending.
    #[must_use]
    pub fn order(a: &Parcel, b: &Parcel) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
            .then_with(|| a.collect_by.cmp(&b.collect_by))
            .then_with(|| a.weight.cmp(&b.weight).reverse())
            .then_with(|| a.id.cmp(&b.id))
    }

    #[allow(unused_variables)]
    pub(super) fn run<'r, A>(
        app: &'r A,
        gate: &'r Gate,
        exchange: &'r mut support::Exchange,
    ) -> support::Steps<'r>
    where
        A: ListParcels + AdmitTerminalKey,
    {
        Box::pin(async move {
            exchange.reached("list_parcels");
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
            let query = Query::decode(exchange.query(), &mut faults);
            let (Some(query), true) = (query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            let echoed = [query.limit, query.offset];
            match app.list_parcels(Request { caller, query }).await {
                Ok(success) => {
                    Ok(
                        envelope::success(
                            200,
                            Some(&success.rows),
                            None,
                            &[
                                ("total", success.total),
                                ("limit", echoed[0usize]),
                                ("offset", echoed[1usize]),
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
        A: ListParcels + AdmitTerminalKey,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::ListParcels))
            },
            run,
        )
    }
}
