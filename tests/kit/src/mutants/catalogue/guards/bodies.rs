//! Bodies of another media type or of too many bytes, taken; and right ones refused.

use super::{KIND, header, skip};
use crate::contract::Step;
use crate::mutants::catalogue::Catalogue;
use crate::mutants::layer::Call;
use crate::world::Request;

pub(super) fn add(of: &mut Catalogue<'_>) {
    if of.operation.body.is_none() {
        return ignored_body(of);
    }
    media_types(of);
    sizes(of);
}

fn media_types(of: &mut Catalogue<'_>) {
    let row = of.contract.row(Step::MediaType);
    let types = |call: &Call<'_>| {
        header(call.request, "content-type")
            .iter()
            .map(|one| (*one).to_owned())
            .collect::<Vec<_>>()
    };
    of.add(
        KIND,
        row.name,
        "lets a body of no type through",
        skip(row, move |call, _| types(call).is_empty()),
    );
    of.add(
        KIND,
        row.name,
        "lets a type that stands twice through",
        skip(row, move |call, _| types(call).len() > 1),
    );
    of.add(
        KIND,
        row.name,
        "lets another charset through",
        skip(row, move |call, _| {
            types(call).iter().any(|one| one.contains("charset"))
        }),
    );
    of.add(
        KIND,
        row.name,
        "lets whatever begins like JSON through",
        skip(row, move |call, _| {
            types(call).iter().any(|one| one.starts_with("application/json"))
        }),
    );
    type IsSuch = fn(&str) -> bool;
    let forms: [(&str, IsSuch); 2] = [
        ("in capitals", |declared| {
            declared != declared.to_lowercase() && !declared.contains("charset")
        }),
        ("with its charset", |declared| declared.contains("charset")),
    ];
    for (form, is_it) in forms {
        let sentence = format!("refuses the media type {form}");
        of.add("accepted form refused", row.name, sentence, move |call| {
            if !types(call).iter().any(|declared| is_it(declared)) {
                return call.pass();
            }
            let probe = call.probe();
            let row = call.layer.contract.row(Step::MediaType);
            if call.is_row(&probe, Step::Decode) {
                call.wrong(call.refusal(&probe, row, &[]))
            } else {
                call.pass()
            }
        });
    }
}

fn ignored_body(of: &mut Catalogue<'_>) {
    of.add(
        "accepted form refused",
        "body",
        "reads a body that it does not take",
        |call| {
            if call.request.body.as_ref().is_none_or(Vec::is_empty) {
                return call.pass();
            }
            let probe = call.probe();
            if call.is_row(&probe, Step::Decode) {
                call.wrong(probe)
            } else {
                call.pass()
            }
        },
    );
}

fn sizes(of: &mut Catalogue<'_>) {
    let most = of.operation.max_bytes;
    let length = |call: &Call<'_>| call.request.body.as_ref().map_or(0, Vec::len);
    let row = of.contract.row(Step::BodySize);
    of.add("bound moved", "body", "takes a byte more", move |call| {
        let trimmed = call.request.body.as_ref().map(|body| body.trim_ascii_end().to_vec());
        let response = call.pass();
        if length(call) != most + 1 || !call.is_row(&response, Step::BodySize) {
            return response;
        }
        let request = Request {
            body: trimmed,
            ..call.request.clone()
        };
        call.wrong(call.send(&request))
    });
    of.add(
        "bound moved",
        "body",
        "refuses one of the most bytes that there may be",
        move |call| {
            if length(call) != most {
                return call.pass();
            }
            let probe = call.probe();
            if call.is_row(&probe, Step::Decode) {
                call.wrong(call.refusal(&probe, row, &[("max_bytes", most.to_string())]))
            } else {
                call.pass()
            }
        },
    );
}
