//! Emits the order of an operation's list, if the contract declares an order over stored fields.

use crate::emit::shared::{OperationContext, names};
use crate::model::Data;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let operation = subject.operation;
    let Some(Data::Many { resource, .. }) = &operation.data else {
        return None;
    };
    if operation.sort.is_empty() {
        return None;
    }
    let record = names::of_type(resource);
    let mut sort = operation.sort.clone();
    if sort.iter().all(|(field, _)| field != "id") {
        sort.push(("id".to_owned(), false));
    }
    let keys = sort.iter().map(|(field, reversed)| {
        let field = names::value(field);
        let reverse = reversed.then(|| quote!(.reverse()));
        quote!(a.#field.cmp(&b.#field)#reverse)
    });
    let doc = format!("The order of the list: {}.", sort_words(&sort));
    Some(quote! {
        #[doc = #doc]
        #[must_use]
        pub fn order(a: &#record, b: &#record) -> std::cmp::Ordering {
            std::cmp::Ordering::Equal #(.then_with(|| #keys))*
        }
    })
}

fn sort_words(sort: &[(String, bool)]) -> String {
    let words = sort
        .iter()
        .map(|(field, reversed)| format!("`{field}` {}", if *reversed { "descending" } else { "ascending" }));
    words.collect::<Vec<_>>().join(", then ")
}
