//! Generates the warp filter around some steps.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A function `filter`: requests that `claims` accepts run `steps`, and the result of these is the answer.
pub(crate) fn around(doc: &str, bounds: &[Ident], claims: &TokenStream, steps: &TokenStream) -> TokenStream {
    quote! {
        #[doc = #doc]
        pub fn filter<A>(
            app: std::sync::Arc<A>,
            limits: std::sync::Arc<Limits>,
        ) -> support::warp::filters::BoxedFilter<(support::Response,)>
        where
            A: #(#bounds)+*,
        {
            serve(app, limits, #claims, #steps)
        }
    }
}
