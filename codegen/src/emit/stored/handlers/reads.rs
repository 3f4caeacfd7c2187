//! Emits lists, reads of one record, and feeds of events.

use crate::emit::shared::keeping::{Keeping, tree_of_index};
use crate::emit::shared::loading::{Loading, Reader};
use crate::emit::shared::writing::found;
use crate::emit::shared::{GeneratedName, OperationContext, names, plain};
use crate::model::{AnswerFrom, Data, FilterBy, Index, Model, Operation, Resource, SortKey, Target, ValueCounts, find};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Reads a page of a list.
pub(super) fn list(subject: &OperationContext<'_>, resource: &str, view: &str) -> TokenStream {
    let (context, operation) = (subject.context, subject.operation);
    let resource = context.model.resource(resource);
    let ordered = match &operation.orders {
        None => index(context.model, operation, resource, &operation.sort),
        Some(orders) => {
            let by = names::value(&orders.by);
            let of = find(&operation.query, |field| field.name == orders.by);
            let of = context.owned(&of.of);
            let cases = orders.all.iter().map(|order| {
                let index = index(context.model, operation, resource, &order.keys);
                let name = names::of_type(&order.name);
                quote!(#of::#name => #index)
            });
            quote!(match request.query.#by { #(#cases,)* })
        }
    };
    let has_total = subject.has_total();
    let view = find(&resource.views, |one| one.name == view);
    let shown = Loading::of_view(context, Reader::Trees, resource, view).expect("checked: its rows can be shown");
    let (loads, arguments, method) = (&shown.statements, &shown.arguments, names::value(&view.name));
    let record = names::of_type(&resource.name);
    let row = quote!(|record: &#record| {
        #(#loads)*
        Ok(record.#method(#(#arguments),*))
    });
    let answer = match has_total {
        true => quote!(support::Page {
            rows: rows.into_iter().collect(),
            total
        }),
        false => quote!(rows.into_iter().collect()),
    };
    let read = read(subject, resource, &ordered, &row);
    quote! {
        #read
        Ok(#answer)
    }
}

/// Counts the records of a list, which are read in any of its orders.
pub(super) fn counts(subject: &OperationContext<'_>, counts: &ValueCounts) -> TokenStream {
    let model = subject.context.model;
    let resource = model.resource(&counts.resource);
    let list = subject.counted().expect("checked: there is the list").operation;
    let order = list.each_order().next().map_or(&[][..], |(_, keys)| keys);
    let ordered = index(model, list, resource, order);
    let (record, field) = (names::of_type(&resource.name), names::value(&counts.value.name));
    let row = quote!(|record: &#record| Ok(record.#field.clone()));
    let values = match resource.field(&counts.value.name).of.optional {
        true => quote!(rows.into_iter().flatten()),
        false => quote!(rows.into_iter()),
    };
    let read = read(subject, resource, &ordered, &row);
    quote! {
        #read
        Ok(operation::Success::from_counts(#values.map(|value| (value, 1))))
    }
}

/// Reads the rows of a page, and how many there are on all pages if that is counted.
fn read(subject: &OperationContext<'_>, resource: &Resource, ordered: &TokenStream, row: &TokenStream) -> TokenStream {
    let operation = subject.operation;
    let record = names::of_type(&resource.name);
    let of_one = operation.parent_filter();
    let prefix = of_one.map(|filter| match &filter.by {
        FilterBy::Path(name) => {
            let name = names::value(name);
            quote!(support::Key::bytes(&request.path.#name))
        }
        _ => quote!(support::Key::bytes(&request.caller.id)),
    });
    let prefix = prefix.unwrap_or(quote!(support::KeyBytes::new()));
    let window = window(operation);
    let (has_total, total) = match subject.has_total() {
        true => (true, quote!(total)),
        false => (false, quote!(_)),
    };
    let filters = filters(subject, resource);
    let is_whole = operation
        .filters
        .iter()
        .all(|filter| of_one.is_some_and(|one| std::ptr::eq(one, filter)))
        && subject.realm_of_list().is_none();
    let found = match is_whole {
        true => quote!(page.read(trees, #row)),
        false => quote!(page.filter(trees, |record: &#record| { #filters }, #row)),
    };
    quote! {
        let prefix = #prefix;
        let window: (i64, i64) = #window;
        let found = self.store().read(move |trees, view| {
            let page = kept::Listing::new(#ordered, &prefix, window, #has_total);
            #found
        });
        let (rows, #total) = found.await.map_err(support::Failure::from)?;
    }
}

/// The index in the order of a list, and whether its rows come in the opposite order.
fn index(model: &Model, list: &Operation, resource: &Resource, order: &[SortKey]) -> TokenStream {
    let index = model.index_of_order(list, order);
    let index = index.expect("checked: it is sorted by what is stored");
    let indexes = model.indexes(resource);
    let place_of = |index: &Index| indexes.iter().position(|one| one == index);
    let (same, opposite) = (place_of(&index), place_of(&index.opposite(list)));
    let place = same.or(opposite);
    // Without an index the records are read in the order of their ids.
    let descends = match place {
        None => index.parts.last().is_some_and(|key| key.descends),
        Some(_) => same.is_none(),
    };
    let index = place.map_or(quote!(None), |place| {
        let tree = tree_of_index(resource, place);
        quote!(Some(#tree))
    });
    quote!((#index, #descends))
}

/// The rows before a page, and how many it has at most.
fn window(operation: &Operation) -> TokenStream {
    let Some(pages) = &operation.pages else {
        return quote!((0, i64::MAX));
    };
    let number = |name: &str| {
        let field = operation.query.iter().find(|field| field.name == name);
        let is_optional = field.is_some_and(|field| field.of.optional);
        let name = names::value(name);
        match is_optional {
            true => quote!(request.query.#name.unwrap_or(i64::MAX)),
            false => quote!(request.query.#name),
        }
    };
    let size = number(pages.size.as_str());
    let offset = match (&pages.offset, &pages.number) {
        (Some(offset), _) => number(offset.as_str()),
        (None, Some(page)) => {
            let page = number(page.as_str());
            quote!((#page - 1).saturating_mul(#size))
        }
        (None, None) => quote!(0),
    };
    quote!((#offset, #size))
}

/// Whether a list has `record`.
fn filters(subject: &OperationContext<'_>, resource: &Resource) -> TokenStream {
    let operation = subject.operation;
    let loading = plain::filter_loading(subject, resource);
    let (loading, of_filters) = loading.expect("checked: what filters compare can be read");
    let (records, of_realm) = loading.arguments.split_at(of_filters);
    let loads = &loading.statements;
    // In the order in which the first filter of each kind comes.
    let mut others: Vec<TokenStream> = Vec::new();
    for filter in &operation.filters {
        let argument = match &filter.by {
            FilterBy::Query(..) => quote!(&request.query),
            FilterBy::Path(_) => quote!(request.path),
            FilterBy::Caller => quote!(request.caller.id),
            FilterBy::Value(_) => continue,
        };
        if !others.iter().any(|one| one.to_string() == argument.to_string()) {
            others.push(argument);
        }
    }
    let realm = subject.realm_of_list().map(|_| quote!(request.caller.realm));
    let is_empty = operation.filters.is_empty() && realm.is_none();
    if is_empty {
        return quote!(Ok(true));
    }
    quote! {
        #(#loads)*
        Ok(operation::matches(record, #(#records,)* #(#others,)* #(#of_realm,)* #realm))
    }
}

/// Reads and shows one record.
pub(super) fn one(subject: &OperationContext<'_>, keeping: Keeping<'_>) -> TokenStream {
    let context = subject.context;
    let Some(Data::One { resource, view }) = &subject.operation.data else {
        return quote!(Ok(()));
    };
    let resource = context.model.resource(resource);
    let record = names::of_type(&resource.name);
    let view = find(&resource.views, |one| one.name == *view);
    let shown = Loading::of_view(context, Reader::Trees, resource, view).expect("checked: it can be shown");
    let (loads, arguments, method) = (&shown.statements, &shown.arguments, names::value(&view.name));
    let is_found = matches!(
        subject.operation.answers.first(),
        Some(AnswerFrom::View(Target::Found(_)))
    );
    let show = quote!(record.#method(#(#arguments),*));
    if is_found {
        let found = found(subject, &resource.name);
        if loads.is_empty() {
            return quote! {
                let record = &request.#found;
                Ok(#show)
            };
        }
        return quote! {
            let shown = self.store().read(move |trees, view| {
                let record: &#record = &request.#found;
                #(#loads)*
                Ok(#show)
            });
            Ok(shown.await.map_err(support::Failure::from)?)
        };
    }
    if keeping.host.is_some() && loads.is_empty() && context.model.is_guarded(resource) {
        let find = GeneratedName::Find(&resource.name).ident();
        let find_one = format_ident!("find_{}", names::snake(&resource.name));
        return quote! {
            let record = super::#find::#find_one(self, request.caller.id).await?.ok_or(support::Failure::Internal)?;
            Ok(#show)
        };
    }
    quote! {
        let shown = self.store().read(move |trees, view| {
            let record: std::sync::Arc<#record> = trees.shown(view, request.caller.id)?;
            #(#loads)*
            Ok(#show)
        });
        Ok(shown.await.map_err(support::Failure::from)?)
    }
}

/// Reads the feed of the caller, and waits for an event.
pub(super) fn feed(subject: &OperationContext<'_>) -> TokenStream {
    let feed = subject.operation.feed.as_ref().expect("checked: it is a feed");
    let caller = names::of_type(&subject.caller().expect("checked: a feed has callers").resource);
    let (after, size) = (names::value(&feed.after), names::value(&feed.size));
    let kinds = feed.types.as_ref().map(|types| {
        let types = names::value(types);
        quote!(request.query.#types.clone())
    });
    let kinds = kinds.unwrap_or(quote!(None));
    let wait = feed.wait.as_ref().map(|wait| {
        let wait = names::value(wait);
        quote!(u64::try_from(request.query.#wait).unwrap_or(0))
    });
    let wait = wait.unwrap_or(quote!(0));
    quote! {
        let kinds: Option<Vec<super::events::Name>> = #kinds;
        let kinds = kinds.unwrap_or_else(|| super::events::Name::VALUES.to_vec());
        let asked = kept::kept::feeds::FeedRequest {
            after: request.query.#after,
            names: kinds.into_iter().map(super::events::Name::as_str).collect(),
            limit: usize::try_from(request.query.#size).unwrap_or(0),
            now: self.now(),
        };
        let of = super::events::Recipient::#caller(request.caller.id);
        let found = self.store().next_events(of, asked, std::time::Duration::from_secs(#wait), || self.now());
        let found = found.await.map_err(support::Failure::from)?;
        found.map_err(|kept::kept::feeds::UnknownCursor| operation::Error::UnknownCursor)
    }
}
