//! Mutants of the bound on the bytes of responses to a caller.

use super::LIMIT;
use crate::limits::{has_other_credentials, reachable_response_bytes};
use crate::mutants::catalogue::Catalogue;
use crate::mutants::layer::{Call, headers};
use codegen::step::Step;

pub(super) fn add(of: &mut Catalogue<'_>) {
    let operation = of.operation;
    let Some(bytes) =
        reachable_response_bytes(operation).filter(|_| of.is_first(|one| reachable_response_bytes(one).is_some()))
    else {
        return;
    };
    of.add_limit(LIMIT, "response_bytes", "is sent any number of bytes", |call| {
        let response = call.pass();
        if call.is_error(&response, Step::ResponseBytes) {
            call.donor()
        } else {
            response
        }
    });
    of.add_limit(LIMIT, "response_bytes", "is rejected after half of them", move |call| {
        let response = call.pass();
        let Some(key) = key(call, bytes.window_seconds) else {
            return response;
        };
        let before = call.layer.count(&key, 0);
        call.layer.count(&key, i64::try_from(response.body.len()).unwrap_or(0));
        if before < i64::from(bytes.max / 2) || call.is_error(&response, Step::ResponseBytes) {
            return response;
        }
        let error = call.layer.contract.error(Step::ResponseBytes);
        let values = [("max", bytes.max.to_string()), ("seconds", "1".to_owned())];
        call.wrong(call.error_response(&response, error, &values))
    });
    if has_other_credentials(operation) {
        of.add_limit(
            LIMIT,
            "response_bytes",
            "counts each credential for itself alone",
            move |call| {
                let response = call.pass();
                let Some(key) = key(call, bytes.window_seconds) else {
                    return response;
                };
                let sent = call.layer.count(&key, i64::try_from(response.body.len()).unwrap_or(0));
                if call.is_error(&response, Step::ResponseBytes) && sent < i64::from(bytes.max) {
                    return call.donor();
                }
                response
            },
        );
    }
}

/// The credential of a call in the present window.
fn key(call: &Call<'_>, window_seconds: u32) -> Option<String> {
    let (now, service) = call.limited?;
    let window = now / (u64::from(window_seconds) * 1000);
    let secret = call.called?.credential.map(|kind| headers(call.request, &kind.header));
    Some(format!("bytes {service} {window} {secret:?}"))
}
