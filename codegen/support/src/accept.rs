//! The headers `Accept` and `Accept-Encoding`: what a client accepts, with weights (RFC 9110 §12.5).

use http::HeaderMap;
use http::header::{ACCEPT, HeaderName};

/// A weight in thousandths: weights have at most three digits (RFC 9110 §12.4.2).
pub type Weight = u16;

/// The weight of what the client does not accept.
pub const NOT_AT_ALL: Weight = 0;
const FULLY: Weight = 1_000;

/// One item of these headers, in lower case.
#[derive(Debug)]
pub struct Item {
    /// A media range or a coding.
    pub name: String,
    /// Its weight.
    pub weight: Weight,
    parameters: Vec<(String, String)>,
}

impl Item {
    /// The value of this parameter, without quotes.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let mut parameters = self.parameters.iter();
        parameters.find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    /// `None` if the weight is malformed.
    fn read(text: &str) -> Option<Item> {
        let text = text.to_ascii_lowercase();
        let mut parts = text.split(';').map(str::trim);
        let name = parts.next()?.to_owned();
        let parameters = parts.map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (
                name.trim_end().to_owned(),
                value.trim_start().trim_matches('"').to_owned(),
            )
        });
        let mut item = Item {
            name,
            weight: FULLY,
            parameters: parameters.collect(),
        };
        if let Some(weight) = item.parameter("q") {
            item.weight = weight_of(weight)?;
        }
        Some(item)
    }
}

/// The items of all lines of this header. Malformed items are ignored.
pub fn items(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = Item> {
    let lines = headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).filter_map(Item::read)
}

/// The highest weight that `Accept` gives a matching media range.
pub fn weight_of_media(headers: &HeaderMap, is_meant: impl Fn(&Item) -> bool) -> Weight {
    let meant = items(headers, ACCEPT).filter(is_meant);
    meant.map(|range| range.weight).max().unwrap_or(NOT_AT_ALL)
}

/// `0.5`
fn weight_of(value: &str) -> Option<Weight> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let is_number = fraction.len() <= 3 && fraction.bytes().all(|digit| digit.is_ascii_digit());
    let thousandths: Weight = format!("{fraction:0<3}").parse().ok().filter(|_| is_number)?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(FULLY),
        _ => None,
    }
}
