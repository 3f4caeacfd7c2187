//! Compares bounds on the bytes of a body.

/// The rule of a changed bound, and its text.
pub(crate) fn bytes(old: u64, new: u64) -> (&'static str, String) {
    let rule = if new < old {
        "body-bytes-lowered"
    } else {
        "body-bytes-raised"
    };
    (rule, format!("a body can have at most {new} bytes, was {old}"))
}
