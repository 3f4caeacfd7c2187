//! The steps of a request: credential, limits, decoding, guards, handler, in the order of the error table.

use super::super::{names, templates};
use super::refusals::{Refusal, refusals, refuse_absent, refuse_plan, refuse_stranger};
use super::{Subject, request_members};
use crate::model::{Counts, Exists, IdSource, Model, Per};
use crate::step::Step;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// The steps of a request, in the order of the error table.
pub(super) fn run(subject: &Subject<'_>) -> TokenStream {
    let steps = order_of_steps(subject.context.model)
        .into_iter()
        .map(|step| emit_step(subject, step));
    let handle = handle(subject);
    let (bounds, name) = (subject.bounds(), &subject.operation.name);
    quote! {
        #[allow(unused_variables)]
        pub(super) async fn run<A>(
            app: &A,
            gate: &Gate,
            exchange: &mut support::Exchange,
        ) -> Result<support::Answer, support::Refusal>
        where
            A: #(#bounds)+*,
        {
            exchange.reached(#name);
            #(#steps)*
            #handle
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

fn emit_step(subject: &Subject<'_>, step: Step) -> TokenStream {
    match step {
        Step::Credential => admit(subject),
        Step::Suspended => suspended(subject),
        Step::Limit => limit(subject),
        Step::MediaType => media_type(subject),
        Step::BodySize => read_body(subject),
        Step::Decode => decode(subject),
        Step::Plan => plan(subject),
        Step::Exists => subject
            .operation
            .exists
            .iter()
            .map(|exists| look_up(subject, exists))
            .collect(),
        Step::Owner => subject
            .operation
            .owned
            .iter()
            .map(|resource| claim(subject, resource))
            .collect(),
        _ => quote!(),
    }
}

fn admit(subject: &Subject<'_>) -> TokenStream {
    let Some(credential) = subject.credential() else {
        return quote!();
    };
    let module = names::value(&credential.name);
    // Who calls for a resource is known by its noun and id, and anybody else by the credential.
    let (kind, id) = match &credential.caller {
        Some(caller) => (subject.noun(&caller.resource), quote!(Some(caller.id.get()))),
        None => (credential.name.as_str(), quote!(None)),
    };
    // The module not by its plain name, which an operation may have, too.
    quote! {
        let caller = super::super::#module::admitted(app, gate, &exchange.headers, exchange.peer).await?;
        exchange.admitted(#kind, #id);
    }
}

fn suspended(subject: &Subject<'_>) -> TokenStream {
    let caller = subject.credential().and_then(|credential| credential.caller.as_ref());
    if caller.is_none_or(|caller| caller.suspended.is_none()) {
        return quote!();
    }
    let refusal = templates::refuse(subject.row(Step::Suspended), |_| quote!(""));
    quote! {
        if caller.suspended {
            return Err(#refusal);
        }
    }
}

fn limit(subject: &Subject<'_>) -> TokenStream {
    let Some(limit) = &subject.operation.limit else {
        return quote!();
    };
    let check = format_ident!("check_{}", names::snake(limit));
    if let Counts::Methods { per: Per::Address, .. } = subject.context.model.limit(limit).counts {
        return quote!(gate.#check(exchange, exchange.peer)?;);
    }
    let kind = caller_kind(subject);
    let number = match subject.credential().and_then(|credential| credential.caller.as_ref()) {
        Some(_) => quote!(caller.limited_by.get()),
        None => quote!(0),
    };
    quote!(gate.#check(exchange, (#kind, #number))?;)
}

/// Tells callers of different credentials apart, whose ids may be the same.
fn caller_kind(subject: &Subject<'_>) -> Literal {
    let credentials = &subject.context.model.credentials;
    let credential = subject.surface.credential.as_deref();
    let kind = credentials.iter().position(|one| Some(one.name.as_str()) == credential);
    Literal::u16_unsuffixed(kind.and_then(|kind| u16::try_from(kind).ok()).unwrap_or(u16::MAX))
}

fn media_type(subject: &Subject<'_>) -> TokenStream {
    if subject.operation.body.is_none() {
        return quote!();
    }
    let refusal = templates::refuse(subject.row(Step::MediaType), |_| quote!(""));
    quote! {
        if !support::is_json(&exchange.headers) {
            return Err(#refusal);
        }
    }
}

fn read_body(subject: &Subject<'_>) -> TokenStream {
    if subject.operation.body.is_none() {
        return quote!();
    }
    let max_bytes = Literal::u64_unsuffixed(subject.operation.max_bytes);
    quote!(let bytes = bodies::read(exchange, #max_bytes).await?;)
}

fn decode(subject: &Subject<'_>) -> TokenStream {
    let operation = subject.operation;
    let mut names = Vec::new();
    let mut decoders = Vec::new();
    if !operation.path.is_empty() {
        names.push(format_ident!("path"));
        decoders.push(quote!(Path::decode(exchange, &mut faults)));
    }
    names.push(format_ident!("query"));
    decoders.push(if operation.query.is_empty() {
        quote!(Some(support::Members::of_query(exchange.query(), &[], &mut faults)))
    } else {
        quote!(Query::decode(exchange.query(), &mut faults))
    });
    let body = operation.body.as_ref().map(|_| {
        names.push(format_ident!("body"));
        quote!(let (body, faults) = support::decode_json(bytes, faults, Body::decode).await;)
    });
    let ids = operation.exists.iter().map(|exists| {
        let id = subject.id(&exists.resource);
        let (part, field) = match &exists.id {
            IdSource::Path(name) => (format_ident!("path"), names::value(name)),
            IdSource::Body(name) => (format_ident!("body"), names::value(name)),
        };
        quote!(let #id = #part.#field;)
    });
    let decoded = &names[..decoders.len()];
    let refusal = templates::refuse(subject.row(Step::Decode), |_| quote!(faults.into_text()));
    quote! {
        let mut faults = support::Faults::new();
        #(let #decoded = #decoders;)*
        #body
        let (#(Some(#names),)* true) = (#(#names,)* faults.is_empty()) else {
            return Err(#refusal);
        };
        #(#ids)*
    }
}

fn plan(subject: &Subject<'_>) -> TokenStream {
    let Some(plan) = &subject.operation.plan else {
        return quote!();
    };
    let caller = subject.credential().and_then(|credential| credential.caller.as_ref());
    let (_, plans) = caller
        .and_then(|caller| caller.plan.as_ref())
        .expect("checked: the caller has a plan");
    let (plans, plan) = (names::of_type(plans), names::of_type(plan));
    let refusal = refuse_plan(subject);
    quote! {
        if caller.plan != #plans::#plan {
            return Err(#refusal);
        }
    }
}

fn look_up(subject: &Subject<'_>, exists: &Exists) -> TokenStream {
    let (record, found) = (names::of_type(&exists.resource), names::value(&exists.resource));
    let id = subject.id(&exists.resource);
    let absent = refuse_absent(subject, &exists.resource);
    let belongs = exists.parent.as_ref().map(|(parent, _)| {
        let method = format_ident!("belongs_to_{}", names::snake(parent));
        let parent = subject.id(parent);
        quote!(.filter(|found| found.#method(#parent)))
    });
    quote! {
        let #found = Found::<#record>::look_up(app, #id).await.map_err(errors::failure)?#belongs;
        let Some(#found) = #found else {
            return Err(#absent);
        };
    }
}

fn claim(subject: &Subject<'_>, resource: &str) -> TokenStream {
    let (record, found) = (names::of_type(resource), names::value(resource));
    let caller = subject.credential().and_then(|credential| credential.caller.as_ref());
    let caller = &caller.expect("checked: only a caller owns").resource;
    let method = format_ident!("claim_by_{}", names::snake(caller));
    let refusal = refuse_stranger(subject, resource);
    quote! {
        let Some(#found) = Owned::<#record>::#method(&#found, caller.id) else {
            return Err(#refusal);
        };
    }
}

fn handle(subject: &Subject<'_>) -> TokenStream {
    let operation = subject.operation;
    let module = subject.module();
    let members = request_members(subject).into_iter().map(|(name, ..)| name);
    let status = Literal::u16_unsuffixed(operation.status);
    let total = operation.siblings.iter().any(|sibling| sibling == "total");
    let echoed: Vec<_> = operation
        .siblings
        .iter()
        .filter(|sibling| *sibling != "total")
        .collect();
    let echoed_values = echoed.iter().map(|sibling| names::value(sibling));
    let keep = (!echoed.is_empty()).then(|| quote!(let echoed = [#(query.#echoed_values),*];));
    let mut index = 0_usize;
    let siblings = operation.siblings.iter().map(|sibling| {
        if sibling == "total" {
            return quote!((#sibling, success.total));
        }
        let value = quote!(echoed[#index]);
        index += 1;
        quote!((#sibling, #value))
    });
    let data = match (&operation.data, total) {
        (None, _) => quote!(None),
        (Some(_), true) => quote!(Some(&success.rows)),
        (Some(_), false) => quote!(Some(&success)),
    };
    let message = match &operation.message {
        Some(message) => quote!(Some(#message)),
        None => quote!(None),
    };
    let arms = refusals(subject).into_iter().map(
        |Refusal {
             variant, moved, call, ..
         }| {
            let fields = moved.map(|_| quote!({ from, to }));
            quote!(Error::#variant #fields => #call)
        },
    );
    quote! {
        #keep
        match app.#module(Request { #(#members,)* }).await {
            Ok(success) => Ok(envelope::success(#status, #data, #message, &[#(#siblings),*])),
            Err(error) => Err(match error { #(#arms,)* }),
        }
    }
}
