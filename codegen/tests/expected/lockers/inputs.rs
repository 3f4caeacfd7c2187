// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// `NewCompartment` (tests/lockers/api.yaml:128:5)
#[derive(Clone, Debug, PartialEq)]
pub struct NewCompartment {
    /// `label` (tests/lockers/api.yaml:129:16)
    pub label: String,
    /// `size` (tests/lockers/api.yaml:129:23)
    pub size: Size,
    /// `is_blocked` (tests/lockers/api.yaml:130:16)
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
