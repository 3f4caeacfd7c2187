//! Mutants of quotas.

use super::Catalogue;
use crate::effects::Filling;
use crate::mutants::layer::{Call, is_success};
use crate::verdict::quota_values;
use codegen::model::Quota;
use codegen::step::Step;
use std::sync::atomic::Ordering;

const KIND: &str = "quota";

pub(super) fn add(of: &mut Catalogue<'_>) {
    let operation = of.operation;
    let is_long = |quota: &Quota| Filling::for_operation(operation, quota).is_none_or(|filling| filling.is_long());
    for quota in operation.quotas.iter().copied().filter(|quota| !is_long(quota)) {
        of.add(KIND, &quota.name, "does not hold it", |call| {
            let response = call.pass();
            let is_of_it = call.is_error(&response, Step::Quota)
                && String::from_utf8_lossy(&response.body).contains(quota.noun.as_str());
            if is_of_it { call.donor() } else { response }
        });
    }
    let Some(quota) = operation.quota else { return };
    exact(of, quota);
    of.add(KIND, &quota.name, "does not hold it in a race", |call| {
        let is_race = |call: &Call<'_>| call.layer.under_way.load(Ordering::SeqCst) > 1;
        let before = is_race(call);
        let response = call.pass();
        if call.is_error(&response, Step::Quota) && (before || is_race(call)) {
            call.donor()
        } else {
            response
        }
    });
}

/// The number of resources is exact.
fn exact(of: &mut Catalogue<'_>, quota: &'static Quota) {
    let whose = |call: &Call<'_>| format!("{:?} {:?}", call.request.headers, call.request.target);
    let error = of.contract.error(Step::Quota);
    let values = quota_values(quota);
    of.add(
        KIND,
        &quota.name,
        "rejects the last one that there may be",
        move |call| {
            let held = i64::try_from(call.layer.world.quota_usage(&quota.name)).unwrap_or_default();
            let most = i64::try_from(quota.max).unwrap_or(i64::MAX);
            let probe = call.probe();
            if !call.is_error(&probe, Step::Decode) || call.layer.count(&whose(call), 0) + held + 1 < most {
                let response = call.pass();
                if is_success(&response) {
                    call.layer.count(&whose(call), 1);
                }
                return response;
            }
            call.wrong(call.error_response(&probe, error, &values))
        },
    );
    of.add(KIND, &quota.name, "lets one more through", move |call| {
        let response = call.pass();
        if call.is_error(&response, Step::Quota) && call.layer.count(&whose(call), 1) == 1 {
            call.donor()
        } else {
            response
        }
    });
}
