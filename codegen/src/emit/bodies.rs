//! Emits the function that reads a body. Its error responses (too large, too slow, broken) are the same for every
//! operation.

use crate::emit::shared::{Context, body_bounds, literals, templates};
use crate::step::Step;
use proc_macro2::TokenStream;
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
    let max_seconds = literals::count(model.body_max_seconds);
    let bounds = body_bounds(model, &quote!(max_bytes));
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
                let bounds = #bounds;
                exchange.read_body(bounds).await.map_err(|fault| match fault {
                    support::BodyError::TooLarge => #too_large,
                    support::BodyError::TooSlow => #too_slow,
                    support::BodyError::Broken => #broken,
                })
            }
        }
    }
}
