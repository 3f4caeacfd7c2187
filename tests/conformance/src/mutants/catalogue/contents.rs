//! Mutants of answers that are files.

use super::Catalogue;
use super::envelopes::{set_header, without_header};
use crate::mutants::layer::{Call, is_success};
use crate::world::{Request, Response};

/// The headers of a file, with a wrong value.
const HEADERS: [(&str, &str); 7] = [
    ("etag", "\"another\""),
    ("accept-ranges", "none"),
    ("content-security-policy", "default-src *"),
    ("content-disposition", "inline"),
    ("content-type", "text/html"),
    ("content-range", "bytes 0-0/1"),
    ("cache-control", "public"),
];

pub(super) fn add(of: &mut Catalogue<'_>) {
    if of.operation.declared.content_of.is_none() {
        return;
    }
    let common = of.contract.model.headers.iter().map(|(name, _)| name.as_str());
    for name in common {
        of.add("file header", name, "leaves it out", move |call| {
            with_header(call, name, |response| without_header(response, name))
        });
    }
    for (name, wrong) in HEADERS {
        of.add("file header", name, "leaves it out", move |call| {
            with_header(call, name, |response| without_header(response, name))
        });
        of.add("file header", name, format!("says {wrong}"), move |call| {
            with_header(call, name, |response| set_header(response, name, wrong))
        });
    }
    of.add("file header", "etag", "is weak", |call| {
        with_header(call, "etag", |response| {
            let weak = format!("W/{}", response.header("etag").unwrap_or_default());
            set_header(response, "etag", &weak);
        })
    });
    for name in ["Range", "If-None-Match", "If-Range"] {
        of.add("file condition", name, "ignores it", move |call| without(call, name));
    }
    of.add("file condition", "Range", "ignores its end", |call| {
        with(call, "Range", |range| match range.split_once('-') {
            Some((first, last)) if !last.is_empty() && !first.ends_with('=') => format!("{first}-"),
            _ => range.to_owned(),
        })
    });
    of.add(
        "file condition",
        "If-None-Match",
        "takes any for the present one",
        |call| with(call, "If-None-Match", |_| "*".to_owned()),
    );
    of.add(
        "file condition",
        "If-None-Match",
        "compares weak ones only as they are",
        |call| match call
            .request
            .headers
            .iter()
            .any(|(name, value)| name == "If-None-Match" && value.starts_with("W/"))
        {
            true => without(call, "If-None-Match"),
            false => call.pass(),
        },
    );
    of.add("file content", "status", "says 200 for a part", |call| {
        changed(
            call,
            |response| response.status == 206,
            |response| response.status = 200,
        )
    });
    of.add(
        "file content",
        "range",
        "says 416 for a range that has no byte of it",
        |call| {
            let is_outside = |(name, value): &(String, String)| {
                name == "Range" && value.starts_with("bytes=") && {
                    let length = call.pass().body.len();
                    *value == format!("bytes={length}-")
                }
            };
            match call.request.headers.iter().any(is_outside) {
                true => changed(call, is_success, |response| response.status = 416),
                false => call.pass(),
            }
        },
    );
    of.add("file content", "body", "leaves out the last byte", |call| {
        changed(
            call,
            |response| !response.body.is_empty(),
            |response| response.body.truncate(response.body.len() - 1),
        )
    });
    of.add("file content", "body", "has other bytes", |call| {
        changed(
            call,
            |response| !response.body.is_empty(),
            |response| response.body[0] ^= 1,
        )
    });
    of.add("file content", "body", "sends what the client has", |call| {
        changed(
            call,
            |response| response.status == 304,
            |response| response.body = b"a file".to_vec(),
        )
    });
}

/// The success, changed if it has this header.
fn with_header(call: &Call<'_>, name: &str, change: impl FnOnce(&mut Response)) -> Response {
    changed(call, |response| response.header(name).is_some(), change)
}

/// The success, changed if it is such a one.
fn changed(call: &Call<'_>, is_one: impl FnOnce(&Response) -> bool, change: impl FnOnce(&mut Response)) -> Response {
    let mut response = call.pass();
    if !is_success(&response) || !is_one(&response) {
        return response;
    }
    change(&mut response);
    call.wrong(response)
}

/// The answer to the request without a header.
fn without(call: &Call<'_>, name: &str) -> Response {
    let mut request = call.request.clone();
    request.headers.retain(|(known, _)| known != name);
    other(call, &request)
}

/// The answer to the request with another value of a header.
fn with(call: &Call<'_>, name: &str, change: impl Fn(&str) -> String) -> Response {
    let mut request = call.request.clone();
    for (_, value) in request.headers.iter_mut().filter(|(known, _)| known == name) {
        *value = change(value);
    }
    other(call, &request)
}

/// The answer to another request, if it is another one.
fn other(call: &Call<'_>, request: &Request) -> Response {
    match request.headers == call.request.headers {
        true => call.pass(),
        false => call.wrong(call.send(request)),
    }
}
