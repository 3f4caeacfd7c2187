//! Emits the second check of the plan, over the stored caller, inside the transaction that commits. The quota is
//! checked there, too.

use crate::emit::shared::{OperationContext, names};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(subject: &OperationContext<'_>) -> Option<TokenStream> {
    if subject.operation.plan().is_none() && subject.operation.quotas.is_empty() {
        return None;
    }
    let of_caller = subject.caller()?;
    let (field, plans) = of_caller.plan.as_ref()?;
    let record = names::of_type(&of_caller.resource);
    let (caller, verdict) = match subject.operation.plan() {
        None => (quote!(_caller), quote!(Ok(()))),
        Some(plan) => {
            let (field, plans, plan) = (names::value(field), names::of_type(plans), names::of_type(plan));
            let variant = names::of_type(&subject.entry(Step::Plan).name);
            let verdict = quote!(if caller.#field == #plans::#plan { Ok(()) } else { Err(Error::#variant) });
            (quote!(caller), verdict)
        }
    };
    Some(quote! {
        /// The plan guard again, for the transaction that commits: whether the caller's current plan allows this.
        ///
        /// # Errors
        /// If the plan does not.
        pub fn recheck(#caller: &#record) -> Result<(), Error> {
            #verdict
        }
    })
}
