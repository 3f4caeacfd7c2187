// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `PATCH /parcels/:id (update_parcel, tests/lockers/api.yaml:421:7)`. Change until when a parcel is kept, or who may fetch it instead.
#[diagnostic::on_unimplemented(
    message = "no handler for PATCH /parcels/:id (update_parcel, tests/lockers/api.yaml:421:7)",
    note = "implement `recipient::UpdateParcel` for `{Self}`"
)]
pub trait UpdateParcel: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn update_parcel(
        &self,
        request: update_parcel::Request,
    ) -> impl Future<
        Output = Result<update_parcel::Success, update_parcel::Error>,
    > + Send;
}

/// `PATCH /parcels/:id (update_parcel, tests/lockers/api.yaml:421:7)`
pub mod update_parcel {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "PATCH";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/me/v1/parcels/:id";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: PassCaller,
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
        /// `id` (tests/lockers/api.yaml:424:17)
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
        /// `collect_by` (tests/lockers/api.yaml:425:53)
        pub collect_by: Option<support::Date>,
        /// `neighbour` (tests/lockers/api.yaml:425:65)
        pub neighbour: Option<Option<String>>,
    }

    impl Body {
        #[allow(dead_code)]
        pub(crate) fn decode(
            value: support::Value,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let mut members = support::Members::of_object(
                value,
                &["collect_by", "neighbour"],
                faults,
            )?;
            members.require_any(&["collect_by", "neighbour"], faults);
            let given_collect_by = members
                .patch("collect_by", faults, support::decode::date);
            let given_neighbour = members
                .patch_nullable("neighbour", faults, decode::name);
            Some(Self {
                collect_by: given_collect_by?,
                neighbour: given_neighbour?,
            })
        }
    }

    impl Body {
        /// Sets what was given of the parcel's own fields.
        pub fn apply(self, record: &mut Parcel) {
            if let Some(value) = self.collect_by {
                record.collect_by = value;
            }
            if let Some(value) = self.neighbour {
                record.neighbour = value;
            }
        }
    }

    /// What a success says.
    pub type Success = ();

    /// The refusals that this operation can give, besides those of the steps before its guards.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Error {
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownParcel,
        /// `finished`: 409 (tests/lockers/api.yaml:42:3)
        Finished,
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
        A: UpdateParcel + AdmitPass + FindParcel,
    {
        Box::pin(async move {
            exchange.reached("update_parcel");
            let caller = super::super::pass::admitted(
                    app,
                    gate,
                    &exchange.headers,
                    exchange.peer,
                )
                .await?;
            exchange.admitted("recipient", Some(caller.id.get()));
            gate.check_writes(exchange, (1, caller.limited_by.get()))?;
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
            let Some(parcel) = Owned::<Parcel>::claim_by_recipient(&parcel, caller.id)
            else {
                return Err(errors::unknown("parcel", parcel_id));
            };
            match app
                .update_parcel(Request {
                    caller,
                    path,
                    body,
                    parcel,
                })
                .await
            {
                Ok(success) => {
                    Ok(envelope::success(200, None, Some("Parcel changed"), &[]))
                }
                Err(error) => {
                    Err(
                        match error {
                            Error::UnknownParcel => errors::unknown("parcel", parcel_id),
                            Error::Finished => errors::finished(path.id),
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
        A: UpdateParcel + AdmitPass + FindParcel,
    {
        serve(
            app,
            gate,
            "recipient",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::UpdateParcel))
            },
            run,
        )
    }
}
