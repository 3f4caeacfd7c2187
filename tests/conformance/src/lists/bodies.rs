//! The body that makes an item, and the stored values of its members.

use crate::attempt::Attempt;
use crate::lists::values::optional;
use crate::response_data::as_shown;
use crate::value::null;
use crate::world::RequestedResources;
use serde_json::Value as Json;

/// The request with a body of its own.
pub(crate) fn filled(attempt: Attempt, number: usize) -> Attempt {
    let Some(body) = attempt.operation.body else {
        return attempt;
    };
    let values = body.members().iter();
    let values = values.filter_map(|member| Some((member.name, optional(member, number)?)));
    values.fold(attempt.emptied(), |attempt, (name, value)| attempt.with(name, value))
}

/// The stored value of a member of the body.
pub(crate) fn stored_value(
    attempt: &Attempt,
    member: &str,
    otherwise: Option<&str>,
    arranged: &RequestedResources,
) -> Option<Json> {
    let sent = attempt.sent(member).filter(|sent| **sent != null());
    match sent {
        Some(sent) => {
            let json = sent.render(&|resource| arranged.id(resource).to_string());
            let value = serde_json::from_str(&json).expect("what is sent is JSON");
            Some(as_shown(value, attempt.type_at(member)))
        }
        None => serde_json::from_str(otherwise?).ok(),
    }
}
