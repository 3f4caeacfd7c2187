//! What a client says that it can unpack: `Accept-Encoding`, RFC 9110 §12.5.3.

use http::HeaderMap;
use http::header::ACCEPT_ENCODING;

/// How the bytes of a document are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// As they are.
    Identity,
    /// Compressed.
    Gzip,
}

/// The coding that a client likes best; nothing where it refuses both. Who says nothing gets what anybody can read; of what
/// is liked alike, the shorter is sent.
pub(super) fn coding(headers: &HeaderMap) -> Option<Coding> {
    let mut accepted = Accepted::default();
    let lines = headers.get_all(ACCEPT_ENCODING).iter();
    let lines = lines.filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(','))
        .for_each(|item| accepted.add(item));
    let gzip = accepted.gzip.or(accepted.others).unwrap_or(NOT_AT_ALL);
    // Who does not speak of it takes it where nothing better is had.
    let identity = accepted.identity.or(accepted.others);
    match identity {
        None if gzip == NOT_AT_ALL => Some(Coding::Identity),
        Some(NOT_AT_ALL) if gzip == NOT_AT_ALL => None,
        Some(identity) if identity > gzip => Some(Coding::Identity),
        _ => Some(Coding::Gzip),
    }
}

/// Thousandths, as weights have at most three digits (RFC 9110 §12.4.2).
type Weight = u16;

const NOT_AT_ALL: Weight = 0;
const FULLY: Weight = 1_000;

#[derive(Default)]
struct Accepted {
    gzip: Option<Weight>,
    identity: Option<Weight>,
    others: Option<Weight>,
}

impl Accepted {
    /// An item such as `gzip;q=0.5`; one that is not in order is as if it were not there.
    fn add(&mut self, item: &str) {
        let (coding, weight) = item.split_once(';').unwrap_or((item, "q=1"));
        let coding = coding.trim().to_ascii_lowercase();
        let place = match coding.as_str() {
            "gzip" | "x-gzip" => &mut self.gzip,
            "identity" => &mut self.identity,
            "*" => &mut self.others,
            _ => return,
        };
        if let Some(weight) = weight_of(weight.trim()) {
            *place = Some(weight);
        }
    }
}

/// `q=0.5`
fn weight_of(text: &str) -> Option<Weight> {
    let value = text
        .strip_prefix(['q', 'Q'])?
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let is_number = fraction.len() <= 3 && fraction.bytes().all(|digit| digit.is_ascii_digit());
    let thousandths: Weight = format!("{fraction:0<3}").parse().ok().filter(|_| is_number)?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(FULLY),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[track_caller]
    fn check(accepted: &[&str], expected: Option<Coding>) {
        let mut headers = HeaderMap::new();
        for line in accepted {
            headers.append(ACCEPT_ENCODING, HeaderValue::from_str(line).expect("a value"));
        }
        assert_eq!(coding(&headers), expected, "{accepted:?}");
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for line in [
            "gzip",
            "gzip, deflate, br, zstd",
            "br,GZIP",
            "x-gzip",
            "*",
            "gzip;q=0.001",
            "gzip; q=1.000",
        ] {
            check(&[line], Some(Coding::Gzip));
        }
        check(&["br", "gzip"], Some(Coding::Gzip));
        check(&["identity;q=0.5, gzip;q=0.5"], Some(Coding::Gzip));
        check(&["identity;q=0, gzip;q=0.1"], Some(Coding::Gzip));
        check(&["*;q=0, gzip"], Some(Coding::Gzip));
        check(&["br, *;q=0.5"], Some(Coding::Gzip));
    }

    #[test]
    fn what_is_not_compressed_is_sent_to_all_others() {
        check(&[], Some(Coding::Identity));
        for line in [
            "",
            "identity",
            "br",
            "gzip;q=0",
            "gzip;q=0.000, *",
            "*;q=0, identity",
            "gzip;q=0.5, identity;q=0.6",
            "gzip;q=0.3, *;q=0.5",
        ] {
            check(&[line], Some(Coding::Identity));
        }
    }

    #[test]
    fn who_takes_neither_gets_neither() {
        for line in [
            "*;q=0",
            "identity;q=0",
            "br, identity;q=0",
            "gzip;q=0, identity;q=0",
            "gzip;q=0, *;q=0.0",
        ] {
            check(&[line], None);
        }
    }

    #[test]
    fn what_is_not_in_order_says_nothing() {
        for line in [
            "gzip;q=2",
            "gzip;q=0.1234",
            "gzip;q=",
            "gzip;q=-1",
            "gzip;q=+0.5",
            "gzip;v=1",
            "gzip;q=1.001",
            ";q=1",
            ",,",
        ] {
            check(&[line], Some(Coding::Identity));
        }
    }
}
