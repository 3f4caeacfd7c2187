//! Emits the bound on a caller's requests in flight.

use crate::emit::shared::{OperationContext, literals};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// All requests of a caller are counted together, for all of its credentials. Requests to an operation that waits
/// for events are counted separately.
pub(super) fn enter(subject: &OperationContext<'_>) -> TokenStream {
    let model = subject.context.model;
    let Some(max) = model.at_once(subject.surface, subject.operation) else {
        return quote!();
    };
    let (kind, number) = (subject.caller_kind(), subject.caller_number());
    let is_this = |(_, operation): &(_, &crate::model::Operation)| std::ptr::eq(*operation, subject.operation);
    let waits = subject.operation.waits_at_once.is_some();
    let group = literals::place(model.operations().position(|one| is_this(&one)).filter(|_| waits));
    let max = Literal::u32_unsuffixed(max);
    quote!(limits.take_permit(exchange, (#group, #kind, #number), #max)?;)
}
