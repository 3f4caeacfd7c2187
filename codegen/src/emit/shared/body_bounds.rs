//! Emits the bounds of a body.

use super::literals;
use crate::model::Model;
use proc_macro2::TokenStream;
use quote::quote;

/// `support::BodyBounds { … }`, with these maximum seconds and this field `max_bytes`.
pub(crate) fn body_bounds(model: &Model, max_seconds: &TokenStream, max_bytes: &TokenStream) -> TokenStream {
    let min_rate = literals::option(model.body_min_rate.as_ref().map(|rate| {
        let bytes_per_second = literals::count(rate.bytes_per_second.whole());
        let grace_seconds = literals::count(rate.grace_seconds.whole());
        quote!(support::MinRate { bytes_per_second: #bytes_per_second, grace_seconds: #grace_seconds })
    }));
    quote!(support::BodyBounds { #max_bytes, #max_seconds, min_rate: #min_rate })
}
