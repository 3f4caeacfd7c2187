//! Content negotiation: which form of a document a client accepts.

use crate::accept::{NOT_AT_ALL, Weight, items, weight_of_media};
use http::HeaderMap;
use http::header::ACCEPT_ENCODING;

/// The content coding of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// Uncompressed.
    Identity,
    /// Compressed.
    Gzip,
}

/// The coding with the highest weight; `None` if the client rejects both. Without a header it is identity; with equal
/// weights, it is gzip.
pub(super) fn coding(headers: &HeaderMap) -> Option<Coding> {
    let mut accepted = Accepted::default();
    for item in items(headers, ACCEPT_ENCODING) {
        accepted.add(&item.name, item.weight);
    }
    let gzip = accepted.gzip.or(accepted.others).unwrap_or(NOT_AT_ALL);
    // If the header does not name identity, it is used when nothing better is accepted.
    let identity = accepted.identity.or(accepted.others);
    match identity {
        None if gzip == NOT_AT_ALL => Some(Coding::Identity),
        Some(NOT_AT_ALL) if gzip == NOT_AT_ALL => None,
        Some(identity) if identity > gzip => Some(Coding::Identity),
        _ => Some(Coding::Gzip),
    }
}

/// Whether the client is a browser: it names HTML, and gives JSON no higher weight.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let weight_of = |media_type| weight_of_media(headers, |range| range.name == media_type);
    let page = weight_of("text/html");
    page > NOT_AT_ALL && page >= weight_of("application/json")
}

#[derive(Default)]
struct Accepted {
    gzip: Option<Weight>,
    identity: Option<Weight>,
    others: Option<Weight>,
}

impl Accepted {
    fn add(&mut self, coding: &str, weight: Weight) {
        let place = match coding {
            "gzip" | "x-gzip" => &mut self.gzip,
            "identity" => &mut self.identity,
            "*" => &mut self.others,
            _ => return,
        };
        *place = Some(weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use http::header::ACCEPT;

    #[track_caller]
    fn check(accepted: &[&str], expected: Option<Coding>) {
        let mut headers = HeaderMap::new();
        for line in accepted {
            headers.append(ACCEPT_ENCODING, HeaderValue::from_str(line).expect("a value"));
        }
        assert_eq!(coding(&headers), expected, "{accepted:?}");
    }

    #[test]
    fn a_browser_wants_a_page_and_a_program_does_not() {
        let check = |accepted: &str, expected: bool| {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_str(accepted).expect("a value"))]);
            assert_eq!(wants_page(&headers), expected, "{accepted}");
        };
        for browser in [
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "TEXT/HTML; charset=utf-8; Q=0.5",
            "application/json;q=0.4, text/html;q=0.5",
            "application/json, text/html",
        ] {
            check(browser, true);
        }
        for program in [
            "*/*",
            "application/json",
            "application/json, text/html;q=0.9",
            "text/html;q=0, */*",
            "text/html;q=x",
            "text/*",
            "",
        ] {
            check(program, false);
        }
        assert!(!wants_page(&HeaderMap::new()));
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
            "gzip;q=1.001",
            ";q=1",
            ",,",
        ] {
            check(&[line], Some(Coding::Identity));
        }
    }
}
