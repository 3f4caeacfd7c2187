//! Days of the Gregorian calendar, in the notation of dates.

/// Whether a text is a day that exists, written `YYYY-MM-DD`.
pub fn is_day(text: &str) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        let part = text.get(range)?;
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok()).flatten()
    };
    let is_shaped = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    let (Some(year), Some(month), Some(day)) = (digits(0..4), digits(5..7), digits(8..10)) else {
        return false;
    };
    is_shaped && year > 0 && (1..=days_in(year, month)).contains(&day)
}

/// The number of days of a month; 0 if there is no such month.
pub fn days_in(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_that_exist_are_days() {
        for day in ["2024-02-29", "0001-01-01", "9999-12-31"] {
            assert!(is_day(day), "{day}");
        }
        for wrong in [
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "0000-01-01",
            "2024-2-29",
            "+024-02-29",
            "",
            "2024-01-01 ",
        ] {
            assert!(!is_day(wrong), "{wrong}");
        }
        assert!(!is_day("２０２４-01-01"));
    }
}
