//! The facts for all operations, as one static: envelope, error table, limits, credentials.

use crate::emit::shared::Context;
use crate::emit::shared::literals::{count, option};
use crate::emit::tests::shared::steps::step;
use crate::model::{Counts, Credential, EnvelopeValue, ErrorEntry, Model, Piece, Template};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let rows = model.errors.iter().map(|row| row_of(context, row));
    let [success, error] = [&model.success, &model.error].map(|members| {
        members.iter().map(|(name, value)| {
            let part = match value {
                EnvelopeValue::Literal(json) => quote!(Part::Literal(#json)),
                EnvelopeValue::Placeholder { name, optional: true } => quote!(Part::IfAny(#name)),
                EnvelopeValue::Placeholder { name, optional: false } => quote!(Part::Always(#name)),
            };
            quote!((#name, #part))
        })
    });
    let (headers, limit_headers) = (templates(&model.headers), templates(&model.limit_headers));
    let limits = model.limits.iter().map(|limit| {
        let (name, place) = (&limit.name, context.at(limit.at));
        let (max, window) = (count(limit.max.into()), count(limit.window_seconds.into()));
        let counts = match limit.counts {
            Counts::Methods { .. } => quote!(Counts::Requests),
            Counts::FailedCredentials => quote!(Counts::FailedCredentials),
        };
        let owner_max = option(limit.owner_max.map(|max| count(max.into())));
        quote! {
            Limit {
                name: #name,
                counts: #counts,
                max: #max,
                owner_max: #owner_max,
                window_seconds: #window,
                at: #place,
            }
        }
    });
    let credentials = model
        .credentials
        .iter()
        .map(|credential| credential_of(model, credential));
    quote! {
        /// The contract.
        pub(crate) static CONTRACT: Contract = Contract {
            errors: &[#(#rows),*],
            success: &[#(#success),*],
            error: &[#(#error),*],
            headers: #headers,
            limits: &[#(#limits),*],
            limit_headers: #limit_headers,
            credentials: &[#(#credentials),*],
        };
    }
}

fn row_of(context: &Context<'_>, row: &ErrorEntry) -> TokenStream {
    let (name, status, place) = (&row.name, count(row.status.into()), context.at(row.at));
    let (step, text, headers) = (step(row), source(&row.text), templates(&row.headers));
    quote!(ErrorEntry { name: #name, step: #step, status: #status, text: #text, headers: #headers, at: #place })
}

fn credential_of(model: &Model, credential: &Credential) -> TokenStream {
    let (name, header, prefix) = (&credential.name, &credential.header, &credential.prefix);
    let random = count(credential.random);
    let caller = credential.caller.as_ref();
    let resource = option(caller.map(|caller| &caller.resource));
    let comes_with = option(caller.map(|caller| &caller.limited_by));
    let is_one_of_several = model.has_other_credentials(credential);
    let plan = caller.and_then(|caller| caller.plan.as_ref());
    let plans = plan.map_or(&[][..], |(_, plans)| &model.enumeration(plans).values);
    let suspends = caller.is_some_and(|caller| caller.suspended.is_some());
    quote! {
        Credential {
            name: #name,
            header: #header,
            caller: #resource,
            comes_with: #comes_with,
            is_one_of_several: #is_one_of_several,
            plans: &[#(#plans),*],
            suspends: #suspends,
            prefix: #prefix,
            random: #random,
        }
    }
}

fn templates(pairs: &[(String, Template)]) -> TokenStream {
    let pairs = pairs.iter().map(|(name, template)| {
        let source = source(template);
        quote!((#name, #source))
    });
    quote!(&[#(#pairs),*])
}

fn source(template: &Template) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Placeholder(name) => format!("{{{name}}}"),
    };
    template.0.iter().map(piece).collect()
}
