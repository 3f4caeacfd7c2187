//! Reading a body: the refusals of one that is too large, too slow or broken, which are the same for every operation.

use crate::emit::shared::{Context, templates};
use crate::step::Step;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let rows = [Step::BodySize, Step::BodyTime, Step::Decode].map(|step| model.row_at(step));
    let [Some(size), Some(time), Some(invalid)] = rows else {
        return quote!();
    };
    let max_seconds = Literal::u64_unsuffixed(model.body_max_seconds);
    let too_large = templates::refuse(size, |_| quote!(max_bytes));
    let too_slow = templates::refuse(time, |_| quote!(#max_seconds));
    let broken = templates::refuse(invalid, |_| quote!("the body broke off"));
    quote! {
        mod bodies {
            use super::{errors, support};

            /// The whole body of a request.
            #[allow(dead_code)]
            pub(crate) async fn read(
                exchange: &mut support::Exchange,
                max_bytes: usize,
            ) -> Result<support::Bytes, support::Refusal> {
                exchange.read_body(max_bytes, #max_seconds).await.map_err(|fault| match fault {
                    support::BodyFault::TooLarge => #too_large,
                    support::BodyFault::TooSlow => #too_slow,
                    support::BodyFault::Broken => #broken,
                })
            }
        }
    }
}
