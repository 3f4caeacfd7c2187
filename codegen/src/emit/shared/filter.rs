//! The warp filter around some steps.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A function `filter`: what `claims` takes goes through `steps`, and whatever these come to is the answer. It is
/// observed as a request of this surface.
pub(crate) fn around(
    doc: &str,
    surface: &str,
    bounds: &[Ident],
    claims: &TokenStream,
    steps: &TokenStream,
) -> TokenStream {
    quote! {
        #[doc = #doc]
        pub fn filter<A>(
            app: std::sync::Arc<A>,
            gate: std::sync::Arc<Gate>,
        ) -> impl support::warp::Filter<Extract = (support::Response,), Error = support::warp::Rejection> + Clone
        where
            A: #(#bounds)+*,
        {
            support::filter(#claims, Some(#surface), gate.observer.clone(), move |mut exchange| {
                let (app, gate) = (std::sync::Arc::clone(&app), std::sync::Arc::clone(&gate));
                async move {
                    let outcome = support::unwinding(exchange.span(), #steps(&*app, &gate, &mut exchange)).await;
                    respond(exchange, outcome).await
                }
            })
        }
    }
}
