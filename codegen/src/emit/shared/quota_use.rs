//! Emits what a request counts towards a quota.

use super::{OperationContext, literals, names};
use crate::model::Quota;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// That the request counts this towards a quota.
pub(crate) fn quota_use(subject: &OperationContext<'_>, quota: &Quota, amount: &TokenStream) -> TokenStream {
    let (word, name) = (&quota.name, names::constant(&quota.name));
    let owner = match subject.caller() {
        Some(caller) if caller.resource == quota.per => quote!(caller.id),
        _ => subject.id(&quota.per).into_token_stream(),
    };
    let seconds = quota.period_seconds().map(literals::count);
    let seconds = seconds.map_or_else(|| quote!(None), |seconds| quote!(Some(#seconds)));
    quote! {
        support::QuotaUse {
            quota: const { &support::Quota { name: #word, max: quotas::#name, seconds: #seconds } },
            owner: support::Key::bytes(&#owner),
            amount: support::Amount::#amount,
        }
    }
}
