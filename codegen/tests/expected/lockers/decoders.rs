// Generated from tests/lockers/api.yaml by codegen; edit that file, not this one.

/// The decoders of the contract's named types; each reports what is wrong and gives nothing then.
#[allow(
    dead_code,
    clippy::wildcard_imports,
    reason = "it decodes whatever the contract names, used or not"
)]
pub(crate) mod decode {
    #[allow(unused_imports)]
    use super::*;
    use super::support::{Faults, Value};

    /// `name` (tests/lockers/api.yaml:75:3)
    pub(crate) fn name(value: Value, faults: &mut Faults) -> Option<String> {
        support::decode::text(
            value,
            faults,
            &support::decode::TextRule {
                min: 1,
                max: Some(80),
                chars: None,
            },
        )
    }

    /// `note` (tests/lockers/api.yaml:76:3)
    pub(crate) fn note(value: Value, faults: &mut Faults) -> Option<String> {
        support::decode::text(
            value,
            faults,
            &support::decode::TextRule {
                min: 0,
                max: Some(500),
                chars: None,
            },
        )
    }

    /// `search_term` (tests/lockers/api.yaml:77:3)
    pub(crate) fn search_term(value: Value, faults: &mut Faults) -> Option<String> {
        support::decode::text(
            value,
            faults,
            &support::decode::TextRule {
                min: 2,
                max: None,
                chars: None,
            },
        )
    }

    /// `code` (tests/lockers/api.yaml:78:3)
    pub(crate) fn code(value: Value, faults: &mut Faults) -> Option<String> {
        support::decode::text(
            value,
            faults,
            &support::decode::TextRule {
                min: 3,
                max: Some(12),
                chars: Some("A-Z0-9-"),
            },
        )
    }

    /// `label` (tests/lockers/api.yaml:79:3)
    pub(crate) fn label(value: Value, faults: &mut Faults) -> Option<String> {
        support::decode::text(
            value,
            faults,
            &support::decode::TextRule {
                min: 1,
                max: Some(4),
                chars: Some("A-Z0-9"),
            },
        )
    }

    /// `phone` (tests/lockers/api.yaml:80:3)
    pub(crate) fn phone(value: Value, faults: &mut Faults) -> Option<String> {
        support::decode::text(
            value,
            faults,
            &support::decode::TextRule {
                min: 5,
                max: Some(20),
                chars: Some("0-9+"),
            },
        )
    }

    /// `postal_code` (tests/lockers/api.yaml:81:3)
    pub(crate) fn postal_code(value: Value, faults: &mut Faults) -> Option<String> {
        support::decode::text(
            value,
            faults,
            &support::decode::TextRule {
                min: 3,
                max: Some(10),
                chars: None,
            },
        )
    }

    /// `clock_time` (tests/lockers/api.yaml:82:3)
    pub(crate) fn clock_time(value: Value, faults: &mut Faults) -> Option<String> {
        support::decode::text(
            value,
            faults,
            &support::decode::TextRule {
                min: 5,
                max: Some(5),
                chars: Some("0-9:"),
            },
        )
    }

    /// `latitude` (tests/lockers/api.yaml:83:3)
    pub(crate) fn latitude(
        value: Value,
        faults: &mut Faults,
    ) -> Option<support::Number> {
        support::decode::number(
            value,
            faults,
            &support::decode::NumberRule {
                min: Some(-90.0),
                exclusive_min: None,
                max: Some(90.0),
                decimals: Some(6),
            },
        )
    }

    /// `longitude` (tests/lockers/api.yaml:84:3)
    pub(crate) fn longitude(
        value: Value,
        faults: &mut Faults,
    ) -> Option<support::Number> {
        support::decode::number(
            value,
            faults,
            &support::decode::NumberRule {
                min: Some(-180.0),
                exclusive_min: None,
                max: Some(180.0),
                decimals: Some(6),
            },
        )
    }

    /// `kilograms` (tests/lockers/api.yaml:85:3)
    pub(crate) fn kilograms(
        value: Value,
        faults: &mut Faults,
    ) -> Option<support::Number> {
        support::decode::number(
            value,
            faults,
            &support::decode::NumberRule {
                min: None,
                exclusive_min: Some(0.0),
                max: Some(30.0),
                decimals: Some(3),
            },
        )
    }

    /// `weight_bound` (tests/lockers/api.yaml:86:3)
    pub(crate) fn weight_bound(
        value: Value,
        faults: &mut Faults,
    ) -> Option<support::Number> {
        support::decode::number(
            value,
            faults,
            &support::decode::NumberRule {
                min: None,
                exclusive_min: None,
                max: None,
                decimals: None,
            },
        )
    }

    /// `worth` (tests/lockers/api.yaml:87:3)
    pub(crate) fn worth(value: Value, faults: &mut Faults) -> Option<support::Number> {
        support::decode::number(
            value,
            faults,
            &support::decode::NumberRule {
                min: Some(0.0),
                exclusive_min: None,
                max: Some(5000.0),
                decimals: Some(2),
            },
        )
    }

    /// `count` (tests/lockers/api.yaml:88:3)
    pub(crate) fn count(value: Value, faults: &mut Faults) -> Option<i64> {
        support::decode::integer(
            value,
            faults,
            &support::decode::IntegerRule {
                min: Some(0),
                max: None,
            },
        )
    }

    /// `pieces` (tests/lockers/api.yaml:89:3)
    pub(crate) fn pieces(value: Value, faults: &mut Faults) -> Option<i64> {
        support::decode::integer(
            value,
            faults,
            &support::decode::IntegerRule {
                min: Some(1),
                max: Some(999),
            },
        )
    }

    /// `page` (tests/lockers/api.yaml:90:3)
    pub(crate) fn page(value: Value, faults: &mut Faults) -> Option<i64> {
        support::decode::integer(
            value,
            faults,
            &support::decode::IntegerRule {
                min: Some(1),
                max: None,
            },
        )
    }

    /// `page_size` (tests/lockers/api.yaml:91:3)
    pub(crate) fn page_size(value: Value, faults: &mut Faults) -> Option<i64> {
        support::decode::integer(
            value,
            faults,
            &support::decode::IntegerRule {
                min: Some(1),
                max: Some(50),
            },
        )
    }

    /// `floor` (tests/lockers/api.yaml:92:3)
    pub(crate) fn floor(value: Value, faults: &mut Faults) -> Option<i64> {
        support::decode::integer(
            value,
            faults,
            &support::decode::IntegerRule {
                min: Some(-9),
                max: Some(99),
            },
        )
    }

    /// `week` (tests/lockers/api.yaml:93:3)
    pub(crate) fn week(value: Value, faults: &mut Faults) -> Option<Vec<OpeningHours>> {
        let items = support::decode::list(
            value,
            faults,
            &support::decode::ListRule {
                min: 0,
                max: Some(7),
            },
            OpeningHours::decode,
        )?;
        support::decode::unique(&items, faults, "days", |item| &item.days);
        Some(items)
    }

    /// `contents` (tests/lockers/api.yaml:94:3)
    pub(crate) fn contents(value: Value, faults: &mut Faults) -> Option<Vec<Item>> {
        let items = support::decode::list(
            value,
            faults,
            &support::decode::ListRule {
                min: 1,
                max: Some(20),
            },
            Item::decode,
        )?;
        Some(items)
    }

    /// `features` (tests/lockers/api.yaml:95:3)
    pub(crate) fn features(value: Value, faults: &mut Faults) -> Option<Vec<Feature>> {
        let items = support::decode::list(
            value,
            faults,
            &support::decode::ListRule {
                min: 0,
                max: Some(4),
            },
            Feature::decode,
        )?;
        Some(items)
    }

    /// `new_doors` (tests/lockers/api.yaml:96:3)
    pub(crate) fn new_doors(
        value: Value,
        faults: &mut Faults,
    ) -> Option<Vec<NewCompartment>> {
        let items = support::decode::list(
            value,
            faults,
            &support::decode::ListRule {
                min: 1,
                max: Some(100),
            },
            NewCompartment::decode,
        )?;
        support::decode::unique(&items, faults, "label", |item| &item.label);
        Some(items)
    }

    /// `photo` (tests/lockers/api.yaml:97:3)
    pub(crate) fn photo(
        value: Value,
        faults: &mut Faults,
    ) -> Option<support::OpenObject> {
        support::decode::open(value, faults, 4096)
    }
}
