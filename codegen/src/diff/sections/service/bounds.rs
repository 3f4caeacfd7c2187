//! Compares bounds on the bytes of a body.

use crate::diff::output::Rule;

/// The rule of a changed bound, and its text.
pub(crate) fn bytes(old: u64, new: u64) -> (Rule, String) {
    let rule = if new < old {
        Rule::BodyBytesLowered
    } else {
        Rule::BodyBytesRaised
    };
    (rule, format!("a body can have at most {new} bytes, was {old}"))
}
