//! Emits the steps of a request (credential, limits, decoding, guards, handler) in the order of the error table.

mod at_once;
mod decoding;
mod guards;
mod handling;
mod keys;

use crate::emit::shared::authentication::{self, Entering};
use crate::emit::shared::{OperationContext, answering, names};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let steps = authentication::order_of_steps(subject.context.model);
    let steps = steps.into_iter().map(|step| one(subject, step));
    let handle = handling::handle(subject);
    let (bounds, surface, name) = (subject.bounds(), &subject.surface.name, &subject.operation.name);
    let keep = keys::keep(subject);
    let headers = answering::headers(subject);
    quote! {
        #headers

        #keep

        #[allow(unused_variables, reason = "not every operation uses all of them")]
        #[allow(clippy::too_many_lines, reason = "a few lines for each step")]
        pub(super) fn run<'r, A>(
            app: &'r A,
            limits: &'r Limits,
            exchange: &'r mut support::Exchange,
        ) -> support::Steps<'r>
        where
            A: #(#bounds)+*,
        {
            Box::pin(async move {
                exchange.reached(#surface, #name);
                #(#steps)*
                #handle
            })
        }
    }
}

fn one(subject: &OperationContext<'_>, step: Step) -> TokenStream {
    match step {
        Step::Available => authentication::check_availability(subject.context).unwrap_or_default(),
        Step::Busy => {
            let (enter, begin) = (enter(subject, step), decoding::begin(subject));
            quote!(#enter #begin)
        }
        Step::Credential | Step::Suspended | Step::Limit | Step::ResponseBytes => enter(subject, step),
        Step::InFlight => at_once::enter(subject),
        Step::MediaType => decoding::media_type(subject),
        Step::BodySize => {
            let again = authenticate_again(subject, subject.operation.body.is_some());
            let read = decoding::read_body(subject);
            quote!(#read #again)
        }
        Step::Decode => {
            let again = authenticate_again(subject, subject.operation.file.is_some());
            let keys = decoding::KeySteps {
                read: keys::read(subject),
                is_known: keys::is_known(subject),
                sent_body: keys::sent_body(subject),
            };
            decoding::decode(subject, &keys, &again)
        }
        // The other steps of keys are part of this one.
        Step::KeyReused => keys::begin(subject).unwrap_or_default(),
        Step::Plan | Step::Exists | Step::Owner => guards::of_step(subject, step),
        // Routing, other limits and the reading of bodies are shared code; handlers do the rest.
        Step::Route
        | Step::Method
        | Step::CredentialLimit
        | Step::BodyTime
        | Step::KeyInProgress
        | Step::KeySecret
        | Step::Quota
        | Step::Transition
        | Step::Rule
        | Step::Write
        | Step::Outcome
        | Step::Internal => quote!(),
    }
}

/// Authenticates again after the body was read: the client decides how long that takes, and the credential may have
/// ended meanwhile.
fn authenticate_again(subject: &OperationContext<'_>, is_read: bool) -> TokenStream {
    let credential = subject.credential().filter(|_| is_read);
    let is_before = authentication::precedes(subject.context.model, Step::Credential, Step::BodySize);
    let Some(credential) = credential.filter(|_| is_before) else {
        return quote!();
    };
    let module = names::value(&credential.name);
    quote!(let caller = super::super::#module::authenticate_again(app, exchange).await?;)
}

/// The code of a step. The steps of authentication are one call, at the first of them; the others have no code.
fn enter(subject: &OperationContext<'_>, step: Step) -> TokenStream {
    let entering = Entering {
        context: subject.context,
        credential: subject.credential(),
        limit: subject.operation.limit.as_deref(),
    };
    let together = authentication::steps_of_entering(subject.context.model);
    let Some(credential) = entering.credential.filter(|_| together.contains(&step)) else {
        return entering.step(step);
    };
    if together.first() != Some(&step) {
        return quote!();
    }
    let (module, function) = (names::value(&credential.name), entering.function());
    // An operation may have the same name as the module, so its path is written out.
    quote!(let caller = super::super::#module::#function(app, limits, exchange).await?;)
}
