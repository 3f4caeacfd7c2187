//! The limit on failed credentials, counting otherwise.

use super::LIMIT;
use crate::contract::{Counts, Step};
use crate::mutants::catalogue::Catalogue;
use crate::mutants::layer::Call;

pub(super) fn add(of: &mut Catalogue<'_>) {
    let Some(limit) = of
        .contract
        .limits
        .iter()
        .find(|limit| limit.counts == Counts::FailedCredentials)
    else {
        return;
    };
    let credential = of.contract.row(Step::Credential);
    let guessing = of.contract.row(Step::CredentialLimit);
    let whose = move |call: &Call<'_>| {
        let (now, front) = call.limited?;
        let window = now / (u64::from(limit.window_seconds) * 1000);
        Some(format!("{front} {window} {:?}", call.request.peer))
    };
    let header = move |call: &Call<'_>| {
        let kind = call.called.and_then(|called| called.credential);
        vec![("header", kind.map_or("", |kind| kind.header).to_owned())]
    };
    of.add_limit(LIMIT, limit.name, "lets one guess more through", move |call| {
        let response = call.pass();
        match whose(call).filter(|_| call.is_row(&response, Step::CredentialLimit)) {
            Some(whose) if call.layer.count(&whose, 1) == 1 => {
                call.wrong(call.refusal(&response, credential, &header(call)))
            }
            _ => response,
        }
    });
    of.add_limit(LIMIT, limit.name, "refuses the last guess", move |call| {
        let response = call.pass();
        match whose(call).filter(|_| call.is_row(&response, Step::Credential)) {
            Some(whose) if call.layer.count(&whose, 1) >= i64::from(limit.max) => {
                call.wrong(call.refusal(&response, guessing, &[("seconds", "1".to_owned())]))
            }
            _ => response,
        }
    });
    of.add_limit(
        LIMIT,
        limit.name,
        "refuses the right credential after too many guesses",
        move |call| {
            let response = call.pass();
            let Some(whose) = whose(call) else { return response };
            if call.is_row(&response, Step::CredentialLimit) {
                call.layer.count(&whose, 1);
            } else if call.layer.count(&whose, 0) > 0 {
                return call.wrong(call.refusal(&response, guessing, &[("seconds", "1".to_owned())]));
            }
            response
        },
    );
    of.add_limit(LIMIT, limit.name, "counts all addresses together", move |call| {
        if call.limited.is_none() || call.request.peer.is_none() {
            return call.pass();
        }
        let peer = Some(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));
        call.wrong(call.send(&crate::world::Request {
            peer,
            ..call.request.clone()
        }))
    });
    of.add_limit(LIMIT, limit.name, "is not there", move |call| {
        let response = call.pass();
        if call.is_row(&response, Step::CredentialLimit) {
            return call.wrong(call.refusal(&response, credential, &header(call)));
        }
        response
    });
}
