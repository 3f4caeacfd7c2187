//! Durations as people write them.

use std::time::Duration;

/// Parses a number with its unit, such as `90s`.
///
/// # Errors
/// If it has another form, or is too long.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let found = units
        .iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(*unit)?, seconds)));
    let number = found.and_then(|(number, unit)| number.parse::<u64>().ok()?.checked_mul(*unit));
    let number = number.map(Duration::from_secs);
    number.ok_or_else(|| "a number and a unit are needed: 90s, 15m, 1h or 2d".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_a_number_with_a_unit() {
        let units = ["90s", "15m", "1h", "2d"].map(|text| parse(text).expect("a duration").as_secs());
        assert_eq!(units, [90, 900, 3_600, 172_800]);
        for wrong in ["", "1", "h", "1 h", "-1h", "1w", "99999999999999999999d"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
