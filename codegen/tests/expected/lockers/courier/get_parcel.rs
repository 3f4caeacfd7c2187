// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `GET /parcels/:id (get_parcel, tests/lockers/api.yaml:329:7)`. One of the courier's own parcels, whole.
#[diagnostic::on_unimplemented(
    message = "no handler for GET /parcels/:id (get_parcel, tests/lockers/api.yaml:329:7)",
    note = "implement `courier::GetParcel` for `{Self}`"
)]
pub trait GetParcel: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn get_parcel(
        &self,
        request: get_parcel::Request,
    ) -> impl Future<Output = Result<get_parcel::Success, get_parcel::Error>> + Send;
}

/// `GET /parcels/:id (get_parcel, tests/lockers/api.yaml:329:7)`
pub mod get_parcel {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "GET";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/parcels/:id";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
        /// The path.
        pub path: Path,
        /// The parcel, which the caller owns.
        pub parcel: Owned<Parcel>,
    }

    /// What stands in the path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Path {
        /// `id` (tests/lockers/api.yaml:332:17)
        pub id: ParcelId,
    }

    impl Path {
        pub(super) fn decode(
            exchange: &support::Exchange,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let given_id = exchange.parameter("id", 3, faults, ParcelId::decode);
            Some(Self { id: given_id? })
        }
    }

    /// What a success says.
    pub type Success = support::Encoded<ParcelWhole>;

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownParcel,
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
        A: GetParcel + AdmitTerminalKey + FindParcel,
    {
        Box::pin(async move {
            exchange.reached("get_parcel");
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
            let path = Path::decode(exchange, &mut faults);
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (Some(path), Some(query), true) = (path, query, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            let parcel_id = path.id;
            let parcel = Found::<Parcel>::look_up(app, parcel_id).await?;
            let Some(parcel) = parcel else {
                return Err(errors::unknown("parcel", parcel_id));
            };
            let Some(parcel) = Owned::<Parcel>::claim_by_courier(&parcel, caller.id)
            else {
                return Err(errors::unknown("parcel", parcel_id));
            };
            match app.get_parcel(Request { caller, path, parcel }).await {
                Ok(success) => Ok(envelope::success(200, Some(&success), None, &[])),
                Err(error) => {
                    Err(
                        match error {
                            Error::UnknownParcel => errors::unknown("parcel", parcel_id),
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
        A: GetParcel + AdmitTerminalKey + FindParcel,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::GetParcel))
            },
            run,
        )
    }
}
