//! Emits the envelope: the two functions that write every body, and the function that makes the response.

use crate::emit::shared::{Context, templates};
use crate::model::{EnvelopeValue, Model, Piece, SuccessBody};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let success = success(model);
    let write_json = success.is_some().then(|| quote!(, WriteJson));
    let error = model.error.iter().map(|(name, value)| error_member(name, value));
    let headers = model.headers.iter().map(|(header, template)| {
        let header = header.to_lowercase();
        let name = quote!(const { support::HeaderName::from_static(#header) });
        let value = match template.0.as_slice() {
            [Piece::Text(text)] => return templates::constant_header(&name, text),
            [Piece::Placeholder(_)] => quote!(request_id),
            _ => templates::string(template, |_| quote!(request_id)),
        };
        quote!(exchange.reply_header(#name, &#value);)
    });
    let no_route = model.error_at(Step::Route).map(templates::unknown_path);
    let no_host = model
        .error_at(Step::Decode)
        .map(|entry| templates::invalid(entry, &quote!(error), &quote!(";host")));
    let internal = model
        .error_at(Step::Internal)
        .map(|entry| templates::error_response(entry, |_| quote!("")));
    quote! {
        /// The only functions that write bodies.
        pub(crate) mod envelope {
            use super::support::{self, Answer, ObjectWriter, ErrorResponse #write_json};

            #success

            #[allow(unused_variables, reason = "the envelope may leave it out")]
            pub(crate) fn error(error_response: &ErrorResponse, request_id: &str) -> Answer {
                let mut object = ObjectWriter::new();
                #(#error)*
                Answer { status: error_response.status, body: object.finish(), total: None }
            }
        }

        /// The response for the outcome of a request's steps; `None` if they panicked.
        async fn respond(
            exchange: &mut support::Exchange,
            outcome: Option<Result<support::Answer, support::ErrorResponse>>,
        ) -> support::Response {
            let outcome = outcome.unwrap_or_else(|| Err(#internal));
            let request_id = exchange.request_id;
            let answer = match outcome {
                Ok(answer) => answer,
                Err(error_response) => {
                    let answer = envelope::error(&error_response, &request_id);
                    for (header, value) in error_response.headers {
                        exchange.reply_header(support::HeaderName::from_static(header), &value);
                    }
                    answer
                }
            };
            #(#headers)*
            exchange.answered(answer.status);
            exchange.discard_body().await;
            exchange.finish(answer)
        }

        /// A filter that runs `steps` for the requests that `claims` accepts.
        fn serve<A: Send + Sync + 'static>(
            app: std::sync::Arc<A>,
            limits: std::sync::Arc<Limits>,
            claims: fn(&support::Method, &str) -> bool,
            steps: for<'r> fn(&'r A, &'r Limits, &'r mut support::Exchange) -> support::Steps<'r>,
        ) -> support::warp::filters::BoxedFilter<(support::Response,)> {
            let observer = limits.observer.clone();
            let ends = std::sync::Arc::new((app, limits));
            support::filter(claims, observer, move |mut exchange| {
                let ends = std::sync::Arc::clone(&ends);
                async move {
                    let (app, limits) = &*ends;
                    let outcome = match exchange.host_error {
                        Some(error) => Some(Err(#no_host)),
                        None if exchange.is_unserved() => Some(Err(#no_route)),
                        None => support::catch_unwind(exchange.span(), steps(app, limits, &mut exchange)).await,
                    };
                    respond(&mut exchange, outcome).await
                }
            })
        }

        /// Answers requests to unknown paths in the envelope, and reports them to the observer of `gate`.
        #[allow(clippy::needless_pass_by_value, reason = "same parameters as other filters")]
        pub fn fallback(
            limits: std::sync::Arc<Limits>,
        ) -> support::warp::filters::BoxedFilter<(support::Response,)> {
            support::filter(|_, _| true, limits.observer.clone(), |mut exchange| async move {
                let error_response = match exchange.host_error {
                    Some(error) => #no_host,
                    None => #no_route,
                };
                respond(&mut exchange, Some(Err(error_response))).await
            })
        }
    }
}

/// The function that writes successes, if any has the envelope.
fn success(model: &Model) -> Option<TokenStream> {
    let mut operations = model.operations();
    operations.find(|(_, operation)| operation.success_body() == SuccessBody::Envelope)?;
    let members = model.success.iter().map(|(name, value)| success_member(name, value));
    Some(quote! {
        #[allow(unused_variables, reason = "the envelope may leave some out")]
        pub(crate) fn success(
            status: u16,
            data: Option<&mut dyn WriteJson>,
            message: Option<&str>,
            siblings: &[(&str, support::encoded::Sibling)],
        ) -> Answer {
            let mut object = ObjectWriter::new();
            #(#members)*
            let total = siblings.iter().find_map(|(name, value)| match value {
                support::encoded::Sibling::Number(total) if *name == "total" => Some(*total),
                _ => None,
            });
            Answer { status, body: object.finish(), total }
        }
    })
}

fn success_member(name: &str, value: &EnvelopeValue) -> TokenStream {
    match value {
        EnvelopeValue::Literal(json) => quote!(object.raw(#name, #json);),
        EnvelopeValue::Placeholder { name: what, optional } => match (what.as_str(), optional) {
            ("data", true) => quote!(if let Some(data) = data { object.json(#name, data); }),
            ("data", false) => quote!(match data {
                Some(data) => object.json(#name, data),
                None => object.raw(#name, "null"),
            }),
            ("message", true) => quote!(if let Some(message) = message { object.text(#name, message); }),
            ("message", false) => quote!(object.text(#name, message.unwrap_or_default());),
            _ => quote!(for (name, value) in siblings {
                object.sibling(name, value);
            }),
        },
    }
}

fn error_member(name: &str, value: &EnvelopeValue) -> TokenStream {
    match value {
        EnvelopeValue::Literal(json) => quote!(object.raw(#name, #json);),
        EnvelopeValue::Placeholder { name: what, .. } => match what.as_str() {
            "code" => quote!(object.text(#name, error_response.error);),
            "status" => quote!(object.number(#name, i64::from(error_response.status));),
            "request_id" => quote!(object.text(#name, request_id);),
            _ => quote!(object.text(#name, &error_response.text);),
        },
    }
}
