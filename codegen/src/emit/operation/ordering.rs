//! Emits the order of an operation's list, if the contract declares an order over stored fields.

use crate::emit::shared::{OperationContext, names};
use crate::model::{Data, Nulls, SortKey, with_id};
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
    let Some(orders) = &operation.orders else {
        let (doc, compared) = (sort_words(&operation.sort), comparison(&operation.sort));
        let doc = format!("The order of the list: {doc}.");
        return Some(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn order(a: &#record, b: &#record) -> std::cmp::Ordering {
                #compared
            }
        });
    };
    let of = operation.query.iter().find(|field| field.name == orders.by);
    let of = subject.context.owned(&of.expect("checked: the parameter exists").of);
    let cases = orders.all.iter().map(|order| {
        let (name, compared) = (names::of_type(&order.name), comparison(&order.keys));
        quote!(#of::#name => #compared)
    });
    let lines = orders
        .all
        .iter()
        .map(|order| format!("`{}`: {}", order.name, sort_words(&order.keys)));
    let doc = format!("The order of the list: {}.", lines.collect::<Vec<_>>().join("; "));
    Some(quote! {
        #[doc = #doc]
        #[must_use]
        pub fn order(by: #of, a: &#record, b: &#record) -> std::cmp::Ordering {
            match by {
                #(#cases,)*
            }
        }
    })
}

/// Compares the records `a` and `b`.
fn comparison(sort: &[SortKey]) -> TokenStream {
    let keys = with_id(sort.to_vec()).into_iter().map(|key| {
        let field = names::value(&key.field);
        let reverse = key.descends.then(|| quote!(.reverse()));
        let compared = quote!(a.#field.cmp(&b.#field)#reverse);
        match key.nulls.filter(|_| key.moves_nulls()) {
            Some(Nulls::First) => quote!(a.#field.is_some().cmp(&b.#field.is_some()).then_with(|| #compared)),
            Some(Nulls::Last) => quote!(a.#field.is_none().cmp(&b.#field.is_none()).then_with(|| #compared)),
            None => compared,
        }
    });
    quote!(std::cmp::Ordering::Equal #(.then_with(|| #keys))*)
}

fn sort_words(sort: &[SortKey]) -> String {
    let words = with_id(sort.to_vec()).iter().map(SortKey::in_words).collect::<Vec<_>>();
    words.join(", then ")
}
