// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `PATCH /parcels/:id/status (move_parcel, tests/lockers/api.yaml:336:7)`. Take a parcel on the road, bring it back, or cancel it.
#[diagnostic::on_unimplemented(
    message = "no handler for PATCH /parcels/:id/status (move_parcel, tests/lockers/api.yaml:336:7)",
    note = "implement `courier::MoveParcel` for `{Self}`"
)]
pub trait MoveParcel: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn move_parcel(
        &self,
        request: move_parcel::Request,
    ) -> impl Future<Output = Result<move_parcel::Success, move_parcel::Error>> + Send;
}

/// `PATCH /parcels/:id/status (move_parcel, tests/lockers/api.yaml:336:7)`
pub mod move_parcel {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "PATCH";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/parcels/:id/status";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
        /// The path.
        pub path: Path,
        /// The body.
        pub body: Body,
        /// The parcel, which the caller owns.
        pub parcel: Owned<Parcel>,
    }

    /// What stands in the path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Path {
        /// `id` (tests/lockers/api.yaml:339:17)
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

    /// What stands in the body.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Body {
        /// `status` (tests/lockers/api.yaml:340:28)
        pub status: CourierMove,
    }

    impl Body {
        #[allow(dead_code)]
        pub(crate) fn decode(
            value: support::Value,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let mut members = support::Members::of_object(value, &["status"], faults)?;
            let given_status = members.required("status", faults, CourierMove::decode);
            Some(Self { status: given_status? })
        }
    }

    /// What a success says.
    pub type Success = ();

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownParcel,
        /// `wrong_turn`: 409 (tests/lockers/api.yaml:41:3)
        WrongTurn {
            /// The present state.
            from: ParcelStatus,
            /// The state that was asked for.
            to: ParcelStatus,
        },
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
        A: MoveParcel + AdmitTerminalKey + FindParcel,
    {
        Box::pin(async move {
            exchange.reached("move_parcel");
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
            let parcel_id = path.id;
            let parcel = Found::<Parcel>::look_up(app, parcel_id).await?;
            let Some(parcel) = parcel else {
                return Err(errors::unknown("parcel", parcel_id));
            };
            let Some(parcel) = Owned::<Parcel>::claim_by_courier(&parcel, caller.id)
            else {
                return Err(errors::unknown("parcel", parcel_id));
            };
            match app
                .move_parcel(Request {
                    caller,
                    path,
                    body,
                    parcel,
                })
                .await
            {
                Ok(success) => {
                    Ok(envelope::success(200, None, Some("Parcel moved"), &[]))
                }
                Err(error) => {
                    Err(
                        match error {
                            Error::UnknownParcel => errors::unknown("parcel", parcel_id),
                            Error::WrongTurn { from, to } => {
                                errors::wrong_turn(
                                    "parcel",
                                    parcel_id,
                                    from.as_str(),
                                    to.as_str(),
                                )
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
        A: MoveParcel + AdmitTerminalKey + FindParcel,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::MoveParcel))
            },
            run,
        )
    }
}
