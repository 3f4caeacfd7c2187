//! Values with types of their own: numbers, timestamps, dates and free-form objects. Each can hold only what its
//! serialized form can express.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use chrono::{Datelike, Days, NaiveDate, SecondsFormat, Timelike, Utc};
use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A finite number, never `-0`. Serialized in the shortest form: 100 as `100`, 49.99 as `49.99`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number(f64);

impl Number {
    /// 0.
    pub const ZERO: Self = Self(0.0);

    /// `None` for infinities and NaN.
    pub const fn new(value: f64) -> Option<Self> {
        // Adding 0 turns -0 into 0 and changes nothing else.
        if value.is_finite() {
            Some(Self(value + 0.0))
        } else {
            None
        }
    }

    /// The value.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Compares the values.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }
}

/// Above 2^53, the nearest number.
impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(value as f64)
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self(value.into())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Below this, every whole `f64` is also an `i64`.
        const WHOLE: f64 = 9.2e18;
        if self.0.fract() == 0.0 && self.0.abs() < WHOLE {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(f64::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("expected a finite number"))
    }
}

/// A second in UTC, of the years 0 to 9999. Serialized as `YYYY-MM-DDTHH:MM:SS`, without an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    const FIRST: i64 = -62_167_219_200;
    const LAST: i64 = 253_402_300_799;

    /// Seconds since the beginning of 1970. Seconds outside of the valid years become the first or last valid second.
    pub fn from_unix(seconds: i64) -> Self {
        Self(seconds.clamp(Self::FIRST, Self::LAST))
    }

    /// Seconds since the beginning of 1970.
    pub const fn unix(self) -> i64 {
        self.0
    }

    /// Parses the serialized form strictly.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('T')?;
        let &[h1, h2, b':', m1, m2, b':', s1, s2] = time.as_bytes() else {
            return None;
        };
        let date = calendar_day(date)?;
        let at = date.and_hms_opt(digits(&[h1, h2])?, digits(&[m1, m2])?, digits(&[s1, s2])?)?;
        Some(Self(at.and_utc().timestamp()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = chrono::DateTime::from_timestamp(self.0, 0).expect("a timestamp lies in the years 0 to 9999");
        write!(f, "{:04}-{:02}-{:02}T", at.year(), at.month(), at.day())?;
        write!(f, "{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second())
    }
}

/// A calendar date of the years 1 to 9999. Serialized as `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(NaiveDate);

impl Date {
    /// Parses the serialized form: ten ASCII characters, and an existing day.
    pub fn parse(text: &str) -> Option<Self> {
        calendar_day(text).filter(|day| day.year() > 0).map(Self)
    }

    /// The day, in UTC. One of the year 0 becomes the first day of the year 1.
    pub fn of(at: Timestamp) -> Self {
        let at = chrono::DateTime::from_timestamp(at.unix(), 0).expect("a timestamp lies in the years 0 to 9999");
        let first = NaiveDate::from_ymd_opt(1, 1, 1).expect("it is a day");
        Self(at.date_naive().max(first))
    }

    /// The days since the first one of the year 1, which is 1.
    pub fn number(self) -> i64 {
        self.0.num_days_from_ce().into()
    }

    /// So many days before. None before the year 1.
    pub fn before(self, days: u64) -> Option<Self> {
        let day = self.0.checked_sub_days(Days::new(days))?;
        (day.year() > 0).then_some(Self(day))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

/// A point in time of the years 1 to 9999, in nanoseconds. Serialized in UTC (RFC 3339), with 0, 3, 6 or 9 decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime(chrono::DateTime<Utc>);

impl DateTime {
    /// Parses an RFC 3339 `date-time` with any offset, without leap seconds, with at most nine decimals.
    pub fn parse(text: &str) -> Option<Self> {
        // These chrono accepts, too: a space, a sign beyond ASCII, further decimals, and leap seconds.
        let decimals = text
            .split_once('.')
            .map_or(0, |(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
        let is_strict = text.is_ascii() && matches!(text.as_bytes().get(10), Some(b'T' | b't')) && decimals <= 9;
        let at = chrono::DateTime::parse_from_rfc3339(text)
            .ok()
            .filter(|at| is_strict && at.nanosecond() < 1_000_000_000)?;
        let has_year = |year| (1..=9999).contains(&year);
        let utc = at.to_utc();
        (has_year(at.year()) && has_year(utc.year())).then_some(Self(utc))
    }

    /// Seconds since the beginning of 1970, rounded down.
    pub fn unix(self) -> i64 {
        self.0.timestamp()
    }

    /// The nanoseconds of the second.
    pub fn nanoseconds(self) -> u32 {
        self.0.timestamp_subsec_nanos()
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

fn calendar_day(text: &str) -> Option<NaiveDate> {
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else {
        return None;
    };
    let year = i32::try_from(digits(&[y1, y2, y3, y4])?).ok()?;
    NaiveDate::from_ymd_opt(year, digits(&[m1, m2])?, digits(&[d1, d2])?)
}

fn digits(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0'))
    })
}

macro_rules! serde_as_written {
    ($type:ident, $form:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Written {
                    parse: $type::parse,
                    form: $form,
                })
            }
        }
    };
}

serde_as_written!(Timestamp, "YYYY-MM-DDTHH:MM:SS");
serde_as_written!(Date, "YYYY-MM-DD");
serde_as_written!(DateTime, "YYYY-MM-DDTHH:MM:SSZ");

struct Written<T> {
    parse: fn(&str) -> Option<T>,
    form: &'static str,
}

impl<T> Visitor<'_> for Written<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text of the form {}", self.form)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

/// An object with free-form members, kept as JSON text without white space. Members keep their order; numbers keep
/// their value as `f64`, or exactly if they fit 64 bits. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OpenObject(Arc<RawValue>);

impl OpenObject {
    /// `None` if the text is not one JSON object.
    pub fn from_json(json: String) -> Option<Self> {
        RawValue::from_string(json).ok().and_then(Self::from_raw)
    }

    /// The JSON text.
    pub fn json(&self) -> &str {
        self.0.get()
    }

    fn from_raw(raw: Box<RawValue>) -> Option<Self> {
        raw.get().starts_with('{').then(|| Self(raw.into()))
    }
}

impl PartialEq for OpenObject {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl Eq for OpenObject {}

impl Serialize for OpenObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for OpenObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_raw(raw).ok_or_else(|| D::Error::custom("expected an object"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn number(value: f64, json: &str) {
        let number = Number::new(value).unwrap();
        assert_eq!(serde_json::to_string(&number).unwrap(), json);
        assert_eq!(serde_json::from_str::<Number>(json).unwrap(), number);
    }

    #[test]
    fn numbers_are_written_with_the_value_they_have_and_no_more() {
        number(100.0, "100");
        number(49.99, "49.99");
        number(-0.0, "0");
        number(-3.0, "-3");
        number(0.1 + 0.2, "0.30000000000000004");
        number(9_007_199_254_740_993.0, "9007199254740992");
        assert!(
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY]
                .iter()
                .all(|v| Number::new(*v).is_none())
        );
        assert!(Number::from(2) > Number::ZERO);
    }

    #[test]
    fn huge_numbers_survive_being_written() {
        for value in [9.2e18, 1e19, 1.5e19, 1e300, f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            let json = serde_json::to_string(&Number(value)).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&json).unwrap(), Number(value), "{json}");
            assert!(!json.ends_with(".0"), "{json}");
        }
    }

    #[test]
    fn timestamps_are_read_back_as_they_were_written() {
        for (seconds, json) in [
            (0, "1970-01-01T00:00:00"),
            (951_782_399, "2000-02-28T23:59:59"),
            (i64::MIN, "0000-01-01T00:00:00"),
            (i64::MAX, "9999-12-31T23:59:59"),
        ] {
            let at = Timestamp::from_unix(seconds);
            assert_eq!(serde_json::to_string(&at).unwrap(), format!("{json:?}"));
            assert_eq!(serde_json::from_str::<Timestamp>(&format!("{json:?}")).unwrap(), at);
        }
        for wrong in [
            "",
            "1970-01-01",
            "1970-01-01T00:00:00Z",
            "1970-01-01T24:00:00",
            "1970-01-01T00:00:60",
            "1970-01-01t00:00:00",
        ] {
            assert_eq!(Timestamp::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_date_is_a_day_that_there_is() {
        for right in ["2024-02-29", "0001-01-01", "9999-12-31"] {
            let date = Date::parse(right).unwrap();
            assert_eq!(serde_json::to_string(&date).unwrap(), format!("{right:?}"));
            assert_eq!(serde_json::from_str::<Date>(&format!("{right:?}")).unwrap(), date);
        }
        for wrong in [
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "0000-01-01",
            "2024-2-29",
            "+024-02-29",
            "２０２４-01-01",
            "2024-01-01 ",
            "",
        ] {
            assert_eq!(Date::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_open_object_keeps_its_text() {
        let text = r#"{"b":1.50,"a":{"x":[12345678901234567890123]}}"#;
        let open = OpenObject::from_json(text.to_owned()).unwrap();
        assert_eq!(serde_json::to_string(&open).unwrap(), text);
        assert_eq!(serde_json::from_str::<OpenObject>(text).unwrap(), open);
        assert!(OpenObject::from_json("[]".to_owned()).is_none());
        assert!(OpenObject::from_json("{} {}".to_owned()).is_none());
        assert!(serde_json::from_str::<OpenObject>("3").is_err());
    }
}
