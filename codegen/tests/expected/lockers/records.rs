// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// A stored courier. (tests/lockers/api.yaml:138:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Courier {
    /// `id` (tests/lockers/api.yaml:141:7)
    pub id: CourierId,
    /// `name` (tests/lockers/api.yaml:142:7)
    pub name: String,
    /// `plan` (tests/lockers/api.yaml:143:7)
    #[serde(default = "Courier::absent_plan")]
    pub plan: Plan,
    /// `is_barred` (tests/lockers/api.yaml:144:7)
    #[serde(default)]
    pub is_barred: bool,
    /// `created_at` (tests/lockers/api.yaml:145:7)
    pub created_at: support::Timestamp,
}

/// What a record that was stored before a field came has in its place.
impl Courier {
    fn absent_plan() -> Plan {
        Plan::Basic
    }
}

/// What it takes to make a courier; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct CourierSeed {
    /// `id`
    pub id: CourierId,
    /// `name`
    pub name: String,
    /// `created_at`
    pub created_at: support::Timestamp,
}

impl From<CourierSeed> for Courier {
    fn from(seed: CourierSeed) -> Self {
        Self {
            id: seed.id,
            name: seed.name,
            plan: Plan::Basic,
            is_barred: false,
            created_at: seed.created_at,
        }
    }
}

/// A stored terminal. (tests/lockers/api.yaml:148:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Terminal {
    /// `id` (tests/lockers/api.yaml:153:7)
    pub id: TerminalId,
    /// `courier_id` (tests/lockers/api.yaml:154:7)
    pub courier_id: CourierId,
    /// `name` (tests/lockers/api.yaml:155:7)
    pub name: String,
    /// `key_start` (tests/lockers/api.yaml:156:7)
    pub key_start: String,
    /// `created_at` (tests/lockers/api.yaml:157:7)
    pub created_at: support::Timestamp,
    /// `last_used_at` (tests/lockers/api.yaml:158:7)
    #[serde(default)]
    pub last_used_at: Option<support::Timestamp>,
}

/// What it takes to make a terminal; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct TerminalSeed {
    /// `id`
    pub id: TerminalId,
    /// `courier_id`
    pub courier_id: CourierId,
    /// `name`
    pub name: String,
    /// `key_start`
    pub key_start: String,
    /// `created_at`
    pub created_at: support::Timestamp,
}

impl From<TerminalSeed> for Terminal {
    fn from(seed: TerminalSeed) -> Self {
        Self {
            id: seed.id,
            courier_id: seed.courier_id,
            name: seed.name,
            key_start: seed.key_start,
            created_at: seed.created_at,
            last_used_at: None,
        }
    }
}

/// A stored recipient. (tests/lockers/api.yaml:162:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Recipient {
    /// `id` (tests/lockers/api.yaml:165:7)
    pub id: RecipientId,
    /// `name` (tests/lockers/api.yaml:166:7)
    pub name: String,
    /// `phone` (tests/lockers/api.yaml:167:7)
    #[serde(default)]
    pub phone: Option<String>,
    /// `wants_calls` (tests/lockers/api.yaml:168:7)
    #[serde(default)]
    pub wants_calls: bool,
}

/// What it takes to make a recipient; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct RecipientSeed {
    /// `id`
    pub id: RecipientId,
    /// `name`
    pub name: String,
}

impl From<RecipientSeed> for Recipient {
    fn from(seed: RecipientSeed) -> Self {
        Self {
            id: seed.id,
            name: seed.name,
            phone: None,
            wants_calls: false,
        }
    }
}

/// A stored station. (tests/lockers/api.yaml:172:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Station {
    /// `id` (tests/lockers/api.yaml:175:7)
    pub id: StationId,
    /// `code` (tests/lockers/api.yaml:176:7)
    pub code: String,
    /// `name` (tests/lockers/api.yaml:177:7)
    pub name: String,
    /// `city` (tests/lockers/api.yaml:178:7)
    pub city: String,
    /// `address` (tests/lockers/api.yaml:179:7)
    pub address: Address,
    /// `features` (tests/lockers/api.yaml:180:7)
    #[serde(default)]
    pub features: Vec<Feature>,
    /// `hours` (tests/lockers/api.yaml:181:7)
    #[serde(default)]
    pub hours: Vec<OpeningHours>,
    /// `opened_on` (tests/lockers/api.yaml:182:7)
    pub opened_on: support::Date,
    /// `note` (tests/lockers/api.yaml:183:7)
    #[serde(default)]
    pub note: Option<String>,
    /// `status` (tests/lockers/api.yaml:184:7)
    pub status: StationStatus,
}

/// What it takes to make a station; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct StationSeed {
    /// `id`
    pub id: StationId,
    /// `code`
    pub code: String,
    /// `name`
    pub name: String,
    /// `city`
    pub city: String,
    /// `address`
    pub address: Address,
    /// `opened_on`
    pub opened_on: support::Date,
}

impl From<StationSeed> for Station {
    fn from(seed: StationSeed) -> Self {
        Self {
            id: seed.id,
            code: seed.code,
            name: seed.name,
            city: seed.city,
            address: seed.address,
            features: Vec::new(),
            hours: Vec::new(),
            opened_on: seed.opened_on,
            note: None,
            status: StationStatus::INITIAL,
        }
    }
}

/// A stored compartment. (tests/lockers/api.yaml:192:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Compartment {
    /// `id` (tests/lockers/api.yaml:195:7)
    pub id: CompartmentId,
    /// `station_id` (tests/lockers/api.yaml:196:7)
    pub station_id: StationId,
    /// `label` (tests/lockers/api.yaml:197:7)
    pub label: String,
    /// `size` (tests/lockers/api.yaml:198:7)
    pub size: Size,
    /// `is_blocked` (tests/lockers/api.yaml:199:7)
    #[serde(default)]
    pub is_blocked: bool,
}

/// What it takes to make a compartment; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct CompartmentSeed {
    /// `id`
    pub id: CompartmentId,
    /// `station_id`
    pub station_id: StationId,
    /// `label`
    pub label: String,
    /// `size`
    pub size: Size,
}

impl From<CompartmentSeed> for Compartment {
    fn from(seed: CompartmentSeed) -> Self {
        Self {
            id: seed.id,
            station_id: seed.station_id,
            label: seed.label,
            size: seed.size,
            is_blocked: false,
        }
    }
}

/// A stored reservation. (tests/lockers/api.yaml:204:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Reservation {
    /// `id` (tests/lockers/api.yaml:208:7)
    pub id: ReservationId,
    /// `courier_id` (tests/lockers/api.yaml:209:7)
    pub courier_id: CourierId,
    /// `compartment_id` (tests/lockers/api.yaml:210:7)
    pub compartment_id: CompartmentId,
    /// `note` (tests/lockers/api.yaml:211:7)
    #[serde(default)]
    pub note: Option<String>,
    /// `created_at` (tests/lockers/api.yaml:212:7)
    pub created_at: support::Timestamp,
}

/// What it takes to make a reservation; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct ReservationSeed {
    /// `id`
    pub id: ReservationId,
    /// `courier_id`
    pub courier_id: CourierId,
    /// `compartment_id`
    pub compartment_id: CompartmentId,
    /// `created_at`
    pub created_at: support::Timestamp,
}

impl From<ReservationSeed> for Reservation {
    fn from(seed: ReservationSeed) -> Self {
        Self {
            id: seed.id,
            courier_id: seed.courier_id,
            compartment_id: seed.compartment_id,
            note: None,
            created_at: seed.created_at,
        }
    }
}

/// A stored parcel. (tests/lockers/api.yaml:219:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Parcel {
    /// `id` (tests/lockers/api.yaml:224:7)
    pub id: ParcelId,
    /// `courier_id` (tests/lockers/api.yaml:225:7)
    pub courier_id: CourierId,
    /// `recipient_id` (tests/lockers/api.yaml:226:7)
    pub recipient_id: RecipientId,
    /// `station_id` (tests/lockers/api.yaml:227:7)
    pub station_id: StationId,
    /// `compartment_id` (tests/lockers/api.yaml:228:7)
    #[serde(default)]
    pub compartment_id: Option<CompartmentId>,
    /// `size` (tests/lockers/api.yaml:229:7)
    #[serde(default = "Parcel::absent_size")]
    pub size: Size,
    /// `weight` (tests/lockers/api.yaml:230:7)
    pub weight: support::Number,
    /// `worth` (tests/lockers/api.yaml:231:7)
    #[serde(default = "Parcel::absent_worth")]
    pub worth: support::Number,
    /// `contents` (tests/lockers/api.yaml:232:7)
    #[serde(default)]
    pub contents: Vec<Item>,
    /// `reference` (tests/lockers/api.yaml:233:7)
    #[serde(default)]
    pub reference: Option<String>,
    /// `collect_by` (tests/lockers/api.yaml:234:7)
    pub collect_by: support::Date,
    /// `note` (tests/lockers/api.yaml:235:7)
    #[serde(default)]
    pub note: Option<String>,
    /// `neighbour` (tests/lockers/api.yaml:236:7)
    #[serde(default)]
    pub neighbour: Option<String>,
    /// `status` (tests/lockers/api.yaml:237:7)
    pub status: ParcelStatus,
    /// `log` (tests/lockers/api.yaml:238:7)
    #[serde(default)]
    pub log: Vec<Event>,
    /// `announced_at` (tests/lockers/api.yaml:239:7)
    pub announced_at: support::Timestamp,
    /// `collected_at` (tests/lockers/api.yaml:240:7)
    #[serde(default)]
    pub collected_at: Option<support::Timestamp>,
}

/// What a record that was stored before a field came has in its place.
impl Parcel {
    fn absent_size() -> Size {
        Size::Small
    }

    fn absent_worth() -> support::Number {
        support::Number::new(0.0).expect("a finite literal")
    }
}

/// What it takes to make a parcel; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct ParcelSeed {
    /// `id`
    pub id: ParcelId,
    /// `courier_id`
    pub courier_id: CourierId,
    /// `recipient_id`
    pub recipient_id: RecipientId,
    /// `station_id`
    pub station_id: StationId,
    /// `weight`
    pub weight: support::Number,
    /// `contents`
    pub contents: Vec<Item>,
    /// `collect_by`
    pub collect_by: support::Date,
    /// `log`
    pub log: Vec<Event>,
    /// `announced_at`
    pub announced_at: support::Timestamp,
}

impl From<ParcelSeed> for Parcel {
    fn from(seed: ParcelSeed) -> Self {
        Self {
            id: seed.id,
            courier_id: seed.courier_id,
            recipient_id: seed.recipient_id,
            station_id: seed.station_id,
            compartment_id: None,
            size: Size::Small,
            weight: seed.weight,
            worth: support::Number::new(0.0).expect("a finite literal"),
            contents: seed.contents,
            reference: None,
            collect_by: seed.collect_by,
            note: None,
            neighbour: None,
            status: ParcelStatus::INITIAL,
            log: seed.log,
            announced_at: seed.announced_at,
            collected_at: None,
        }
    }
}

/// A stored defect. (tests/lockers/api.yaml:251:3)
#[derive(Clone, Debug, PartialEq)]
#[derive(support::serde::Serialize, support::serde::Deserialize)]
#[serde(crate = "support::serde")]
pub struct Defect {
    /// `id` (tests/lockers/api.yaml:254:7)
    pub id: DefectId,
    /// `station_id` (tests/lockers/api.yaml:255:7)
    pub station_id: StationId,
    /// `recipient_id` (tests/lockers/api.yaml:256:7)
    pub recipient_id: RecipientId,
    /// `kind` (tests/lockers/api.yaml:257:7)
    #[serde(default = "Defect::absent_kind")]
    pub kind: DefectKind,
    /// `seen_on` (tests/lockers/api.yaml:258:7)
    #[serde(default)]
    pub seen_on: Option<support::Date>,
    /// `note` (tests/lockers/api.yaml:259:7)
    #[serde(default)]
    pub note: Option<String>,
    /// `photo` (tests/lockers/api.yaml:260:7)
    #[serde(default)]
    pub photo: Option<support::OpenObject>,
    /// `status` (tests/lockers/api.yaml:261:7)
    pub status: DefectStatus,
}

/// What a record that was stored before a field came has in its place.
impl Defect {
    fn absent_kind() -> DefectKind {
        DefectKind::Other
    }
}

/// What it takes to make a defect; its other fields have their defaults, a state its first.
#[derive(Clone, Debug)]
pub struct DefectSeed {
    /// `id`
    pub id: DefectId,
    /// `station_id`
    pub station_id: StationId,
    /// `recipient_id`
    pub recipient_id: RecipientId,
}

impl From<DefectSeed> for Defect {
    fn from(seed: DefectSeed) -> Self {
        Self {
            id: seed.id,
            station_id: seed.station_id,
            recipient_id: seed.recipient_id,
            kind: DefectKind::Other,
            seen_on: None,
            note: None,
            photo: None,
            status: DefectStatus::INITIAL,
        }
    }
}
