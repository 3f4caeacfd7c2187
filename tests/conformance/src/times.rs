//! Points in time.

/// Seconds since 1970 of `2026-12-24T10:00:00`, with or without a `Z`.
pub(crate) fn unix(text: &str) -> Option<u64> {
    let (date, time) = text.trim_end_matches('Z').split_once('T')?;
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let (year, month) = if month < 3 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1;
    Some((days.checked_sub(719_468)? * 24 + hour) * 3600 + minute * 60 + second)
}

/// Seconds since 1970 of `Sun, 15 Jun 2025 15:07:07 GMT`.
pub(crate) fn http_date(text: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let parts: Vec<&str> = text.split_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = parts.as_slice() else {
        return None;
    };
    let month = MONTHS.find(month)? / 3 + 1;
    unix(&format!("{year}-{month}-{day}T{time}"))
}

fn numbers(text: &str, between: char) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = text.split(between).map(|part| part.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_time_is_so_many_seconds_after_1970() {
        assert_eq!(super::unix("2025-06-15T15:07:07Z"), Some(1_750_000_027));
        assert_eq!(super::unix("2025-06-15"), None);
        assert_eq!(super::http_date("Sun, 15 Jun 2025 15:07:07 GMT"), Some(1_750_000_027));
        assert_eq!(super::http_date("yesterday"), None);
    }
}
