//! Resources that do not exist, or are another one's, and are found all the same.

use super::{KIND, skip};
use crate::contract::Step;
use crate::mutants::catalogue::Catalogue;
use crate::mutants::layer::{Call, parameters};
use crate::world::Response;

pub(super) fn add(of: &mut Catalogue<'_>) {
    let row = of.contract.row(if of.operation.exists.is_empty() {
        Step::Decode
    } else {
        Step::Exists
    });
    for exists in of.operation.exists {
        let about = move |response: &Response| {
            let text = String::from_utf8_lossy(&response.body).into_owned();
            row.text.contains("{noun}") && text.contains(exists.noun) || !row.text.contains("{noun}")
        };
        let id = move |call: &Call<'_>| {
            let found = parameters(call.operation, call.request)
                .into_iter()
                .find(|(name, _)| *name == exists.id);
            found
                .and_then(|(_, id)| id.parse::<i64>().ok())
                .filter(|_| exists.in_path)
                .or_else(|| {
                    let body: serde_json::Value = serde_json::from_slice(call.request.body.as_deref()?).ok()?;
                    body.get(exists.id)?.as_i64()
                })
        };
        let is_made =
            move |call: &Call<'_>| id(call).is_some_and(|id| call.layer.made.owner(exists.resource, id).is_some());
        of.add(
            KIND,
            exists.resource,
            "finds what does not exist",
            skip(row, move |call, response| about(response) && !is_made(call)),
        );
        of.add(
            KIND,
            exists.resource,
            "finds what does not exist, of an id below 1",
            skip(row, move |call, response| {
                about(response) && id(call).is_some_and(|id| id < 1)
            }),
        );
        if exists.in_path {
            of.add(
                KIND,
                exists.resource,
                "takes an integer that is too long for malformed",
                move |call| {
                    let response = call.pass();
                    if !call.is_row(&response, Step::Exists) || id(call).is_some() {
                        return response;
                    }
                    let faults = format!("`{}` is no integer", exists.id);
                    call.wrong(call.refusal(&response, call.layer.contract.row(Step::Decode), &[("faults", faults)]))
                },
            );
        }
        if exists.within.is_some() || (exists.private && of.operation.owned.contains(&exists.resource)) {
            of.add(
                KIND,
                exists.resource,
                "finds what is another one's",
                skip(row, move |call, response| about(response) && is_made(call)),
            );
        }
    }
}
