// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `PUT /parcels/:id/compartment (store_parcel, tests/lockers/api.yaml:345:7)`. Lay a parcel into a compartment, at its station or at any other.
#[diagnostic::on_unimplemented(
    message = "no handler for PUT /parcels/:id/compartment (store_parcel, tests/lockers/api.yaml:345:7)",
    note = "implement `courier::StoreParcel` for `{Self}`"
)]
pub trait StoreParcel: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn store_parcel(
        &self,
        request: store_parcel::Request,
    ) -> impl Future<Output = Result<store_parcel::Success, store_parcel::Error>> + Send;
}

/// `PUT /parcels/:id/compartment (store_parcel, tests/lockers/api.yaml:345:7)`
pub mod store_parcel {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "PUT";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/parcels/:id/compartment";

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
        /// The compartment, which exists.
        pub compartment: Found<Compartment>,
    }

    /// What stands in the path.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Path {
        /// `id` (tests/lockers/api.yaml:348:17)
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
        /// `compartment_id` (tests/lockers/api.yaml:349:28)
        pub compartment_id: CompartmentId,
    }

    impl Body {
        #[allow(dead_code)]
        pub(crate) fn decode(
            value: support::Value,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let mut members = support::Members::of_object(
                value,
                &["compartment_id"],
                faults,
            )?;
            let given_compartment_id = members
                .required("compartment_id", faults, CompartmentId::decode);
            Some(Self {
                compartment_id: given_compartment_id?,
            })
        }
    }

    /// What a success says.
    #[derive(Clone, Debug)]
    #[derive(support::serde::Serialize)]
    #[serde(crate = "support::serde")]
    pub struct Success {
        /// `station_code` (tests/lockers/api.yaml:352:28)
        pub station_code: String,
        /// `compartment` (tests/lockers/api.yaml:352:48)
        pub compartment: String,
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
        UnknownParcel,
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownCompartment,
        /// `finished`: 409 (tests/lockers/api.yaml:42:3)
        Finished,
        /// `not_free`: 409 (tests/lockers/api.yaml:43:3)
        NotFree,
        /// `too_small`: 409 (tests/lockers/api.yaml:44:3)
        TooSmall,
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
        A: StoreParcel + AdmitTerminalKey + FindParcel + FindCompartment,
    {
        Box::pin(async move {
            exchange.reached("store_parcel");
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
            let compartment_id = body.compartment_id;
            let parcel = Found::<Parcel>::look_up(app, parcel_id).await?;
            let Some(parcel) = parcel else {
                return Err(errors::unknown("parcel", parcel_id));
            };
            let compartment = Found::<Compartment>::look_up(app, compartment_id).await?;
            let Some(compartment) = compartment else {
                return Err(errors::unknown("compartment", compartment_id));
            };
            let Some(parcel) = Owned::<Parcel>::claim_by_courier(&parcel, caller.id)
            else {
                return Err(errors::unknown("parcel", parcel_id));
            };
            match app
                .store_parcel(Request {
                    caller,
                    path,
                    body,
                    parcel,
                    compartment,
                })
                .await
            {
                Ok(success) => {
                    Ok(
                        envelope::success(
                            200,
                            Some(&success),
                            Some("Parcel stored"),
                            &[],
                        ),
                    )
                }
                Err(error) => {
                    Err(
                        match error {
                            Error::UnknownParcel => errors::unknown("parcel", parcel_id),
                            Error::UnknownCompartment => {
                                errors::unknown("compartment", compartment_id)
                            }
                            Error::Finished => errors::finished(path.id),
                            Error::NotFree => errors::not_free(),
                            Error::TooSmall => errors::too_small(path.id),
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
        A: StoreParcel + AdmitTerminalKey + FindParcel + FindCompartment,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::StoreParcel))
            },
            run,
        )
    }
}
