//! Emits a write: one transaction that decides, makes, changes and ends records, and says what is answered.

mod changes;
mod checks;
mod events;
mod makes;

use crate::emit::shared::keeping::{Keeping, rust_path};
use crate::emit::shared::loading::{Loading, Reader};
use crate::emit::shared::writing::{current, id_of, new_ids, secret};
use crate::emit::shared::{OperationContext, names};
use crate::model::{AnswerFrom, Data, find};
use proc_macro2::TokenStream;
use quote::quote;

/// Makes, changes and ends records in one transaction.
pub(super) fn write(subject: &OperationContext<'_>, keeping: Keeping<'_>) -> TokenStream {
    let operation = subject.operation;
    let actor = keeping
        .host
        .map_or(quote!(super::stored::Actor), |host| rust_path(host.actor));
    let by = match subject.ending_credential() {
        Some(_) => quote!(#actor::from((&request.caller, &request.presented_credential))),
        None => quote!(#actor::from(())),
    };
    let uses = match operation.quotas.is_empty() {
        true => quote!(Vec::new()),
        false => quote!(request.uses.clone()),
    };
    let secrets = makes::secrets(subject);
    let (guards, states, checks) = (
        checks::guards(subject),
        checks::states(subject),
        checks::checks(subject),
    );
    let (made, changed) = (makes::emit(subject), changes::emit(subject));
    let (before, caused) = events::caused(subject).unzip();
    let success = success(subject);
    let (take_once, once, run) = match operation.keep_seconds {
        _ if operation.dry_run.is_some() => (quote!(), quote!(), quote!(dry_run)),
        Some(_) => (
            quote!(let once = request.once.clone();),
            quote!(once,),
            quote!(write_once),
        ),
        None => (quote!(), quote!(), quote!(write)),
    };
    quote! {
        let now = self.now();
        let by = kept::Author { actor: #by, uses: #uses, now };
        #take_once
        #secrets
        let written = self.store().#run(by, #once move |tx: &mut super::stored::Tx<'_>| -> kept::Decided<operation::Success, operation::Error> {
            #guards
            #states
            #(#checks)*
            #before
            #made
            #changed
            #caused
            #success
        });
        written.await.map_err(support::Failure::from)?
    }
}

/// The answer of a write.
fn success(subject: &OperationContext<'_>) -> TokenStream {
    let (context, operation) = (subject.context, subject.operation);
    match (&operation.data, operation.answers.first()) {
        (Some(Data::One { resource, view }), Some(AnswerFrom::View(target))) => {
            let resource = context.model.resource(resource);
            let view = find(&resource.views, |one| one.name == *view);
            let shown = Loading::of_view(context, Reader::Tx, resource, view).expect("checked: it can be shown");
            let (loads, arguments, method) = (&shown.statements, &shown.arguments, names::value(&view.name));
            let record = current(subject, target);
            quote! {
                let record = #record;
                #(#loads)*
                Ok(record.#method(#(#arguments),*))
            }
        }
        (Some(Data::Members(members)), _) => {
            let values = members.iter().zip(&operation.answers).map(|(member, answer)| {
                let name = names::value(&member.name);
                let value = match answer {
                    AnswerFrom::Id(target) => id_of(subject, target),
                    AnswerFrom::Ids(resource) => {
                        let ids = new_ids(resource);
                        quote!(#ids)
                    }
                    AnswerFrom::Secret(of) => {
                        let secret = secret(of);
                        quote!(#secret.clone())
                    }
                    AnswerFrom::Field(target, field) => {
                        let (record, field) = (current(subject, target), names::value(field));
                        quote!(#record.#field.clone())
                    }
                    AnswerFrom::Member(name) => {
                        let name = names::value(name);
                        quote!(request.body.#name.clone())
                    }
                    AnswerFrom::View(_) | AnswerFrom::Undeclared => quote!(Default::default()),
                };
                quote!(#name: #value)
            });
            quote!(Ok(operation::Success { #(#values),* }))
        }
        _ => quote!(Ok(())),
    }
}
