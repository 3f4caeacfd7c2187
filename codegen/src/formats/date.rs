//! `date`: a calendar date.

use super::{Format, as_written};
use crate::calendar::is_day;

pub(super) const DATE: Format = Format {
    name: "date",
    doc: "A calendar date, `2026-11-21` (RFC 3339 `full-date`). Dates that do not exist are rejected.",
    noun: "a date",
    notation: "`YYYY-MM-DD`",
    demand: "a day that there is, written YYYY-MM-DD",
    tested: ("day", "a day of the calendar"),
    codes: ("date", "date"),
    json_schema: "date",
    length: (0, None),
    rust: Some("Date"),
    order: Some(str::cmp),
    read: |text| as_written(text, is_day),
    values: ["2026-11-21", "2024-02-29", "2026-01-31", "2026-02-01", "2031-12-31"],
    unused: ["0001-01-01", "2026-01-30", "9999-12-31"],
    edges: &[
        ("2024-02-29", "2024-02-29"),
        ("1970-01-01", "1970-01-01"),
        ("9999-12-31", "9999-12-31"),
    ],
    others: &[
        (
            "is no day that there is",
            &["2026-02-29", "2026-02-30", "2026-13-01", "2026-00-10", "2026-04-31"],
        ),
        (
            "is written otherwise",
            &[
                "2026-1-31",
                "20260131",
                "31-01-2026",
                "2026-01-31T00:00:00",
                "2026-01-31 ",
                "+2026-01-31",
                "２０２６-01-31",
                "",
                "today",
            ],
        ),
    ],
};
