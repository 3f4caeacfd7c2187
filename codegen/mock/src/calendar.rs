//! The present time, and seconds in UTC in the notation of timestamps.

use codegen::calendar::days_in;
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The day and the time of a second since 1970, written `YYYY-MM-DDTHH:MM:SS`.
pub(crate) fn timestamp(unix: u64) -> String {
    let (mut days, second) = (unix / 86_400, unix % 86_400);
    let (mut year, mut month) = (1970, 1);
    let days_of_year = |year| (1..=12).map(|month| u64::from(days_in(year, month))).sum::<u64>();
    while days >= days_of_year(year) && year < 9999 {
        days -= days_of_year(year);
        year += 1;
    }
    while days >= u64::from(days_in(year, month)) && month < 12 {
        days -= u64::from(days_in(year, month));
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}", days + 1)
}

/// The second of a timestamp, since 1970.
pub(crate) fn unix(timestamp: &str) -> Option<u64> {
    let part = |from: usize, to: usize| timestamp.get(from..to)?.parse::<u32>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let days_before = |year: u32| (1..=12).map(|month| u64::from(days_in(year, month))).sum::<u64>();
    let years: u64 = (1970..year).map(days_before).sum();
    let months: u64 = (1..month).map(|month| u64::from(days_in(year, month))).sum();
    let days = years + months + u64::from(day.checked_sub(1)?);
    Some(days * 86_400 + u64::from(part(11, 13)? * 3600 + part(14, 16)? * 60 + part(17, 19)?))
}

/// Milliseconds since 1970: the date at the first request and the time since then. A correction of the clock moves no window of a limit.
pub(crate) fn now() -> u64 {
    static START: LazyLock<(Duration, Instant)> = LazyLock::new(|| {
        let date = SystemTime::now().duration_since(UNIX_EPOCH);
        (date.unwrap_or_default(), Instant::now())
    });
    let (date, start) = *START;
    u64::try_from((date + start.elapsed()).as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_read_as_it_is_written() {
        for (second, text) in [
            (0, "1970-01-01T00:00:00"),
            (951_782_399, "2000-02-28T23:59:59"),
            (1_795_432_109, "2026-11-23T11:08:29"),
        ] {
            assert_eq!(timestamp(second), text);
            assert_eq!(unix(text), Some(second));
        }
        assert_eq!(unix("nonsense"), None);
    }
}
