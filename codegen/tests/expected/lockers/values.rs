// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The id of one courier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
#[serde(transparent)]
pub struct CourierId(i64);

impl CourierId {
    /// An id from its number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::id(value, faults).map(Self)
    }
}

impl std::fmt::Display for CourierId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// The id of one terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
#[serde(transparent)]
pub struct TerminalId(i64);

impl TerminalId {
    /// An id from its number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::id(value, faults).map(Self)
    }
}

impl std::fmt::Display for TerminalId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// The id of one recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
#[serde(transparent)]
pub struct RecipientId(i64);

impl RecipientId {
    /// An id from its number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::id(value, faults).map(Self)
    }
}

impl std::fmt::Display for RecipientId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// The id of one station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
#[serde(transparent)]
pub struct StationId(i64);

impl StationId {
    /// An id from its number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::id(value, faults).map(Self)
    }
}

impl std::fmt::Display for StationId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// The id of one compartment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
#[serde(transparent)]
pub struct CompartmentId(i64);

impl CompartmentId {
    /// An id from its number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::id(value, faults).map(Self)
    }
}

impl std::fmt::Display for CompartmentId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// The id of one reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
#[serde(transparent)]
pub struct ReservationId(i64);

impl ReservationId {
    /// An id from its number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::id(value, faults).map(Self)
    }
}

impl std::fmt::Display for ReservationId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// The id of one parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
#[serde(transparent)]
pub struct ParcelId(i64);

impl ParcelId {
    /// An id from its number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::id(value, faults).map(Self)
    }
}

impl std::fmt::Display for ParcelId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// The id of one defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
#[serde(transparent)]
pub struct DefectId(i64);

impl DefectId {
    /// An id from its number.
    #[must_use]
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::id(value, faults).map(Self)
    }
}

impl std::fmt::Display for DefectId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// One of `basic`, `priority`. (tests/lockers/api.yaml:100:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub enum Plan {
    /// `basic`
    #[serde(rename = "basic")]
    Basic,
    /// `priority`
    #[serde(rename = "priority")]
    Priority,
}

impl Plan {
    /// All of them, in the contract's order.
    pub const VALUES: [Self; 2] = [Self::Basic, Self::Priority];

    const WORDS: [&'static str; 2] = ["basic", "priority"];

    /// The contract's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::choice(value, faults, &Self::WORDS)
            .map(|index| Self::VALUES[index])
    }
}

/// One of `small`, `medium`, `large`. (tests/lockers/api.yaml:101:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub enum Size {
    /// `small`
    #[serde(rename = "small")]
    Small,
    /// `medium`
    #[serde(rename = "medium")]
    Medium,
    /// `large`
    #[serde(rename = "large")]
    Large,
}

impl Size {
    /// All of them, in the contract's order.
    pub const VALUES: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    const WORDS: [&'static str; 3] = ["small", "medium", "large"];

    /// The contract's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::choice(value, faults, &Self::WORDS)
            .map(|index| Self::VALUES[index])
    }
}

/// One of `step-free`, `covered`, `cooled`, `camera`. (tests/lockers/api.yaml:102:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub enum Feature {
    /// `step-free`
    #[serde(rename = "step-free")]
    StepFree,
    /// `covered`
    #[serde(rename = "covered")]
    Covered,
    /// `cooled`
    #[serde(rename = "cooled")]
    Cooled,
    /// `camera`
    #[serde(rename = "camera")]
    Camera,
}

impl Feature {
    /// All of them, in the contract's order.
    pub const VALUES: [Self; 4] = [
        Self::StepFree,
        Self::Covered,
        Self::Cooled,
        Self::Camera,
    ];

    const WORDS: [&'static str; 4] = ["step-free", "covered", "cooled", "camera"];

    /// The contract's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::choice(value, faults, &Self::WORDS)
            .map(|index| Self::VALUES[index])
    }
}

/// One of `in_service`, `paused`, `closed`. (tests/lockers/api.yaml:103:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub enum StationStatus {
    /// `in_service`
    #[serde(rename = "in_service")]
    InService,
    /// `paused`
    #[serde(rename = "paused")]
    Paused,
    /// `closed`
    #[serde(rename = "closed")]
    Closed,
}

impl StationStatus {
    /// All of them, in the contract's order.
    pub const VALUES: [Self; 3] = [Self::InService, Self::Paused, Self::Closed];

    const WORDS: [&'static str; 3] = ["in_service", "paused", "closed"];

    /// The contract's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::choice(value, faults, &Self::WORDS)
            .map(|index| Self::VALUES[index])
    }
}

impl StationStatus {
    /// The state that a new one starts in.
    pub const INITIAL: Self = Self::InService;

    /// Whether this state may be followed by that one; the present one always may.
    #[must_use]
    pub fn may_become(self, _to: Self) -> bool {
        true
    }
}

/// One of `announced`, `in_transit`, `stored`, `collected`, `returned`, `cancelled`. (tests/lockers/api.yaml:104:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub enum ParcelStatus {
    /// `announced`
    #[serde(rename = "announced")]
    Announced,
    /// `in_transit`
    #[serde(rename = "in_transit")]
    InTransit,
    /// `stored`
    #[serde(rename = "stored")]
    Stored,
    /// `collected`
    #[serde(rename = "collected")]
    Collected,
    /// `returned`
    #[serde(rename = "returned")]
    Returned,
    /// `cancelled`
    #[serde(rename = "cancelled")]
    Cancelled,
}

impl ParcelStatus {
    /// All of them, in the contract's order.
    pub const VALUES: [Self; 6] = [
        Self::Announced,
        Self::InTransit,
        Self::Stored,
        Self::Collected,
        Self::Returned,
        Self::Cancelled,
    ];

    const WORDS: [&'static str; 6] = [
        "announced",
        "in_transit",
        "stored",
        "collected",
        "returned",
        "cancelled",
    ];

    /// The contract's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::choice(value, faults, &Self::WORDS)
            .map(|index| Self::VALUES[index])
    }
}

impl ParcelStatus {
    /// The state that a new one starts in.
    pub const INITIAL: Self = Self::Announced;

    /// Whether this state may be followed by that one; the present one always may.
    #[must_use]
    pub fn may_become(self, to: Self) -> bool {
        self == to
            || matches!(
                (self, to), (Self::Announced, Self::InTransit | Self::Stored |
                Self::Cancelled)
            ) || matches!((self, to), (Self::InTransit, Self::Stored | Self::Returned))
            || matches!(
                (self, to), (Self::Stored, Self::InTransit | Self::Collected |
                Self::Returned)
            )
    }
}

/// One of `in_transit`, `returned`, `cancelled`. (tests/lockers/api.yaml:105:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub enum CourierMove {
    /// `in_transit`
    #[serde(rename = "in_transit")]
    InTransit,
    /// `returned`
    #[serde(rename = "returned")]
    Returned,
    /// `cancelled`
    #[serde(rename = "cancelled")]
    Cancelled,
}

impl CourierMove {
    /// All of them, in the contract's order.
    pub const VALUES: [Self; 3] = [Self::InTransit, Self::Returned, Self::Cancelled];

    const WORDS: [&'static str; 3] = ["in_transit", "returned", "cancelled"];

    /// The contract's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::choice(value, faults, &Self::WORDS)
            .map(|index| Self::VALUES[index])
    }
}

impl From<CourierMove> for ParcelStatus {
    fn from(part: CourierMove) -> Self {
        match part {
            CourierMove::InTransit => ParcelStatus::InTransit,
            CourierMove::Returned => ParcelStatus::Returned,
            CourierMove::Cancelled => ParcelStatus::Cancelled,
        }
    }
}

/// One of `stuck_door`, `dark_screen`, `dirty`, `other`. (tests/lockers/api.yaml:106:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub enum DefectKind {
    /// `stuck_door`
    #[serde(rename = "stuck_door")]
    StuckDoor,
    /// `dark_screen`
    #[serde(rename = "dark_screen")]
    DarkScreen,
    /// `dirty`
    #[serde(rename = "dirty")]
    Dirty,
    /// `other`
    #[serde(rename = "other")]
    Other,
}

impl DefectKind {
    /// All of them, in the contract's order.
    pub const VALUES: [Self; 4] = [
        Self::StuckDoor,
        Self::DarkScreen,
        Self::Dirty,
        Self::Other,
    ];

    const WORDS: [&'static str; 4] = ["stuck_door", "dark_screen", "dirty", "other"];

    /// The contract's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::choice(value, faults, &Self::WORDS)
            .map(|index| Self::VALUES[index])
    }
}

/// One of `reported`, `in_repair`, `mended`, `dismissed`. (tests/lockers/api.yaml:107:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub enum DefectStatus {
    /// `reported`
    #[serde(rename = "reported")]
    Reported,
    /// `in_repair`
    #[serde(rename = "in_repair")]
    InRepair,
    /// `mended`
    #[serde(rename = "mended")]
    Mended,
    /// `dismissed`
    #[serde(rename = "dismissed")]
    Dismissed,
}

impl DefectStatus {
    /// All of them, in the contract's order.
    pub const VALUES: [Self; 4] = [
        Self::Reported,
        Self::InRepair,
        Self::Mended,
        Self::Dismissed,
    ];

    const WORDS: [&'static str; 4] = ["reported", "in_repair", "mended", "dismissed"];

    /// The contract's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        support::decode::choice(value, faults, &Self::WORDS)
            .map(|index| Self::VALUES[index])
    }
}

impl DefectStatus {
    /// The state that a new one starts in.
    pub const INITIAL: Self = Self::Reported;

    /// Whether this state may be followed by that one; the present one always may.
    #[must_use]
    pub fn may_become(self, to: Self) -> bool {
        self == to
            || matches!((self, to), (Self::Reported, Self::InRepair | Self::Dismissed))
            || matches!((self, to), (Self::InRepair, Self::Mended | Self::Reported))
            || matches!((self, to), (Self::Dismissed, Self::Reported))
    }
}

/// `Address` (tests/lockers/api.yaml:121:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Address {
    /// `street`
    pub street: String,
    /// `postal_code`
    pub postal_code: String,
    /// `floor`
    #[serde(default)]
    pub floor: Option<i64>,
    /// `position`
    #[serde(default)]
    pub position: Option<Position>,
}

/// What it takes to make an `Address`; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct AddressSeed {
    /// `street`
    pub street: String,
    /// `postal_code`
    pub postal_code: String,
}

impl From<AddressSeed> for Address {
    fn from(seed: AddressSeed) -> Self {
        Self {
            street: seed.street,
            postal_code: seed.postal_code,
            floor: None,
            position: None,
        }
    }
}

impl Address {
    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        let mut members = support::Members::of_object(
            value,
            &["street", "postal_code", "floor", "position"],
            faults,
        )?;
        let given_street = members.required("street", faults, decode::name);
        let given_postal_code = members
            .required("postal_code", faults, decode::postal_code);
        let given_floor = members.optional("floor", faults, decode::floor);
        let given_position = members.optional("position", faults, Position::decode);
        Some(Self {
            street: given_street?,
            postal_code: given_postal_code?,
            floor: given_floor?,
            position: given_position?,
        })
    }
}

/// `Position` (tests/lockers/api.yaml:122:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Position {
    /// `latitude`
    pub latitude: support::Number,
    /// `longitude`
    pub longitude: support::Number,
}

/// What it takes to make a `Position`; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct PositionSeed {
    /// `latitude`
    pub latitude: support::Number,
    /// `longitude`
    pub longitude: support::Number,
}

impl From<PositionSeed> for Position {
    fn from(seed: PositionSeed) -> Self {
        Self {
            latitude: seed.latitude,
            longitude: seed.longitude,
        }
    }
}

impl Position {
    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        let mut members = support::Members::of_object(
            value,
            &["latitude", "longitude"],
            faults,
        )?;
        let given_latitude = members.required("latitude", faults, decode::latitude);
        let given_longitude = members.required("longitude", faults, decode::longitude);
        Some(Self {
            latitude: given_latitude?,
            longitude: given_longitude?,
        })
    }
}

/// `OpeningHours` (tests/lockers/api.yaml:123:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct OpeningHours {
    /// `days`
    pub days: String,
    /// `opens`
    #[serde(default = "OpeningHours::absent_opens")]
    pub opens: String,
    /// `closes`
    #[serde(default = "OpeningHours::absent_closes")]
    pub closes: String,
}

/// What a record that was stored before a field came has in its place.
impl OpeningHours {
    fn absent_opens() -> String {
        "08:00".to_owned()
    }

    fn absent_closes() -> String {
        "22:00".to_owned()
    }
}

/// What it takes to make an `OpeningHours`; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct OpeningHoursSeed {
    /// `days`
    pub days: String,
}

impl From<OpeningHoursSeed> for OpeningHours {
    fn from(seed: OpeningHoursSeed) -> Self {
        Self {
            days: seed.days,
            opens: "08:00".to_owned(),
            closes: "22:00".to_owned(),
        }
    }
}

impl OpeningHours {
    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        let mut members = support::Members::of_object(
            value,
            &["days", "opens", "closes"],
            faults,
        )?;
        let given_days = members.required("days", faults, decode::name);
        let given_opens = members
            .or_default("opens", faults, decode::clock_time, "08:00".to_owned());
        let given_closes = members
            .or_default("closes", faults, decode::clock_time, "22:00".to_owned());
        Some(Self {
            days: given_days?,
            opens: given_opens?,
            closes: given_closes?,
        })
    }
}

/// `Item` (tests/lockers/api.yaml:124:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Item {
    /// `what`
    pub what: String,
    /// `pieces`
    #[serde(default = "Item::absent_pieces")]
    pub pieces: i64,
    /// `is_fragile`
    #[serde(default)]
    pub is_fragile: bool,
}

/// What a record that was stored before a field came has in its place.
impl Item {
    fn absent_pieces() -> i64 {
        1
    }
}

/// What it takes to make an `Item`; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct ItemSeed {
    /// `what`
    pub what: String,
}

impl From<ItemSeed> for Item {
    fn from(seed: ItemSeed) -> Self {
        Self {
            what: seed.what,
            pieces: 1,
            is_fragile: false,
        }
    }
}

impl Item {
    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        let mut members = support::Members::of_object(
            value,
            &["what", "pieces", "is_fragile"],
            faults,
        )?;
        let given_what = members.required("what", faults, decode::name);
        let given_pieces = members.or_default("pieces", faults, decode::pieces, 1);
        let given_is_fragile = members
            .or_default("is_fragile", faults, support::decode::boolean, false);
        Some(Self {
            what: given_what?,
            pieces: given_pieces?,
            is_fragile: given_is_fragile?,
        })
    }
}

/// `Event` (tests/lockers/api.yaml:125:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Event {
    /// `status`
    pub status: ParcelStatus,
    /// `at`
    pub at: support::Timestamp,
}

/// What it takes to make an `Event`; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct EventSeed {
    /// `at`
    pub at: support::Timestamp,
}

impl From<EventSeed> for Event {
    fn from(seed: EventSeed) -> Self {
        Self {
            status: ParcelStatus::INITIAL,
            at: seed.at,
        }
    }
}
