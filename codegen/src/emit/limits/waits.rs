//! Emits the bound on all requests that wait for events.

use crate::emit::shared::{Context, templates};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

/// The parts of the bound on all requests that wait for events.
#[derive(Default)]
pub(super) struct Waits {
    pub(super) setting: TokenStream,
    pub(super) default: TokenStream,
    pub(super) field: TokenStream,
    pub(super) new: TokenStream,
    pub(super) method: TokenStream,
}

/// `None` if no feed waits.
pub(super) fn emit(context: &Context<'_>) -> Option<Waits> {
    let mut feeds = context
        .model
        .operations()
        .filter_map(|(_, operation)| operation.feed.as_ref());
    feeds.find(|feed| feed.wait.is_some())?;
    let entry = context
        .model
        .error_at(Step::Busy)
        .expect("checked: a feed that waits has a row");
    let error_response = templates::error_response(entry, |_| quote!(""));
    Some(Waits {
        setting: quote! {
            /// Maximum number of requests of all callers that wait for events.
            pub waiting: usize,
        },
        default: quote!(waiting: 500),
        field: quote!(waits: support::feed::Waits,),
        new: quote!(waits: support::feed::Waits::new(settings.waiting),),
        method: quote! {
            /// How many requests wait for events.
            #[must_use]
            pub fn waiting(&self) -> usize {
                self.waits.len()
            }

            /// Counts a request of this caller as one that waits. Rejects it if too many wait and nobody gives up a place,
            /// even with rate limits off.
            fn begin_to_wait(
                &self,
                caller: support::feed::WaitKey,
            ) -> Result<support::feed::Waiting, support::ErrorResponse> {
                let Some(waiting) = self.waits.begin(caller) else {
                    return Err(#error_response);
                };
                Ok(waiting)
            }
        },
    })
}
