//! The steps of a request: credential, limits, decoding, guards, handler, in the order of the error table.

mod admission;
mod decoding;
mod guards;
mod handling;

use crate::emit::shared::Subject;
use crate::model::Model;
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(subject: &Subject<'_>) -> TokenStream {
    let steps = order_of_steps(subject.context.model)
        .into_iter()
        .map(|step| one(subject, step));
    let handle = handling::handle(subject);
    let (bounds, name) = (subject.bounds(), &subject.operation.name);
    quote! {
        #[allow(unused_variables)]
        pub(super) fn run<'r, A>(
            app: &'r A,
            gate: &'r Gate,
            exchange: &'r mut support::Exchange,
        ) -> support::Steps<'r>
        where
            A: #(#bounds)+*,
        {
            Box::pin(async move {
                exchange.reached(#name);
                #(#steps)*
                #handle
            })
        }
    }
}

/// The steps as the rows stand; reading a body is one step, and ownership is proven even where only private resources
/// are owned, which need no row of their own for it.
fn order_of_steps(model: &Model) -> Vec<Step> {
    let mut steps = Vec::new();
    for row in &model.rows {
        let step = if row.step == Step::BodyTime {
            Step::BodySize
        } else {
            row.step
        };
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    if let Some(exists) = steps.iter().position(|step| *step == Step::Exists)
        && !steps.contains(&Step::Owner)
    {
        steps.insert(exists + 1, Step::Owner);
    }
    steps
}

fn one(subject: &Subject<'_>, step: Step) -> TokenStream {
    match step {
        Step::Credential => admission::admit(subject),
        Step::Suspended => admission::suspended(subject),
        Step::Limit => admission::limit(subject),
        Step::MediaType => decoding::media_type(subject),
        Step::BodySize => decoding::read_body(subject),
        Step::Decode => decoding::decode(subject),
        Step::Plan => guards::plan(subject),
        Step::Exists => guards::look_ups(subject),
        Step::Owner => guards::claims(subject),
        _ => quote!(),
    }
}
