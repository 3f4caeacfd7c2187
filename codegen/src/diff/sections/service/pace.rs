//! Compares minimum rates of bodies: more bytes or less time make one higher.

use crate::diff::output::Rule;
use crate::model::MinRate;

/// The rule of a change, and both rates. `None` if they are the same.
pub(crate) fn compare(was: Option<&MinRate>, is: Option<&MinRate>) -> Option<(Rule, String)> {
    if was == is {
        return None;
    }
    let is_as_patient = match (was, is) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(was), Some(is)) => {
            is.bytes_per_second.value <= was.bytes_per_second.value && is.grace_seconds.value >= was.grace_seconds.value
        }
    };
    let rule = match is_as_patient {
        true => Rule::BodyRateLowered,
        false => Rule::BodyRateRaised,
    };
    Some((rule, format!("{}, was {}", describe(is), describe(was))))
}

fn describe(rate: Option<&MinRate>) -> String {
    rate.map_or_else(
        || "none".to_owned(),
        |rate| {
            format!(
                "{} bytes per second after {} s",
                rate.bytes_per_second.whole(),
                rate.grace_seconds.whole()
            )
        },
    )
}
