//! How many bytes a body may have.

/// The rule of another bound, and what it says.
pub(super) fn bytes(old: u64, new: u64) -> (&'static str, String) {
    let rule = if new < old {
        "body-bytes-lowered"
    } else {
        "body-bytes-raised"
    };
    (rule, format!("a body may have {new} bytes, was {old}"))
}
