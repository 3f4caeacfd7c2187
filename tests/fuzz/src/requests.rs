//! The parts of a request. The first byte selects the service, the second the operation, and the others are the part.

use bytes::Bytes;
use codegen_support::text::query_decode;
use codegen_support::{IdempotencyKey, NOT_ACCEPTED, credential_problem};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use http::{HeaderMap, HeaderValue, Method};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::request::{Credential, Operation};
use crate::services::{Service, with_service};

/// Calls one of the operations that are `meant`.
fn with_operation(bytes: &[u8], meant: fn(&Operation) -> bool, call: impl FnOnce(&Service, &Operation, &[u8])) {
    let [service, operation, rest @ ..] = bytes else { return };
    with_service(*service, |service| {
        let operations: Vec<&Operation> = service.operations.iter().filter(|one| meant(one)).collect();
        call(service, operations[usize::from(*operation) % operations.len()], rest);
    });
}

/// The query of a GET. A text that is encoded is decoded as it was.
pub(crate) fn query(bytes: &[u8]) {
    with_operation(
        bytes,
        |one| one.method == Method::GET,
        |service, operation, query| {
            let target = [operation.path.as_bytes(), b"?", query].concat();
            if let Some(request) = operation.request(target, None, b"") {
                service.answer(request);
            }
            if let Ok(text) = str::from_utf8(query) {
                let encoded = utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
                assert_eq!(query_decode(&encoded).as_deref(), Some(text));
            }
        },
    );
}

/// The path and the query, with the method and the credential of an operation.
pub(crate) fn path(bytes: &[u8]) {
    with_operation(
        bytes,
        |_| true,
        |service, operation, path| {
            let target = [b"/", path].concat();
            if let Some(request) = operation.request(target, None, b"{}") {
                service.answer(request);
            }
        },
    );
}

/// Lines of headers, an empty line and a body. A key is read from both of its forms.
pub(crate) fn header(bytes: &[u8]) {
    with_operation(
        bytes,
        |_| true,
        |service, operation, text| {
            let mut lines = text.split(|byte| *byte == b'\n');
            let head: Vec<&[u8]> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
            let body = lines.collect::<Vec<_>>().join(&b'\n');
            let Some(mut request) = operation.request(operation.path.clone(), None, &body) else {
                return;
            };
            for (name, value) in head.into_iter().filter_map(field) {
                match name {
                    // A client of one connection sends these once, and a body of this length.
                    CONTENT_LENGTH => {}
                    CONTENT_TYPE => drop(request.headers_mut().insert(name, value)),
                    _ => {
                        is_read_from_both_forms(value.as_bytes());
                        request.headers_mut().append(name, value);
                    }
                }
            }
            service.answer(request);
        },
    );
}

fn field(line: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let name = HeaderName::from_bytes(&line[..colon]).ok()?;
    let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
    Some((name, value))
}

fn is_read_from_both_forms(key: &[u8]) {
    let Some(parsed) = IdempotencyKey::parse(key) else {
        return;
    };
    if key.starts_with(b"\"") {
        return;
    }
    let escaped = key.iter().flat_map(|byte| match byte {
        b'"' | b'\\' => vec![b'\\', *byte],
        _ => vec![*byte],
    });
    let quoted: Vec<u8> = [b'"'].into_iter().chain(escaped).chain([b'"']).collect();
    assert_eq!(IdempotencyKey::parse(&quoted), Some(parsed));
}

/// A body. What is no JSON is not accepted.
pub(crate) fn body(bytes: &[u8]) {
    with_operation(
        bytes,
        |one| one.has_body,
        |service, operation, body| {
            let Some(request) = operation.request(operation.path.clone(), None, body) else {
                return;
            };
            let answer = service.answer(request);
            let is_json = serde_json::from_slice::<&serde_json::value::RawValue>(body).is_ok();
            assert!(
                is_json || answer.status >= 400,
                "accepted: {}",
                String::from_utf8_lossy(body)
            );
        },
    );
}

/// The value of a credential's header. Only the credential itself is accepted, and an error tells its form only.
pub(crate) fn credential(bytes: &[u8]) {
    let is_meant = |one: &Operation| one.method == Method::GET && one.credential.is_some();
    with_operation(bytes, is_meant, |service, operation, presented| {
        let (Ok(value), Some(known)) = (HeaderValue::from_bytes(presented), &operation.credential) else {
            return;
        };
        let mut headers = HeaderMap::new();
        headers.insert(&known.header, value.clone());
        let prefixes: Vec<&str> = known.prefixes.iter().map(String::as_str).collect();
        let problem = credential_problem(&headers, &known.header, Some((&prefixes, known.random)));
        assert_eq!(
            problem == NOT_ACCEPTED,
            has_form(known, presented),
            "{value:?}: {problem}"
        );
        let is_known = value == known.secret;
        if let Some(request) = operation.request(operation.path.clone(), Some(value), b"") {
            assert_eq!(service.answer(request).status == 401, !is_known, "{presented:?}");
        }
    });
}

fn has_form(known: &Credential, presented: &[u8]) -> bool {
    let mut rests = known
        .prefixes
        .iter()
        .filter_map(|prefix| presented.strip_prefix(prefix.as_bytes()));
    rests.any(|rest| rest.len() == known.random && rest.iter().all(u8::is_ascii_alphanumeric))
}

/// A request to the tools: the second byte selects the era of the protocol, in the newer of which headers repeat parts of
/// the body.
pub(crate) fn mcp(bytes: &[u8]) {
    let [service, era, body @ ..] = bytes else { return };
    with_service(*service, |service| {
        let Some(mut request) = service
            .tools
            .request(Bytes::from(service.tools.path.clone()), None, body)
        else {
            return;
        };
        if era.is_multiple_of(2) {
            let headers = request.headers_mut();
            headers.insert("mcp-protocol-version", HeaderValue::from_static("2026-07-28"));
            let sent: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
            for (name, member) in [("mcp-method", &sent["method"]), ("mcp-name", &sent["params"]["name"])] {
                if let Some(value) = member.as_str().and_then(|text| HeaderValue::from_str(text).ok()) {
                    headers.insert(name, value);
                }
            }
        }
        service.answer(request);
    });
}
