//! Mutants in which a request keeps its rights although they end while its body is being read.

use super::Catalogue;
use crate::mutants::layer::is_success;

pub(super) fn add(of: &mut Catalogue<'_>) {
    let is_covered = |what: &str| of.tests.iter().any(|test| test.name == what);
    if !is_covered("credential_ended_while_held") && !is_covered("caller_suspended_while_held") {
        return;
    }
    of.add("held", "credential", "rights are those at the first byte", |call| {
        if !call.is_held {
            return call.pass();
        }
        let early = call.layer.world.call(call.request);
        let late = call.pass();
        if is_success(&early) { call.wrong(early) } else { late }
    });
}
