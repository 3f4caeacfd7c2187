//! Emits the function that reads a body. Its error responses (too large, too slow, broken) are the same for every
//! operation.

use crate::emit::shared::{Context, body_bounds, literals, templates};
use crate::model::Model;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let entries = [Step::BodySize, Step::BodyTime, Step::Decode].map(|step| model.error_at(step));
    let mut operations = model.operations();
    let [Some(size), Some(time), Some(_)] = entries else {
        return quote!();
    };
    if operations.all(|(_, operation)| !operation.takes_body()) {
        return quote!();
    }
    let too_large = templates::error_response(size, |_| quote!(max_bytes));
    let broken = templates::invalid(model, &quote!("the body broke off"), &quote!(";broken"));
    let too_slow = templates::error_response(time, |_| quote!(max_seconds));
    let bounds = body_bounds(model.body_min_rate.as_ref(), &quote!(max_seconds), &quote!(max_bytes));
    let max_seconds = literals::count(model.body_max_seconds);
    let takes_files = model.operations().any(|(_, operation)| operation.file.is_some());
    let takes_json = model.operations().any(|(_, operation)| operation.body.is_some());
    let receive = takes_files.then(|| receive(model));
    let read = takes_json.then(|| {
        quote! {
            /// The whole body of a request.
            pub(crate) async fn read(
                exchange: &mut support::Exchange,
                max_bytes: usize,
            ) -> Result<support::Bytes, support::ErrorResponse> {
                let max_seconds = #max_seconds;
                let bounds = #bounds;
                exchange.read_body(bounds).await.map_err(|fault| rejected(fault, max_bytes, max_seconds))
            }
        }
    });
    quote! {
        mod bodies {
            use super::{errors, support};

            #read

            #receive

            #[allow(unused_variables, reason = "a text need not state the bounds")]
            fn rejected(fault: support::BodyError, max_bytes: usize, max_seconds: u64) -> support::ErrorResponse {
                match fault {
                    support::BodyError::TooLarge => #too_large,
                    support::BodyError::TooSlow => #too_slow,
                    support::BodyError::Broken => #broken,
                }
            }
        }
    }
}

/// The function that takes a place for a file: with an error for a busy server, or else it waits for one.
fn begin(model: &Model) -> TokenStream {
    let Some(busy) = model.error_at(Step::Busy) else {
        return quote! {
            /// A place for a file, if the application stores files. Waits until there is one.
            pub(crate) async fn begin(
                app: &impl support::KeepFiles,
            ) -> Result<Option<support::Upload>, support::ErrorResponse> {
                match app.files() {
                    Some(files) => Ok(Some(files.wait_for_upload().await)),
                    None => Ok(None),
                }
            }
        };
    };
    let busy = templates::error_response(busy, |_| quote!(""));
    quote! {
        /// A place for a file, if the application stores files.
        #[allow(clippy::unused_async, reason = "a contract without an error for it waits")]
        pub(crate) async fn begin(
            app: &impl support::KeepFiles,
        ) -> Result<Option<support::Upload>, support::ErrorResponse> {
            let Some(files) = app.files() else {
                return Ok(None);
            };
            match files.begin_upload() {
                Some(upload) => Ok(Some(upload)),
                None => Err(#busy),
            }
        }
    }
}

/// The functions of bodies that are files.
fn receive(model: &Model) -> TokenStream {
    let entry = |step| model.error_at(step).expect("checked: bodies have their rows");
    let too_large = templates::error_response(entry(Step::BodySize), |_| quote!(max_bytes));
    let wrong = templates::invalid(model, &quote!(problem), &quote!(";content"));
    let begin = begin(model);
    quote! {
        /// Rejects a request that declares a longer file than this, before any of it is read.
        pub(crate) fn check_length(
            exchange: &support::Exchange,
            max_bytes: usize,
        ) -> Result<(), support::ErrorResponse> {
            if exchange.declares_more_than(max_bytes) {
                return Err(#too_large);
            }
            Ok(())
        }

        #begin

        /// The file that is the body of a request, with what is reserved for it. `refused` is the error
        /// if there is no room for it.
        pub(crate) async fn receive(
            exchange: &mut support::Exchange,
            (bounds, media_type): (support::BodyBounds, &'static str),
            app: &impl support::KeepFiles,
            upload: Option<&mut support::Upload>,
            refused: impl Fn(support::Failure) -> support::ErrorResponse,
        ) -> Result<support::ReceivedFile, support::ErrorResponse> {
            let support::BodyBounds { max_bytes, max_seconds, .. } = bounds;
            let upload = upload.ok_or_else(|| refused(support::Failure::Unwritable))?;
            exchange.receive_file(bounds, media_type, (app, upload)).await.map_err(|fault| match fault {
                support::FileError::Body(fault) => rejected(fault, max_bytes, max_seconds),
                support::FileError::Content(problem) => #wrong,
                support::FileError::Io(_) => refused(support::Failure::Unwritable),
                support::FileError::Rejected(failure) => refused(failure),
            })
        }
    }
}
