//! Which part of a file a request asks for (RFC 9110 §13, §14).

use http::HeaderMap;
use http::header::{HeaderName, IF_NONE_MATCH, IF_RANGE, RANGE};

/// What is sent of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// Nothing: the client has it.
    NotModified,
    Whole,
    /// From the first byte to the last one, both included.
    Part(u64, u64),
}

/// Evaluates the conditions and the range of a GET request for a file of this many bytes. A range that is malformed, has
/// several parts or contains no byte of the file is ignored, as RFC 9110 §14.2 permits.
pub(super) fn select(headers: &HeaderMap, etag: &str, bytes: u64) -> Selection {
    let has = |name: HeaderName| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let mut known = has(IF_NONE_MATCH).flat_map(|value| value.split(','));
    if known.any(|one| matches!(one.trim(), "*") || one.trim().trim_start_matches("W/") == etag) {
        return Selection::NotModified;
    }
    let mut conditions = has(IF_RANGE);
    if conditions.any(|condition| condition.trim() != etag) {
        return Selection::Whole;
    }
    let mut ranges = has(RANGE);
    let part = match (ranges.next(), ranges.next()) {
        (Some(range), None) => part(range, bytes),
        _ => None,
    };
    part.map_or(Selection::Whole, |(first, last)| Selection::Part(first, last))
}

fn part(range: &str, bytes: u64) -> Option<(u64, u64)> {
    let (unit, range) = range.split_once('=')?;
    let (first, last) = range.trim().split_once('-')?;
    let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse::<u64>().ok(),
        false => None,
    };
    let end = bytes.checked_sub(1)?;
    let (first, last) = match (first, last) {
        ("", length) => (bytes.saturating_sub(number(length)?), end),
        (first, "") => (number(first)?, end),
        (first, last) => (number(first)?, number(last)?.min(end)),
    };
    (unit.eq_ignore_ascii_case("bytes") && first <= last && first < bytes).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[track_caller]
    fn check(sent: &[(HeaderName, &'static str)], expected: Selection) {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(name.clone(), HeaderValue::from_static(value));
        }
        assert_eq!(select(&headers, "\"e\"", 100), expected, "{sent:?}");
    }

    #[test]
    fn a_single_range_is_served() {
        for (range, first, last) in [
            ("bytes=0-9", 0, 9),
            ("bytes=90-", 90, 99),
            ("bytes=-10", 90, 99),
            ("bytes=-1000", 0, 99),
            ("bytes=50-1000", 50, 99),
            ("Bytes=99-99", 99, 99),
        ] {
            check(&[(RANGE, range)], Selection::Part(first, last));
        }
    }

    #[test]
    fn other_ranges_are_ignored() {
        for range in [
            "bytes=100-",
            "bytes=9-0",
            "bytes=0-1,3-4",
            "lines=0-9",
            "bytes=a-b",
            "bytes=-0",
            "bytes",
            "bytes=--1",
            "bytes=+1-2",
            "bytes=-",
        ] {
            check(&[(RANGE, range)], Selection::Whole);
        }
        check(&[(RANGE, "bytes=0-1"), (RANGE, "bytes=2-3")], Selection::Whole);
    }

    #[test]
    fn conditions_come_first() {
        check(&[(IF_NONE_MATCH, "\"e\"")], Selection::NotModified);
        check(&[(IF_NONE_MATCH, "\"x\", W/\"e\"")], Selection::NotModified);
        check(&[(IF_NONE_MATCH, "*")], Selection::NotModified);
        check(&[(IF_NONE_MATCH, "\"x\"")], Selection::Whole);
        check(&[(IF_RANGE, "\"e\""), (RANGE, "bytes=0-9")], Selection::Part(0, 9));
        check(&[(IF_RANGE, "\"x\""), (RANGE, "bytes=0-9")], Selection::Whole);
        check(&[(IF_RANGE, "W/\"e\""), (RANGE, "bytes=0-9")], Selection::Whole);
    }
}
