//! Emits the error type of an operation: exactly the error responses that its handler can give.

use crate::emit::shared::{OperationContext, error_constructors};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let constructors = error_constructors::for_operation(subject);
    let variants = constructors.iter().map(|error_response| {
        let (variant, entry) = (&error_response.variant, error_response.entry);
        let doc = format!("`{}`: {}", entry.name, entry.status);
        let moved = error_response.states.as_ref().map(|states| {
            quote! {
                {
                    /// The current state.
                    from: #states,
                    /// The requested state.
                    to: #states,
                }
            }
        });
        quote!(#[doc = #doc] #variant #moved)
    });
    let variant_at = |step: Step| {
        constructors
            .iter()
            .find(|error_response| error_response.entry.step == step)
            .map(|one| &one.variant)
    };
    let internal = variant_at(Step::Internal);
    let failures = [
        (Step::Available, "Unavailable"),
        (Step::Write, "Unwritable"),
        (Step::Outcome, "OutcomeUnknown"),
        (Step::Credential, "Unauthenticated"),
        (Step::Suspended, "Suspended"),
    ];
    let known: Vec<_> = failures
        .iter()
        .filter_map(|(step, failure)| Some((format_ident!("{failure}"), variant_at(*step)?)))
        .map(|(failure, variant)| quote!(support::Failure::#failure => Self::#variant))
        .collect();
    let unknown_cursor = subject.operation.feed.as_ref().map(|_| {
        quote!(
            #[doc = "The feed has no such cursor."]
            UnknownCursor,
        )
    });
    let over: Vec<_> = subject
        .quotas()
        .map(|quota| {
            let (name, variant) = (&quota.name, error_constructors::quota_variant(subject, quota));
            quote!(support::Failure::OverQuota(support::Quota { name: #name, .. }) => Self::#variant)
        })
        .collect();
    let failure = if known.is_empty() && over.is_empty() {
        quote!(fn from(_: support::Failure) -> Self { Self::#internal })
    } else {
        let others = if known.len() < failures.len() {
            quote!(_)
        } else {
            quote!(support::Failure::OverQuota(_) | support::Failure::Internal)
        };
        quote! {
            fn from(failure: support::Failure) -> Self {
                match failure {
                    #(#known,)*
                    #(#over,)*
                    #others => Self::#internal,
                }
            }
        }
    };
    quote! {
        /// The error responses that the handler can give.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Error { #(#variants,)* #unknown_cursor }

        impl From<support::Failure> for Error {
            #failure
        }
    }
}
