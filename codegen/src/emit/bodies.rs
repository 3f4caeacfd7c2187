//! Emits the function that reads a body. Its error responses (too large, too slow, broken) are the same for every
//! operation.

use crate::emit::shared::{Context, templates};
use crate::step::Step;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let entries = [Step::BodySize, Step::BodyTime, Step::Decode].map(|step| model.error_at(step));
    let mut operations = model.operations();
    let [Some(size), Some(time), Some(invalid)] = entries else {
        return quote!();
    };
    if operations.all(|(_, operation)| operation.body.is_none()) {
        return quote!();
    }
    let max_seconds = Literal::u64_unsuffixed(model.body_max_seconds);
    let min_rate = match &model.body_min_rate {
        Some(rate) => {
            let (bytes, seconds) = (rate.bytes_per_second.small(), rate.grace_seconds.whole());
            let (bytes, seconds) = (Literal::u32_unsuffixed(bytes), Literal::u64_unsuffixed(seconds));
            quote!(Some(support::MinRate { bytes_per_second: #bytes, grace_seconds: #seconds }))
        }
        None => quote!(None),
    };
    let too_large = templates::error_response(size, |_| quote!(max_bytes));
    let too_slow = templates::error_response(time, |_| quote!(#max_seconds));
    let broken = templates::error_response(invalid, |_| quote!("the body broke off"));
    quote! {
        mod bodies {
            use super::{errors, support};

            /// The whole body of a request.
            pub(crate) async fn read(
                exchange: &mut support::Exchange,
                max_bytes: usize,
            ) -> Result<support::Bytes, support::ErrorResponse> {
                let bounds = support::BodyBounds { max_bytes, max_seconds: #max_seconds, min_rate: #min_rate };
                exchange.read_body(bounds).await.map_err(|fault| match fault {
                    support::BodyError::TooLarge => #too_large,
                    support::BodyError::TooSlow => #too_slow,
                    support::BodyError::Broken => #broken,
                })
            }
        }
    }
}
