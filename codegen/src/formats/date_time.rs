//! `date_time`: a point in time that a client sends.

use super::Format;
use crate::calendar::{days_in, is_day};
use std::cmp::Ordering;

pub(super) const DATE_TIME: Format = Format {
    name: "date_time",
    doc: "A point in time, `2026-11-21T15:04:05+09:00` (RFC 3339 `date-time`): with an offset, and up to nine decimals of a \
          second. It is stored and shown in UTC, with 0, 3, 6 or 9 decimals: `2026-11-21T06:04:05Z`. There are no leap seconds.",
    noun: "a date and time",
    notation: "`YYYY-MM-DDTHH:MM:SSZ`, or with decimals of a second and another offset (RFC 3339); shown in UTC",
    demand: "a date and time with an offset, such as 2026-11-21T15:04:05+09:00",
    tested: ("date_time", "a date and time with an offset"),
    codes: ("string", "format;date_time"),
    json_schema: "date-time",
    length: (0, None),
    rust: Some("DateTime"),
    order: Some(in_time),
    read: in_utc,
    values: [
        "2026-11-21T15:04:05Z",
        "2024-02-29T23:59:59Z",
        "2026-01-31T00:00:00Z",
        "2026-02-01T12:30:00.500Z",
        "2031-12-31T23:59:59.999999999Z",
    ],
    unused: ["0001-01-01T00:00:00Z", "2026-01-30T23:59:59Z", "9999-12-31T23:59:59Z"],
    edges: &[
        ("2026-11-21T15:04:05+09:00", "2026-11-21T06:04:05Z"),
        ("2026-12-31t20:30:00-05:45", "2027-01-01T02:15:00Z"),
        ("2024-03-01T00:15:00.10z", "2024-03-01T00:15:00.100Z"),
        ("2024-03-01T00:15:00.0000000+00:30", "2024-02-29T23:45:00Z"),
        ("1970-01-01T00:00:00.123456-00:00", "1970-01-01T00:00:00.123456Z"),
        ("2000-01-01T00:00:00.0000001Z", "2000-01-01T00:00:00.000000100Z"),
        ("9999-12-31T23:59:59+23:59", "9999-12-31T00:00:59Z"),
    ],
    others: &[
        (
            "is no time that there is",
            &[
                "2026-02-29T00:00:00Z",
                "2026-11-21T24:00:00Z",
                "2026-11-21T15:60:00Z",
                "2026-11-21T15:04:61Z",
                "2016-12-31T23:59:60Z",
                "2026-11-21T15:04:05+24:00",
                "2026-11-21T15:04:05+09:60",
                "0000-12-31T23:59:59Z",
                "0000-12-31T23:59:59-00:01",
                "0001-01-01T00:00:00+00:01",
                "9999-12-31T23:59:59-00:01",
            ],
        ),
        (
            "is written otherwise",
            &[
                "2026-11-21T15:04:05",
                "2026-11-21 15:04:05Z",
                "2026-11-21T15:04Z",
                "2026-11-21T15:04:05.Z",
                "2026-11-21T15:04:05,5Z",
                "2026-11-21T15:04:05.1234567891Z",
                "2026-11-21T15:04:05+0900",
                "2026-11-21T15:04:05+09",
                "2026-11-21T15:04:05−09:00",
                "2026-11-21T15:04:05−9:0",
                "2026-11-21T15:04:05Z ",
                "2026-11-21T1５:04:05Z",
                "+2026-11-21T15:04:05Z",
                "20261121T150405Z",
                "2026-11-21",
                "1795273445",
                "now",
                "",
            ],
        ),
    ],
};

/// The same time in UTC.
fn in_utc(text: &str) -> Option<String> {
    let (day, time) = text.split_once(['T', 't'])?;
    let (clock, offset) = match time.strip_suffix(['Z', 'z']) {
        Some(clock) => (clock, 0),
        None => {
            let (clock, offset) = time.split_at_checked(time.len().checked_sub(6)?)?;
            match (offset.strip_prefix('+'), offset.strip_prefix('-')) {
                (Some(ahead), _) => (clock, minute_of_day(ahead)?),
                (_, Some(behind)) => (clock, -minute_of_day(behind)?),
                _ => return None,
            }
        }
    };
    let (clock, fraction) = match clock.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (clock, ""),
    };
    let (minute, second) = clock.rsplit_once(':')?;
    let is_right = is_day(day) && number(second, 2)? < 60 && fraction.len() <= 9;
    if !is_right || !fraction.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let minute = minute_of_day(minute)? - offset;
    let day = shifted(day, minute.div_euclid(24 * 60))?;
    let minute = minute.rem_euclid(24 * 60);
    let digits = fraction.trim_end_matches('0').len().div_ceil(3) * 3;
    let fraction = match digits {
        0 => String::new(),
        digits => format!(".{:0<digits$}", &fraction[..fraction.len().min(digits)]),
    };
    Some(format!(
        "{day}T{:02}:{:02}:{second}{fraction}Z",
        minute / 60,
        minute % 60
    ))
}

/// The minutes of `HH:MM`.
fn minute_of_day(text: &str) -> Option<i32> {
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
}

/// A number of so many digits.
fn number(text: &str, digits: usize) -> Option<i32> {
    let is_number = text.len() == digits && text.bytes().all(|c| c.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// The day before a day or after it, or the day itself. `None`: it has another year than 1 to 9999.
fn shifted(day: &str, by: i32) -> Option<String> {
    let mut parts = day.split('-').map(|part| part.parse::<u32>().ok());
    let (mut year, mut month, mut day) = (parts.next()??, parts.next()??, parts.next()??);
    match by {
        0 => {}
        1.. if day < days_in(year, month) => day += 1,
        1.. => {
            (year, month, day) = if month == 12 {
                (year + 1, 1, 1)
            } else {
                (year, month + 1, 1)
            }
        }
        _ if day > 1 => day -= 1,
        _ => {
            (year, month) = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
            day = days_in(year, month);
        }
    }
    (1..=9999)
        .contains(&year)
        .then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The order of two values as they are shown. A second without decimals would come after one with decimals.
fn in_time(one: &str, other: &str) -> Ordering {
    let [one, other] = [one, other].map(|text| text.trim_end_matches('Z'));
    one.cmp(other)
}
