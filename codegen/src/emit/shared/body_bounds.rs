//! Emits the bounds of a body.

use super::literals;
use crate::model::MinRate;
use proc_macro2::TokenStream;
use quote::quote;

/// `support::BodyBounds { … }`, with this minimum rate, this field `max_seconds` and this field `max_bytes`.
pub(crate) fn body_bounds(
    min_rate: Option<&MinRate>,
    max_seconds: &TokenStream,
    max_bytes: &TokenStream,
) -> TokenStream {
    let min_rate = literals::option(min_rate.map(|rate| {
        let bytes_per_second = literals::count(rate.bytes_per_second.whole());
        let grace_seconds = literals::count(rate.grace_seconds.whole());
        quote!(support::MinRate { bytes_per_second: #bytes_per_second, grace_seconds: #grace_seconds })
    }));
    quote!(support::BodyBounds { #max_bytes, #max_seconds, min_rate: #min_rate })
}
