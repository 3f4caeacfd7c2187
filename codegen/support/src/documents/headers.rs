//! The headers of documents and pages.

use super::accepted::Coding;
use super::{Document, DocumentResponse, Kind};
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, HeaderName, LINK, LOCATION, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderValue, StatusCode};

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const SAME_ORIGIN: &str = "same-origin";

/// A page cannot be framed, shares no window, sends no referrer, and needs no permissions of the browser.
const OF_PAGES: [(HeaderName, &str); 5] = [
    (REFERRER_POLICY, "no-referrer"),
    (X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), SAME_ORIGIN),
    (RESOURCE_POLICY, SAME_ORIGIN),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// The headers of every response, including errors.
pub(super) fn of_every(response: &mut DocumentResponse, kind: &Kind, links: &HeaderValue) {
    set(response, X_CONTENT_TYPE_OPTIONS, "nosniff");
    if !links.is_empty() {
        response.headers_mut().insert(LINK, links.clone());
    }
    match kind {
        // Viewers, editors and client generators in browsers load it from any origin. It is the same for all clients
        // and needs no credential.
        Kind::Document | Kind::Text => set(response, ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        Kind::Page { policy } => {
            set(response, CONTENT_SECURITY_POLICY, policy);
            for (name, value) in OF_PAGES {
                set(response, name, value);
            }
        }
        Kind::Part => set(response, RESOURCE_POLICY, SAME_ORIGIN),
    }
}

/// The headers of a document in this coding. If the client already has it, only those that keep it fresh are sent (RFC
/// 9110 §15.4.5).
pub(super) fn of_document(
    response: &mut DocumentResponse,
    document: &Document,
    coding: Coding,
    (etag, length): (&str, usize),
) {
    vary(response);
    if document.kind == Kind::Text {
        // `Host` is a part of the URI, which caches distinguish anyway.
        set(response, VARY, "Accept-Encoding, X-Forwarded-Proto");
    }
    if let Ok(etag) = HeaderValue::from_str(etag) {
        response.headers_mut().insert(ETAG, etag);
    }
    let caching = match document.kind {
        Kind::Document | Kind::Text | Kind::Page { .. } => "no-cache",
        Kind::Part => "public, max-age=31536000, immutable",
    };
    set(response, CACHE_CONTROL, caching);
    if response.status() == StatusCode::NOT_MODIFIED {
        return;
    }
    set(response, CONTENT_TYPE, document.media_type);
    if coding == Coding::Gzip {
        set(response, CONTENT_ENCODING, "gzip");
    }
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
}

/// The headers of an error response, which has a text.
pub(super) fn of_error(response: &mut DocumentResponse) {
    set(response, CACHE_CONTROL, "no-store");
    of_body(response, "text/plain; charset=utf-8");
}

/// The headers of the list of links.
pub(super) fn of_links(response: &mut DocumentResponse) {
    of_entrance(response);
    of_body(response, "application/json");
}

/// The headers of a redirect to a page.
pub(super) fn of_way(response: &mut DocumentResponse, address: &str) {
    of_entrance(response);
    // Of a path of the contract, which has no characters that a header may not have.
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(LOCATION, address);
    }
    response.headers_mut().insert(CONTENT_LENGTH, 0.into());
}

fn of_entrance(response: &mut DocumentResponse) {
    set(response, VARY, "Accept");
    set(response, CACHE_CONTROL, "no-cache");
}

fn of_body(response: &mut DocumentResponse, media_type: &'static str) {
    set(response, CONTENT_TYPE, media_type);
    let length = response.body().len();
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
}

/// Sets `Vary`, which names the request headers that affect the response.
pub(super) fn vary(response: &mut DocumentResponse) {
    set(response, VARY, "Accept-Encoding");
}

/// The value of `Link`, for all linked documents: `</a>; rel="service-doc", …`.
pub(super) fn links(documents: &[&Document]) -> HeaderValue {
    let links = documents.iter().filter_map(|one| {
        let relation = one.relation?;
        Some(format!("<{}>; rel=\"{relation}\"", one.path))
    });
    let links = links.collect::<Vec<_>>().join(", ");
    HeaderValue::from_str(&links).unwrap_or(HeaderValue::from_static(""))
}

fn set(response: &mut DocumentResponse, name: HeaderName, value: &'static str) {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
}
