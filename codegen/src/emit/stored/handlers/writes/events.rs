//! Emits the events that a write causes.

use crate::emit::shared::caused::{Caused, Parameter};
use crate::emit::shared::keeping::tree_of_index;
use crate::emit::shared::loading::{Loading, Reader};
use crate::emit::shared::writing::{current, resource_of};
use crate::emit::shared::{OperationContext, names, plain};
use crate::model::Target;
use proc_macro2::TokenStream;
use quote::quote;

/// What is to be read before the effects of an operation, and what stores the events after them. An operation that has changed
/// nothing causes none.
pub(super) fn caused(subject: &OperationContext<'_>) -> Option<(TokenStream, TokenStream)> {
    let (context, caused) = (subject.context, Caused::by(subject)?);
    let target = plain::target_of_events(subject)?;
    let resource = context.model.resource(&resource_of(subject, target));
    let (of, record) = (names::of_type(&resource.name), current(subject, target));
    let mut loading = Loading::new(Reader::Tx);
    let mut many = Vec::new();
    let arguments = caused.parameters().into_iter().map(|(_, parameter)| match parameter {
        Parameter::Record => quote!(&record),
        Parameter::Followed(path, place) => {
            let followed = loading.followed(context, resource, &path.ids, &place);
            followed.expect("checked: the ids lead to a record");
            loading.arguments.last().cloned().expect("it was added")
        }
        Parameter::Each(to, ids) => {
            let (each, place) = plain::index_of_recipients(context.model, to).expect("checked: an index finds them");
            let (tree, each, field) = (
                tree_of_index(each, place),
                names::of_type(&each.name),
                names::value(&to.path.field),
            );
            many.push(quote! {
                let mut #ids = Vec::new();
                for id in tx.listed::<super::#each>(#tree, &support::Key::bytes(&record.id), super::events::MAX_RECIPIENTS)? {
                    #ids.push(tx.existing::<super::#each>(id)?.#field);
                }
            });
            quote!(&#ids)
        }
    });
    let arguments: Vec<_> = arguments.collect();
    let loads = &loading.statements;
    let emitted = quote! {
        #(#loads)*
        #(#many)*
        let caused = operation::events(#(#arguments),*);
        let caused = caused.into_iter().map(|(of, event)| kept::kept::feeds::NewEvent::new(of, event.name().as_str(), &event));
        kept::kept::feeds::emit(tx, caused, now)?;
    };
    Some(match target {
        Target::Made(_) => (quote!(), quote!({ let record: super::#of = #record; #emitted })),
        Target::Found(_) | Target::Caller => (
            quote!(let before = #record;),
            quote!({
                let record: super::#of = #record;
                if record != before { #emitted }
            }),
        ),
    })
}
