//! Emits the envelope: the two functions that write every body, and the function that makes the response.

use crate::emit::shared::{Context, templates};
use crate::model::{EnvelopeValue, Model, Piece, SuccessBody, Word};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let success = success(model);
    let write_json = success.is_some().then(|| quote!(, WriteJson));
    let error = error_members(model, &model.error);
    let title = title(model);
    let [shows_path, shows_time] = ["path", "time"].map(|placeholder| EnvelopeValue::shows(&model.error, placeholder));
    let path = shows_path.then(|| quote!(, path: &str));
    let given_path = shows_path.then(|| quote!(, exchange.path()));
    let time = shows_time.then(|| quote!(, time: support::Timestamp));
    let given_time = shows_time.then(|| quote!(, time));
    let now = shows_time.then(|| quote!(, limits.clock.now()));
    let media_type = model.error_media_type.as_ref().map(|media_type| {
        templates::constant_header(
            &quote!(const { support::HeaderName::from_static("content-type") }),
            media_type,
        )
    });
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
    let no_host = templates::invalid(model, &quote!(error), &quote!(";host"));
    let unknown_path = quote! {
        async move {
            let error_response = match exchange.host_error {
                Some(error) => #no_host,
                None => #no_route,
            };
            respond(&mut exchange, Some(Err(error_response)) #now).await
        }
    };
    let unknown_path = match shows_time {
        true => quote! {
            move |mut exchange| {
                let limits = std::sync::Arc::clone(&limits);
                #unknown_path
            }
        },
        false => quote!(|mut exchange| #unknown_path),
    };
    let internal = model
        .error_at(Step::Internal)
        .map(|entry| templates::error_response(entry, |_| quote!("")));
    quote! {
        /// The only functions that write bodies.
        pub(crate) mod envelope {
            use super::support::{self, Answer, ObjectWriter, ErrorResponse #write_json};

            #success

            #title

            #[allow(unused_variables, reason = "the envelope may leave it out")]
            pub(crate) fn error(error_response: &ErrorResponse, request_id: &str #path #time) -> Answer {
                let mut object = ObjectWriter::new();
                #error
                Answer { status: error_response.status, body: object.finish(), total: None }
            }
        }

        /// The response for the outcome of a request's steps; `None` if they panicked.
        async fn respond(
            exchange: &mut support::Exchange,
            outcome: Option<Result<support::Answer, support::ErrorResponse>>
            #time
        ) -> support::Response {
            let outcome = outcome.unwrap_or_else(|| Err(#internal));
            let request_id = exchange.request_id;
            let answer = match outcome {
                Ok(answer) => answer,
                Err(error_response) => {
                    let answer = envelope::error(&error_response, &request_id #given_path #given_time);
                    #media_type
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
                    respond(&mut exchange, outcome #now).await
                }
            })
        }

        /// Answers requests to unknown paths in the envelope, and reports them to the observer of `gate`.
        #[allow(clippy::needless_pass_by_value, reason = "same parameters as other filters")]
        pub fn fallback(
            limits: std::sync::Arc<Limits>,
        ) -> support::warp::filters::BoxedFilter<(support::Response,)> {
            support::filter(|_, _| true, limits.observer.clone(), #unknown_path)
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
        EnvelopeValue::Object(_) => unreachable!("checked: only errors have such members"),
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

/// Writes the members of an error, or of an object in it.
fn error_members(model: &Model, members: &[(Word, EnvelopeValue)]) -> TokenStream {
    let members = members.iter().map(|(name, value)| {
        let name = name.as_str();
        match value {
            EnvelopeValue::Literal(json) => quote!(object.raw(#name, #json);),
            EnvelopeValue::Object(members) => {
                let members = error_members(model, members);
                quote!(object.object(#name, |object| { #members });)
            }
            EnvelopeValue::Placeholder { name: what, optional } => match what.as_str() {
                "code" => quote!(object.text(#name, error_response.error);),
                "status" => quote!(object.number(#name, i64::from(error_response.status));),
                "request_id" => quote!(object.text(#name, request_id);),
                "path" => quote!(object.text(#name, path);),
                "time" => quote!(object.text(#name, &format!("{time}Z"));),
                "title" => quote!(object.text(#name, title(error_response.error));),
                "faults" => {
                    let members = fault_members(model);
                    let list = quote!(object.list(#name, &error_response.faults, |object, fault| { #members }););
                    match optional {
                        true => quote!(if !error_response.faults.is_empty() { #list }),
                        false => list,
                    }
                }
                _ => quote!(object.text(#name, &error_response.text);),
            },
        }
    });
    quote!(#(#members)*)
}

fn fault_members(model: &Model) -> TokenStream {
    let members = model.fault.iter().map(|(name, value)| {
        let name = name.as_str();
        match value {
            EnvelopeValue::Object(_) => unreachable!("checked: only errors have such members"),
            EnvelopeValue::Literal(json) => quote!(object.raw(#name, #json);),
            EnvelopeValue::Placeholder { name: what, .. } => match what.as_str() {
                "place" => quote!(object.text(#name, fault.place());),
                "code" => quote!(object.text(#name, fault.code());),
                _ => quote!(object.text(#name, fault.text());),
            },
        }
    });
    quote!(#(#members)*)
}

/// The function that finds the title of an error, if errors show it.
fn title(model: &Model) -> Option<TokenStream> {
    let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in &model.errors {
        named.entry(model.title_of(entry)?).or_default().push(&entry.name);
    }
    let titles = named.iter().map(|(title, names)| quote!(#(#names)|* => #title,));
    Some(quote! {
        fn title(error: &str) -> &'static str {
            match error {
                #(#titles)*
                _ => "",
            }
        }
    })
}
