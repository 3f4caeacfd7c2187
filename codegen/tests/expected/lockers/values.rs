// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The id of one courier.
pub type CourierId = support::Id<Courier>;

/// The id of one terminal.
pub type TerminalId = support::Id<Terminal>;

/// The id of one recipient.
pub type RecipientId = support::Id<Recipient>;

/// The id of one station.
pub type StationId = support::Id<Station>;

/// The id of one compartment.
pub type CompartmentId = support::Id<Compartment>;

/// The id of one reservation.
pub type ReservationId = support::Id<Reservation>;

/// The id of one parcel.
pub type ParcelId = support::Id<Parcel>;

/// The id of one defect.
pub type DefectId = support::Id<Defect>;

/// One of `basic`, `priority`. (tests/lockers/api.yaml:100:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Plan {
    /// `basic`
    Basic,
    /// `priority`
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

impl support::serde::Serialize for Plan {
    fn serialize<S: support::serde::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> support::serde::Deserialize<'de> for Plan {
    fn deserialize<D: support::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
    }
}

/// One of `small`, `medium`, `large`. (tests/lockers/api.yaml:101:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// `small`
    Small,
    /// `medium`
    Medium,
    /// `large`
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

impl support::serde::Serialize for Size {
    fn serialize<S: support::serde::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> support::serde::Deserialize<'de> for Size {
    fn deserialize<D: support::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
    }
}

/// One of `step-free`, `covered`, `cooled`, `camera`. (tests/lockers/api.yaml:102:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// `step-free`
    StepFree,
    /// `covered`
    Covered,
    /// `cooled`
    Cooled,
    /// `camera`
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

impl support::serde::Serialize for Feature {
    fn serialize<S: support::serde::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> support::serde::Deserialize<'de> for Feature {
    fn deserialize<D: support::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
    }
}

/// One of `in_service`, `paused`, `closed`. (tests/lockers/api.yaml:103:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StationStatus {
    /// `in_service`
    InService,
    /// `paused`
    Paused,
    /// `closed`
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

impl support::serde::Serialize for StationStatus {
    fn serialize<S: support::serde::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> support::serde::Deserialize<'de> for StationStatus {
    fn deserialize<D: support::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
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
pub enum ParcelStatus {
    /// `announced`
    Announced,
    /// `in_transit`
    InTransit,
    /// `stored`
    Stored,
    /// `collected`
    Collected,
    /// `returned`
    Returned,
    /// `cancelled`
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

impl support::serde::Serialize for ParcelStatus {
    fn serialize<S: support::serde::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> support::serde::Deserialize<'de> for ParcelStatus {
    fn deserialize<D: support::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
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
pub enum CourierMove {
    /// `in_transit`
    InTransit,
    /// `returned`
    Returned,
    /// `cancelled`
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

impl support::serde::Serialize for CourierMove {
    fn serialize<S: support::serde::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> support::serde::Deserialize<'de> for CourierMove {
    fn deserialize<D: support::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
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
pub enum DefectKind {
    /// `stuck_door`
    StuckDoor,
    /// `dark_screen`
    DarkScreen,
    /// `dirty`
    Dirty,
    /// `other`
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

impl support::serde::Serialize for DefectKind {
    fn serialize<S: support::serde::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> support::serde::Deserialize<'de> for DefectKind {
    fn deserialize<D: support::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
    }
}

/// One of `reported`, `in_repair`, `mended`, `dismissed`. (tests/lockers/api.yaml:107:3)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefectStatus {
    /// `reported`
    Reported,
    /// `in_repair`
    InRepair,
    /// `mended`
    Mended,
    /// `dismissed`
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

impl support::serde::Serialize for DefectStatus {
    fn serialize<S: support::serde::Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> support::serde::Deserialize<'de> for DefectStatus {
    fn deserialize<D: support::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        support::word(deserializer, &Self::WORDS).map(|place| Self::VALUES[place])
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
    pub floor: Option<i64>,
    /// `position`
    pub position: Option<Position>,
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
    pub opens: String,
    /// `closes`
    pub closes: String,
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
        let given_opens = members.required("opens", faults, decode::clock_time);
        let given_closes = members.required("closes", faults, decode::clock_time);
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
    pub pieces: i64,
    /// `is_fragile`
    pub is_fragile: bool,
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
