//! Emits the filters of a list as conditions on records.

use crate::emit::shared::comparison::Comparison;
use crate::emit::shared::joined::Place;
use crate::emit::shared::operation_context::each_once;
use crate::emit::shared::{GeneratedName, OperationContext, names};
use crate::model::{Field, Filter, FilterBy, Realm, Resource, Source, Type, find};
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::BTreeMap;

/// `shows` for the fixed values of each record, and `matches` for all filters.
pub(super) fn emit(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let filters = &subject.operation.filters;
    let resource = subject.context.model.resource(subject.operation.listed()?);
    let filtering = Filtering { subject, resource };
    let mut fixed: BTreeMap<_, Vec<&Filter>> = BTreeMap::new();
    for filter in filters.iter().filter(|filter| is_fixed(filter)) {
        fixed.entry(&filter.through).or_default().push(filter);
    }
    let shows = fixed.values().map(|filters| filtering.shows(filters));
    let (calls, functions): (Vec<_>, Vec<_>) = shows.unzip();
    let others = filters.iter().filter(|filter| !is_fixed(filter));
    let conditions = calls
        .into_iter()
        .chain(others.map(|filter| filtering.condition(filter)));
    let (realm_parameters, in_realm) = subject.realm_of_list().map(|realm| filtering.realm(realm)).unzip();
    let conditions: Vec<TokenStream> = conditions.chain(in_realm).collect();
    let condition = match conditions.as_slice() {
        [one] => without_parentheses(one),
        all => quote!(#(#all)&&*),
    };
    let record = names::of_type(&resource.name);
    let records = filters.iter().filter_map(|filter| filtering.record(filter));
    let others = filters.iter().filter_map(|filter| filtering.by(filter));
    let parameters = records.chain(others).chain(realm_parameters.into_iter().flatten());
    let parameters = each_once(parameters);
    (!conditions.is_empty()).then(|| {
        quote! {
            #(#functions)*

            /// Whether the list has a record, on one of its pages.
            #[must_use]
            pub fn matches(given_record: &#record, #(#parameters),*) -> bool {
                #condition
            }
        }
    })
}

fn without_parentheses(condition: &TokenStream) -> TokenStream {
    let mut tokens = condition.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(group)), None) => group.stream(),
        _ => condition.clone(),
    }
}

/// Whether the filter compares a stored field with a fixed value.
fn is_fixed(filter: &Filter) -> bool {
    matches!(filter.by, FilterBy::Value(_)) && !matches!(filter.field, Source::Joined(_))
}

struct Filtering<'s> {
    subject: &'s OperationContext<'s>,
    resource: &'s Resource,
}

impl<'s> Filtering<'s> {
    /// The call of a function and the function: whether a record has its fixed values.
    fn shows(&self, filters: &[&'s Filter]) -> (TokenStream, TokenStream) {
        let (name, call, resource) = match self.place(filters[0]) {
            Some(Place::Record {
                argument,
                resource,
                is_optional,
                ..
            }) => {
                let name = format_ident!("shows_of_{argument}");
                let call = match is_optional {
                    true => quote!(#argument.is_some_and(#name)),
                    false => quote!(#name(#argument)),
                };
                (name, call, self.subject.context.model.resource(resource))
            }
            _ => (format_ident!("shows"), quote!(shows(given_record)), self.resource),
        };
        let conditions = filters
            .iter()
            .map(|filter| self.compare(&quote!(given_record), resource, filter));
        let texts: Vec<_> = filters.iter().map(|filter| format!("`{filter}`")).collect();
        let doc = format!("Whether the list may show it: {}.", texts.join(", "));
        let record = names::of_type(&resource.name);
        let function = quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name(given_record: &#record) -> bool {
                #(#conditions)&&*
            }
        };
        (call, function)
    }

    /// The parameters and the condition that leave out records of other realms.
    fn realm(&self, realm: &'s Realm) -> (Vec<TokenStream>, TokenStream) {
        let of = self.subject.context.owned(&realm.of);
        let field = names::value(&realm.field);
        let place = realm.through.as_ref().map(|id| {
            let ids = std::slice::from_ref(id);
            Place::followed(self.subject.context, self.resource, ids, &realm.field)
        });
        let record = match &place {
            Some(Place::Record { argument, .. }) => quote!(#argument),
            _ => quote!(given_record),
        };
        let other = place.and_then(|place| place.record());
        let parameters = other.into_iter().chain([quote!(given_realm: #of)]);
        (parameters.collect(), quote!(#record.#field == given_realm))
    }

    fn condition(&self, filter: &'s Filter) -> TokenStream {
        let comparison = self.comparison(filter);
        let record = quote!(given_record);
        if comparison.is_search() {
            let fields = filter.fields().map(|(field, of)| {
                let one = Filter {
                    field: field.clone(),
                    of: of.clone(),
                    others: Vec::new(),
                    ..filter.clone()
                };
                self.compare(&record, self.resource, &one)
            });
            let searched = comparison.each_word(fields.collect());
            return comparison.if_present(&searched);
        }
        let compared = match self.place(filter) {
            None => self.compare(&record, self.resource, filter),
            Some(Place::Own(field)) => comparison.of(&quote!(#record.#field.is_some()), &filter.of),
            Some(Place::Constant(number)) => {
                let number = proc_macro2::Literal::i64_suffixed(number.into());
                comparison.of(&quote!(#number), &filter.of)
            }
            Some(Place::Argument) => {
                let name = names::value(filter.field.field());
                comparison.of(&quote!(#name), &filter.of)
            }
            Some(Place::Record {
                argument,
                resource,
                field,
                is_optional,
            }) => {
                let of = &self.subject.context.model.resource(resource).field(field).of;
                let field = names::value(field);
                let compared = comparison.of(&quote!(#argument.#field), of);
                match is_optional {
                    true => quote!(#argument.is_some_and(|#argument| #compared)),
                    false => compared,
                }
            }
        };
        comparison.if_present(&compared)
    }

    /// Compares a stored field, or a member of each of its items.
    fn compare(&self, record: &TokenStream, resource: &Resource, filter: &Filter) -> TokenStream {
        let (comparison, field) = (self.comparison(filter), names::value(filter.field.field()));
        match &filter.field {
            Source::Each(_, part) => {
                let item = Type {
                    list: false,
                    ..filter.of.clone()
                };
                let part = names::value(part);
                let compared = comparison.of(&quote!(item.#part), &item);
                quote!(#record.#field.iter().any(|item| #compared))
            }
            _ => comparison.of(&quote!(#record.#field), &resource.field(filter.field.field()).of),
        }
    }

    fn comparison<'f>(&self, filter: &'f Filter) -> Comparison<'f>
    where
        's: 'f,
    {
        Comparison {
            subject: self.subject,
            resource: self.resource,
            filter,
        }
    }

    /// Where the field of a filter is, if it is not one of the listed record.
    fn place(&self, filter: &'s Filter) -> Option<Place<'s>> {
        let context = self.subject.context;
        match (&filter.through, &filter.field) {
            (Some(id), field) => {
                let ids = std::slice::from_ref(id);
                Some(Place::followed(context, self.resource, ids, field.field()))
            }
            (None, Source::Joined(name)) => Some(Place::for_joined_field(context, self.resource, self.joined(name))),
            (None, _) => None,
        }
    }

    fn joined(&self, name: &str) -> &'s Field {
        find(&self.resource.joined, |field| field.name == name)
    }

    /// The parameter for the record that has the field.
    fn record(&self, filter: &'s Filter) -> Option<TokenStream> {
        let place = self.place(filter)?;
        match &filter.field {
            Source::Joined(name) => place.parameter(self.subject.context, self.joined(name)),
            _ => place.record(),
        }
    }

    /// The parameter for what the field is compared with.
    fn by(&self, filter: &Filter) -> Option<TokenStream> {
        match &filter.by {
            FilterBy::Query(..) => Some(quote!(given_query: &Query)),
            FilterBy::Path(_) => Some(quote!(given_path: Path)),
            FilterBy::Caller => {
                let id = GeneratedName::Id(&self.subject.caller()?.resource).ident();
                Some(quote!(given_caller: #id))
            }
            FilterBy::Value(_) => None,
        }
    }
}
