//! Emits the bound on the bytes of responses to a caller.

use crate::emit::shared::{Context, literals, names, templates};
use crate::model::ResponseBytes;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

/// The parts of the bound on the bytes of responses to a caller.
#[derive(Default)]
pub(super) struct SentBytes {
    pub(super) field: Option<TokenStream>,
    pub(super) new: Option<TokenStream>,
    pub(super) evict: Option<TokenStream>,
    pub(super) size: Option<TokenStream>,
    pub(super) method: Option<TokenStream>,
}

/// `None` if the contract has no such bound.
pub(super) fn emit(context: &Context<'_>) -> Option<SentBytes> {
    let ResponseBytes { max, window_seconds } = context.model.response_bytes?;
    let [max, window] = [max, window_seconds].map(|number| literals::count(number.into()));
    let entry = context.model.error_at(Step::ResponseBytes);
    let entry = entry.expect("checked: what is bounded has a row");
    let error_response = templates::error_response(entry, |name| match name {
        "max" => quote!(#max),
        _ => quote!(seconds),
    });
    let name = names::RESPONSE_BYTES;
    let field = names::value(name);
    Some(SentBytes {
        field: Some(quote!(#field: std::sync::Arc<support::SentBytes>,)),
        new: Some(quote! {
            #field: std::sync::Arc::new(support::SentBytes::new(#max, #window, settings.clock.clone())),
        }),
        evict: Some(quote!(self.#field.evict_idle();)),
        size: Some(quote!((#name, self.#field.len()))),
        method: Some(quote! {
            /// Rejects a request of a caller to whom too many bytes were sent in this window, and counts those of its
            /// response.
            fn check_response_bytes(
                &self,
                exchange: &mut support::Exchange,
                caller: (u16, i64),
            ) -> Result<(), support::ErrorResponse> {
                if !self.enabled {
                    return Ok(());
                }
                if let Some(seconds) = self.#field.seconds_to_wait(&caller) {
                    return Err(#error_response);
                }
                exchange.count_bytes(support::SentTo::new(&self.#field, caller));
                Ok(())
            }
        }),
    })
}
