// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// `NewStation` (tests/lockers/api.yaml:129:5)
#[derive(Clone, Debug, PartialEq)]
pub struct NewStation {
    /// `code` (tests/lockers/api.yaml:130:16)
    pub code: String,
    /// `name` (tests/lockers/api.yaml:130:22)
    pub name: String,
    /// `city` (tests/lockers/api.yaml:130:28)
    pub city: String,
    /// `address` (tests/lockers/api.yaml:130:34)
    pub address: Address,
    /// `opened_on` (tests/lockers/api.yaml:130:43)
    pub opened_on: support::Date,
    /// `features` (tests/lockers/api.yaml:131:16)
    pub features: Vec<Feature>,
    /// `hours` (tests/lockers/api.yaml:131:26)
    pub hours: Vec<OpeningHours>,
    /// `note` (tests/lockers/api.yaml:131:33)
    pub note: Option<String>,
}

impl NewStation {
    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        let mut members = support::Members::of_object(
            value,
            &[
                "code",
                "name",
                "city",
                "address",
                "opened_on",
                "features",
                "hours",
                "note",
            ],
            faults,
        )?;
        let given_code = members.required("code", faults, decode::code);
        let given_name = members.required("name", faults, decode::name);
        let given_city = members.required("city", faults, decode::name);
        let given_address = members.required("address", faults, Address::decode);
        let given_opened_on = members
            .required("opened_on", faults, support::decode::date);
        let given_features = members
            .or_default("features", faults, decode::features, Vec::new());
        let given_hours = members.or_default("hours", faults, decode::week, Vec::new());
        let given_note = members.optional("note", faults, decode::note);
        Some(Self {
            code: given_code?,
            name: given_name?,
            city: given_city?,
            address: given_address?,
            opened_on: given_opened_on?,
            features: given_features?,
            hours: given_hours?,
            note: given_note?,
        })
    }
}

/// The fields of a station that [`NewStation`] does not give.
#[derive(Clone, Copy, Debug)]
pub struct NewStationRest {
    /// `id`
    pub id: StationId,
}

impl NewStation {
    /// Makes the station; a field that nobody gave has its default, a state its first.
    #[must_use]
    pub fn into_station(self, rest: NewStationRest) -> Station {
        Station {
            id: rest.id,
            code: self.code,
            name: self.name,
            city: self.city,
            address: self.address,
            features: self.features,
            hours: self.hours,
            opened_on: self.opened_on,
            note: self.note,
            status: StationStatus::INITIAL,
        }
    }
}

/// `NewCompartment` (tests/lockers/api.yaml:133:5)
#[derive(Clone, Debug, PartialEq)]
pub struct NewCompartment {
    /// `label` (tests/lockers/api.yaml:134:16)
    pub label: String,
    /// `size` (tests/lockers/api.yaml:134:23)
    pub size: Size,
    /// `is_blocked` (tests/lockers/api.yaml:135:16)
    pub is_blocked: bool,
}

impl NewCompartment {
    #[allow(dead_code)]
    pub(crate) fn decode(
        value: support::Value,
        faults: &mut support::Faults,
    ) -> Option<Self> {
        let mut members = support::Members::of_object(
            value,
            &["label", "size", "is_blocked"],
            faults,
        )?;
        let given_label = members.required("label", faults, decode::label);
        let given_size = members.required("size", faults, Size::decode);
        let given_is_blocked = members
            .or_default("is_blocked", faults, support::decode::boolean, false);
        Some(Self {
            label: given_label?,
            size: given_size?,
            is_blocked: given_is_blocked?,
        })
    }
}

/// The fields of a compartment that [`NewCompartment`] does not give.
#[derive(Clone, Copy, Debug)]
pub struct NewCompartmentRest {
    /// `id`
    pub id: CompartmentId,
    /// `station_id`
    pub station_id: StationId,
}

impl NewCompartment {
    /// Makes the compartment; a field that nobody gave has its default, a state its first.
    #[must_use]
    pub fn into_compartment(self, rest: NewCompartmentRest) -> Compartment {
        Compartment {
            id: rest.id,
            station_id: rest.station_id,
            label: self.label,
            size: self.size,
            is_blocked: self.is_blocked,
        }
    }
}
