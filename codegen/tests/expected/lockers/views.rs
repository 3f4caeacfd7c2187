// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The `item` view of a terminal (tests/lockers/api.yaml:148:3).
#[derive(Clone, Copy, Debug)]
pub enum TerminalItem {}
/// The members of [`TerminalItem`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct TerminalItemRow<'a> {
    id: TerminalId,
    name: &'a String,
    key_start: &'a String,
    created_at: support::Timestamp,
    last_used_at: Option<support::Timestamp>,
}

impl support::View for TerminalItem {
    type Row<'a> = TerminalItemRow<'a>;
}

impl Terminal {
    /// Shows it as [`TerminalItem`]; what is not stored is given.
    #[must_use]
    pub fn item(&self) -> support::Encoded<TerminalItem> {
        support::Encoded::encode(
            &TerminalItemRow {
                id: self.id,
                name: &self.name,
                key_start: &self.key_start,
                created_at: self.created_at,
                last_used_at: self.last_used_at,
            },
        )
    }
}

/// The `profile` view of a recipient (tests/lockers/api.yaml:162:3).
#[derive(Clone, Copy, Debug)]
pub enum RecipientProfile {}
/// The members of [`RecipientProfile`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct RecipientProfileRow<'a> {
    id: RecipientId,
    name: &'a String,
    phone: &'a Option<String>,
    wants_calls: bool,
}

impl support::View for RecipientProfile {
    type Row<'a> = RecipientProfileRow<'a>;
}

impl Recipient {
    /// Shows it as [`RecipientProfile`]; what is not stored is given.
    #[must_use]
    pub fn profile(&self) -> support::Encoded<RecipientProfile> {
        support::Encoded::encode(
            &RecipientProfileRow {
                id: self.id,
                name: &self.name,
                phone: &self.phone,
                wants_calls: self.wants_calls,
            },
        )
    }
}

/// The `card` view of a station (tests/lockers/api.yaml:172:3).
#[derive(Clone, Copy, Debug)]
pub enum StationCard {}
/// The members of [`StationCard`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct StationCardRow<'a> {
    id: StationId,
    code: &'a String,
    name: &'a String,
    city: &'a String,
    status: StationStatus,
    free_compartments: i64,
    open_on: Vec<&'a str>,
}

impl support::View for StationCard {
    type Row<'a> = StationCardRow<'a>;
}

impl Station {
    /// Shows it as [`StationCard`]; what is not stored is given.
    #[must_use]
    pub fn card(&self, free_compartments: i64) -> support::Encoded<StationCard> {
        support::Encoded::encode(
            &StationCardRow {
                id: self.id,
                code: &self.code,
                name: &self.name,
                city: &self.city,
                status: self.status,
                free_compartments,
                open_on: self.hours.iter().map(|item| &item.days as _).collect(),
            },
        )
    }
}

/// The `whole` view of a station (tests/lockers/api.yaml:172:3).
#[derive(Clone, Copy, Debug)]
pub enum StationWhole {}
/// The members of [`StationWhole`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct StationWholeRow<'a> {
    id: StationId,
    code: &'a String,
    name: &'a String,
    city: &'a String,
    address: &'a Address,
    features: &'a Vec<Feature>,
    hours: &'a Vec<OpeningHours>,
    opened_on: support::Date,
    note: &'a Option<String>,
    status: StationStatus,
    compartments: &'a [support::Encoded<CompartmentItem>],
}

impl support::View for StationWhole {
    type Row<'a> = StationWholeRow<'a>;
}

impl Station {
    /// Shows it as [`StationWhole`]; what is not stored is given.
    #[must_use]
    pub fn whole(
        &self,
        compartments: &[support::Encoded<CompartmentItem>],
    ) -> support::Encoded<StationWhole> {
        support::Encoded::encode(
            &StationWholeRow {
                id: self.id,
                code: &self.code,
                name: &self.name,
                city: &self.city,
                address: &self.address,
                features: &self.features,
                hours: &self.hours,
                opened_on: self.opened_on,
                note: &self.note,
                status: self.status,
                compartments,
            },
        )
    }
}

/// The `item` view of a compartment (tests/lockers/api.yaml:192:3).
#[derive(Clone, Copy, Debug)]
pub enum CompartmentItem {}
/// The members of [`CompartmentItem`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct CompartmentItemRow<'a> {
    id: CompartmentId,
    label: &'a String,
    size: Size,
    is_blocked: bool,
}

impl support::View for CompartmentItem {
    type Row<'a> = CompartmentItemRow<'a>;
}

impl Compartment {
    /// Shows it as [`CompartmentItem`]; what is not stored is given.
    #[must_use]
    pub fn item(&self) -> support::Encoded<CompartmentItem> {
        support::Encoded::encode(
            &CompartmentItemRow {
                id: self.id,
                label: &self.label,
                size: self.size,
                is_blocked: self.is_blocked,
            },
        )
    }
}

/// The `item` view of a reservation (tests/lockers/api.yaml:204:3).
#[derive(Clone, Copy, Debug)]
pub enum ReservationItem {}
/// The members of [`ReservationItem`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct ReservationItemRow<'a> {
    id: ReservationId,
    station_code: &'a str,
    compartment: &'a str,
    note: &'a Option<String>,
    created_at: support::Timestamp,
}

impl support::View for ReservationItem {
    type Row<'a> = ReservationItemRow<'a>;
}

impl Reservation {
    /// Shows it as [`ReservationItem`]; what is not stored is given.
    #[must_use]
    pub fn item(
        &self,
        station_code: &str,
        label: &str,
    ) -> support::Encoded<ReservationItem> {
        support::Encoded::encode(
            &ReservationItemRow {
                id: self.id,
                station_code,
                compartment: label,
                note: &self.note,
                created_at: self.created_at,
            },
        )
    }
}

/// The `row` view of a parcel (tests/lockers/api.yaml:219:3).
#[derive(Clone, Copy, Debug)]
pub enum ParcelRow {}
/// The members of [`ParcelRow`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct ParcelRowRow<'a> {
    id: ParcelId,
    reference: &'a Option<String>,
    size: Size,
    weight: support::Number,
    status: ParcelStatus,
    station_code: &'a str,
    collect_by: support::Date,
}

impl support::View for ParcelRow {
    type Row<'a> = ParcelRowRow<'a>;
}

impl Parcel {
    /// Shows it as [`ParcelRow`]; what is not stored is given.
    #[must_use]
    pub fn row(&self, station_code: &str) -> support::Encoded<ParcelRow> {
        support::Encoded::encode(
            &ParcelRowRow {
                id: self.id,
                reference: &self.reference,
                size: self.size,
                weight: self.weight,
                status: self.status,
                station_code,
                collect_by: self.collect_by,
            },
        )
    }
}

/// The `whole` view of a parcel (tests/lockers/api.yaml:219:3).
#[derive(Clone, Copy, Debug)]
pub enum ParcelWhole {}
/// The members of [`ParcelWhole`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct ParcelWholeRow<'a> {
    id: ParcelId,
    reference: &'a Option<String>,
    recipient_id: RecipientId,
    station_id: StationId,
    compartment_id: Option<CompartmentId>,
    size: Size,
    weight: support::Number,
    worth: support::Number,
    contents: &'a Vec<Item>,
    collect_by: support::Date,
    note: &'a Option<String>,
    status: ParcelStatus,
    log: &'a Vec<Event>,
    announced_at: support::Timestamp,
    collected_at: Option<support::Timestamp>,
}

impl support::View for ParcelWhole {
    type Row<'a> = ParcelWholeRow<'a>;
}

impl Parcel {
    /// Shows it as [`ParcelWhole`]; what is not stored is given.
    #[must_use]
    pub fn whole(&self) -> support::Encoded<ParcelWhole> {
        support::Encoded::encode(
            &ParcelWholeRow {
                id: self.id,
                reference: &self.reference,
                recipient_id: self.recipient_id,
                station_id: self.station_id,
                compartment_id: self.compartment_id,
                size: self.size,
                weight: self.weight,
                worth: self.worth,
                contents: &self.contents,
                collect_by: self.collect_by,
                note: &self.note,
                status: self.status,
                log: &self.log,
                announced_at: self.announced_at,
                collected_at: self.collected_at,
            },
        )
    }
}

/// The `arrival` view of a parcel (tests/lockers/api.yaml:219:3).
#[derive(Clone, Copy, Debug)]
pub enum ParcelArrival {}
/// The members of [`ParcelArrival`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct ParcelArrivalRow<'a> {
    id: ParcelId,
    from: &'a str,
    station_code: &'a str,
    compartment: Option<&'a str>,
    status: ParcelStatus,
    collect_by: support::Date,
}

impl support::View for ParcelArrival {
    type Row<'a> = ParcelArrivalRow<'a>;
}

impl Parcel {
    /// Shows it as [`ParcelArrival`]; what is not stored is given.
    #[must_use]
    pub fn arrival(
        &self,
        courier_name: &str,
        station_code: &str,
        label: Option<&str>,
    ) -> support::Encoded<ParcelArrival> {
        support::Encoded::encode(
            &ParcelArrivalRow {
                id: self.id,
                from: courier_name,
                station_code,
                compartment: label,
                status: self.status,
                collect_by: self.collect_by,
            },
        )
    }
}

/// The `received` view of a parcel (tests/lockers/api.yaml:219:3).
#[derive(Clone, Copy, Debug)]
pub enum ParcelReceived {}
/// The members of [`ParcelReceived`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct ParcelReceivedRow<'a> {
    id: ParcelId,
    from: &'a str,
    things: Vec<&'a str>,
    steps: Vec<ParcelStatus>,
    weight: support::Number,
    collect_by: support::Date,
    neighbour: &'a Option<String>,
    note: &'a Option<String>,
    status: ParcelStatus,
    collected_at: Option<support::Timestamp>,
}

impl support::View for ParcelReceived {
    type Row<'a> = ParcelReceivedRow<'a>;
}

impl Parcel {
    /// Shows it as [`ParcelReceived`]; what is not stored is given.
    #[must_use]
    pub fn received(&self, courier_name: &str) -> support::Encoded<ParcelReceived> {
        support::Encoded::encode(
            &ParcelReceivedRow {
                id: self.id,
                from: courier_name,
                things: self.contents.iter().map(|item| &item.what as _).collect(),
                steps: self.log.iter().map(|item| item.status as _).collect(),
                weight: self.weight,
                collect_by: self.collect_by,
                neighbour: &self.neighbour,
                note: &self.note,
                status: self.status,
                collected_at: self.collected_at,
            },
        )
    }
}

/// The `item` view of a defect (tests/lockers/api.yaml:251:3).
#[derive(Clone, Copy, Debug)]
pub enum DefectItem {}
/// The members of [`DefectItem`].
#[derive(Debug)]
#[derive(support::serde::Serialize)]
#[serde(crate = "support::serde")]
pub struct DefectItemRow<'a> {
    id: DefectId,
    station_id: StationId,
    station_code: &'a str,
    kind: DefectKind,
    seen_on: Option<support::Date>,
    note: &'a Option<String>,
    photo: &'a Option<support::OpenObject>,
    status: DefectStatus,
}

impl support::View for DefectItem {
    type Row<'a> = DefectItemRow<'a>;
}

impl Defect {
    /// Shows it as [`DefectItem`]; what is not stored is given.
    #[must_use]
    pub fn item(&self, station_code: &str) -> support::Encoded<DefectItem> {
        support::Encoded::encode(
            &DefectItemRow {
                id: self.id,
                station_id: self.station_id,
                station_code,
                kind: self.kind,
                seen_on: self.seen_on,
                note: &self.note,
                photo: &self.photo,
                status: self.status,
            },
        )
    }
}
