//! Mutants that find resources which do not exist or belong to another parent or owner.

use super::{KIND, skip};
use crate::contract::Exists;
use crate::mutants::catalogue::Catalogue;
use crate::mutants::layer::{Call, id_of};
use crate::world::Response;
use codegen::step::Step;

pub(super) fn add(of: &mut Catalogue<'_>) {
    for exists in &of.operation.exists {
        found(of, exists);
        if exists.is_in_path() {
            malformed(of, exists);
        }
    }
}

/// Whether it was made by the suite.
fn is_made(call: &Call<'_>, exists: &Exists) -> bool {
    let id = id_of(call.operation, call.request, exists);
    id.is_some_and(|id| call.layer.registry.owner(&exists.resource.name, id).is_some())
}

fn found(of: &mut Catalogue<'_>, exists: &'static Exists) {
    let error = of.contract.error(Step::Exists);
    let about = move |response: &Response| {
        !error.text.placeholders().contains(&"noun")
            || String::from_utf8_lossy(&response.body).contains(&exists.resource.noun)
    };
    of.add(
        KIND,
        &*exists.resource.name,
        "finds what does not exist",
        skip(error, move |call, response| about(response) && !is_made(call, exists)),
    );
    of.add(
        KIND,
        &*exists.resource.name,
        "finds what does not exist, of an id below 1",
        skip(error, move |call, response| {
            about(response) && id_of(call.operation, call.request, exists).is_some_and(|id| id < 1)
        }),
    );
    if exists.within.is_some() || (exists.resource.private && of.operation.owns(exists.resource)) {
        of.add(
            KIND,
            &*exists.resource.name,
            "finds what is another one's",
            skip(error, move |call, response| about(response) && is_made(call, exists)),
        );
    }
}

fn malformed(of: &mut Catalogue<'_>, exists: &'static Exists) {
    let sentence = "takes an integer that is too long for malformed";
    of.add(KIND, &*exists.resource.name, sentence, move |call| {
        let response = call.pass();
        let is_short = id_of(call.operation, call.request, exists).is_some();
        if !call.is_error(&response, Step::Exists) || is_short {
            return response;
        }
        let faults = format!("`{}` is no integer", exists.id_name());
        let error = call.layer.contract.error(Step::Decode);
        call.wrong(call.error_response(&response, error, &[("faults", faults)]))
    });
}
