//! Compares the bound on the bytes of responses to a caller.

use super::in_flight::caller_is_known;
use super::limits::{is_lower, per_window};
use crate::diff::matching::operations;
use crate::diff::output::{Comparison, Rule};
use crate::model::{Operation, ResponseBytes, Surface};

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    let (old, new) = (comparison.old, comparison.new);
    let (was, is) = (old.response_bytes, new.response_bytes);
    if was == is {
        return;
    }
    let rate = |bytes: ResponseBytes| (bytes.max, bytes.window_seconds);
    let rule = match (was, is) {
        (_, None) => Rule::ResponseBytesRaised,
        (Some(was), Some(is)) if !is_lower(rate(was), rate(is)) => Rule::ResponseBytesRaised,
        _ => Rule::ResponseBytesLowered,
    };
    let describe = |bytes: Option<ResponseBytes>| match bytes {
        Some(ResponseBytes { max, window_seconds }) => format!("{max} bytes {}", per_window(window_seconds)),
        None => "any number of bytes".to_owned(),
    };
    let message = format!("each caller can be sent {}, was {}", describe(is), describe(was));
    let counted = |surface: &Surface, _: &Operation| caller_is_known(new, surface);
    let path = |bytes: Option<ResponseBytes>| bytes.map(|_| "api.response_bytes");
    comparison.report(rule, (path(was), path(is)), operations(new, counted), message);
}
