// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// Handles `POST /parcels (announce_parcel, tests/lockers/api.yaml:318:7)`. Tell that a parcel is on its way to a recipient's station.
#[diagnostic::on_unimplemented(
    message = "no handler for POST /parcels (announce_parcel, tests/lockers/api.yaml:318:7)",
    note = "implement `courier::AnnounceParcel` for `{Self}`"
)]
pub trait AnnounceParcel: Send + Sync + 'static {
    /// Runs once the guards have let the request through.
    fn announce_parcel(
        &self,
        request: announce_parcel::Request,
    ) -> impl Future<
        Output = Result<announce_parcel::Success, announce_parcel::Error>,
    > + Send;
}

/// `POST /parcels (announce_parcel, tests/lockers/api.yaml:318:7)`
pub mod announce_parcel {
    #[allow(unused_imports)]
    use super::*;

    /// The HTTP method.
    pub const METHOD: &str = "POST";

    /// The whole path, parameters written `:name`.
    pub const PATH: &str = "/courier/v1/parcels";

    /// The request, decoded and let through by the guards.
    #[derive(Clone, Debug)]
    pub struct Request {
        /// Who calls.
        pub caller: TerminalKeyCaller,
        /// The body.
        pub body: Body,
        /// The station, which exists.
        pub station: Found<Station>,
        /// The recipient, which exists.
        pub recipient: Found<Recipient>,
    }

    /// What stands in the body.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Body {
        /// `weight` (tests/lockers/api.yaml:323:22)
        pub weight: support::Number,
        /// `contents` (tests/lockers/api.yaml:323:30)
        pub contents: Vec<Item>,
        /// `collect_by` (tests/lockers/api.yaml:323:40)
        pub collect_by: support::Date,
        /// `size` (tests/lockers/api.yaml:324:22)
        pub size: Size,
        /// `worth` (tests/lockers/api.yaml:324:28)
        pub worth: support::Number,
        /// `reference` (tests/lockers/api.yaml:324:35)
        pub reference: Option<String>,
        /// `note` (tests/lockers/api.yaml:324:46)
        pub note: Option<String>,
        /// `station_id` (tests/lockers/api.yaml:325:22)
        pub station_id: StationId,
        /// `recipient_id` (tests/lockers/api.yaml:325:46)
        pub recipient_id: RecipientId,
    }

    impl Body {
        #[allow(dead_code)]
        pub(crate) fn decode(
            value: support::Value,
            faults: &mut support::Faults,
        ) -> Option<Self> {
            let mut members = support::Members::of_object(
                value,
                &[
                    "weight",
                    "contents",
                    "collect_by",
                    "size",
                    "worth",
                    "reference",
                    "note",
                    "station_id",
                    "recipient_id",
                ],
                faults,
            )?;
            let given_weight = members.required("weight", faults, decode::kilograms);
            let given_contents = members.required("contents", faults, decode::contents);
            let given_collect_by = members
                .required("collect_by", faults, support::decode::date);
            let given_size = members
                .or_default("size", faults, Size::decode, Size::Small);
            let given_worth = members
                .or_default(
                    "worth",
                    faults,
                    decode::worth,
                    support::Number::new(0.0).expect("a finite literal"),
                );
            let given_reference = members.optional("reference", faults, decode::code);
            let given_note = members.optional("note", faults, decode::note);
            let given_station_id = members
                .required("station_id", faults, StationId::decode);
            let given_recipient_id = members
                .required("recipient_id", faults, RecipientId::decode);
            Some(Self {
                weight: given_weight?,
                contents: given_contents?,
                collect_by: given_collect_by?,
                size: given_size?,
                worth: given_worth?,
                reference: given_reference?,
                note: given_note?,
                station_id: given_station_id?,
                recipient_id: given_recipient_id?,
            })
        }
    }

    /// The fields of a parcel that [`Body`] does not give.
    #[derive(Clone, Copy, Debug)]
    pub struct Rest {
        /// `id`
        pub id: ParcelId,
        /// `courier_id`
        pub courier_id: CourierId,
        /// `recipient_id`
        pub recipient_id: RecipientId,
        /// `station_id`
        pub station_id: StationId,
        /// `announced_at`
        pub announced_at: support::Timestamp,
    }

    impl Body {
        /// Makes the parcel; a field that nobody gave has its default, a state its first.
        #[must_use]
        pub fn into_parcel(self, rest: Rest) -> Parcel {
            Parcel {
                id: rest.id,
                courier_id: rest.courier_id,
                recipient_id: rest.recipient_id,
                station_id: rest.station_id,
                compartment_id: None,
                size: self.size,
                weight: self.weight,
                worth: self.worth,
                contents: self.contents,
                reference: self.reference,
                collect_by: self.collect_by,
                note: self.note,
                neighbour: None,
                status: ParcelStatus::INITIAL,
                announced_at: rest.announced_at,
                collected_at: None,
            }
        }
    }

    /// What a success says.
    #[derive(Clone, Debug)]
    #[derive(support::serde::Serialize)]
    #[serde(crate = "support::serde")]
    pub struct Success {
        /// `id` (tests/lockers/api.yaml:327:41)
        pub id: ParcelId,
        /// `announced_at` (tests/lockers/api.yaml:327:56)
        pub announced_at: support::Timestamp,
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
        /// `unknown`: 404 (tests/lockers/api.yaml:38:3)
        UnknownRecipient,
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
        A: AnnounceParcel + AdmitTerminalKey + FindStation + FindRecipient,
    {
        Box::pin(async move {
            exchange.reached("announce_parcel");
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
            let query = Some(
                support::Members::of_query(exchange.query(), &[], &mut faults),
            );
            let (body, faults) = support::decode_json(bytes, faults, Body::decode).await;
            let (Some(query), Some(body), true) = (query, body, faults.is_empty()) else {
                return Err(errors::malformed(faults.into_text()));
            };
            let station_id = body.station_id;
            let recipient_id = body.recipient_id;
            let station = Found::<Station>::look_up(app, station_id).await?;
            let Some(station) = station else {
                return Err(errors::unknown("station", station_id));
            };
            let recipient = Found::<Recipient>::look_up(app, recipient_id).await?;
            let Some(recipient) = recipient else {
                return Err(errors::unknown("recipient", recipient_id));
            };
            match app
                .announce_parcel(Request {
                    caller,
                    body,
                    station,
                    recipient,
                })
                .await
            {
                Ok(success) => {
                    Ok(
                        envelope::success(
                            201,
                            Some(&success),
                            Some("Parcel announced"),
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
                            Error::UnknownRecipient => {
                                errors::unknown("recipient", recipient_id)
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
        A: AnnounceParcel + AdmitTerminalKey + FindStation + FindRecipient,
    {
        serve(
            app,
            gate,
            "courier",
            |method, path| {
                matches!(route(method, path), Routed::To(Operation::AnnounceParcel))
            },
            run,
        )
    }
}
