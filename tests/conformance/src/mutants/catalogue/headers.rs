//! Mutants of the headers that successes declare.

use super::Catalogue;
use super::envelopes::{of_one, set_header, without_header};
use crate::mutants::layer::{Call, is_success};
use crate::world::Response;
use codegen::model::ResponseHeader;

const KIND: &str = "declared header";

pub(super) fn add(of: &mut Catalogue<'_>) {
    for header in &of.operation.declared.headers {
        let name = header.name.as_str();
        let change = |of: &mut Catalogue<'_>, sentence: &'static str, change: fn(&mut Response, &'static str)| {
            of.add(KIND, name, sentence, move |call| {
                of_one(call, is_success, &|response| change(response, name))
            });
        };
        change(of, "leaves it out", without_header);
        change(of, "gives it twice", |response, name| {
            let mut headers = response.headers.iter();
            let again = headers.find(|(known, _)| known.eq_ignore_ascii_case(name)).cloned();
            response.headers.extend(again);
        });
        change(of, "leaves it empty", |response, name| set_header(response, name, ""));
        if header.can_be_absent() {
            change(of, "gives it where there is no value", |response, name| {
                if response.header(name).is_none() {
                    response.headers.push((name.to_lowercase(), "null".to_owned()));
                }
            });
        }
        in_repetitions(of, name);
        other_value(of, header);
    }
}

/// The first response has it, and its repetitions for the same idempotency key do not.
fn in_repetitions(of: &mut Catalogue<'_>, name: &'static str) {
    let keys = of.contract.model.idempotency.as_ref();
    let Some(keys) = keys.filter(|_| of.operation.declared.replays()) else {
        return;
    };
    of.add(KIND, name, "leaves it out of a repetition", move |call| {
        of_one(call, is_success, &|response| {
            if response.header(&keys.replayed).is_some() {
                without_header(response, name);
            }
        })
    });
}

fn other_value(of: &mut Catalogue<'_>, header: &'static ResponseHeader) {
    let name = header.name.as_str();
    let number = |response: &Response| response.header(name).and_then(|value| value.parse::<i64>().ok());
    if header.is_total() {
        for by in [1, -1] {
            of.add(KIND, name, format!("is off by {by}"), move |call| {
                of_one(call, is_success, &|response| {
                    if let Some(number) = number(response) {
                        set_header(response, name, &(number + by).max(0).to_string());
                    }
                })
            });
        }
        return;
    }
    of.add(KIND, name, "shows another value", move |call| {
        of_one(call, is_success, &|response| {
            let other = response.header(name).map(|value| format!("{value}1"));
            set_header(response, name, &other.unwrap_or_default());
        })
    });
    of.add(
        KIND,
        name,
        "shows that of the first response",
        move |call: &Call<'_>| {
            of_one(call, is_success, &|response| {
                if let Some(value) = response.header(name) {
                    let first = call.layer.first(name, value);
                    set_header(response, name, &first);
                }
            })
        },
    );
}
