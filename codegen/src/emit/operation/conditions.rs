//! Emits what the filters of a search compare, for an index in memory: the columns, and the conditions of a query.

use crate::emit::shared::comparison::{alike, is_list, is_whole, item, text_form, with_synonyms};
use crate::emit::shared::{Context, OperationContext, names};
use crate::model::{Alike, Field, Filter, FilterBy, Kind, Matching, Resource, Source, Type, TypeRule, find};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

/// `COLUMNS`, `Query::parse` and `Query::conditions`, if the operation searches the records of all callers, and an index can hold what its
/// filters compare.
pub(super) fn emit(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let operation = subject.operation;
    let resource = subject.context.model.resource(operation.listed()?);
    if operation
        .filters
        .iter()
        .any(|filter| matches!(filter.by, FilterBy::Path(_) | FilterBy::Caller))
    {
        return None;
    }
    let of_query = operation.filters.iter().filter_map(|filter| {
        let FilterBy::Query(name, matching) = &filter.by else {
            return None;
        };
        let parameter = find(&operation.query, |field| field.name == *name);
        Some(Condition {
            subject,
            resource,
            filter,
            parameter,
            matching: *matching,
        })
    });
    let of_query: Vec<Condition<'_>> = of_query.collect();
    let conditions = of_query.iter().map(Condition::emit).collect::<Option<Vec<_>>>()?;
    let mut columns: BTreeMap<String, (bool, TokenStream)> = BTreeMap::new();
    for one in &of_query {
        for (field, of) in one.filter.fields() {
            let values = one.values(field, of)?;
            let column = columns.entry(field.to_string()).or_insert((false, values));
            column.0 |= one.matching != Matching::Words;
        }
    }
    if conditions.is_empty() {
        return None;
    }
    let record = names::of_type(&resource.name);
    let columns = columns.iter().map(|(field, (is_alone, values))| {
        quote!(support::conditions::Column { field: #field, is_alone: #is_alone, values: #values })
    });
    Some(quote! {
        /// The fields that the filters compare.
        pub const COLUMNS: &[support::conditions::Column<#record>] = &[#(#columns),*];

        impl Query {
            /// From the query of a URL, such as `limit=1`: absent parameters have their defaults. `None` if it is invalid.
            #[must_use]
            pub fn parse(query: &str) -> Option<Self> {
                let mut errors = support::ValidationErrors::new();
                let parsed = Self::decode(Some(query), &mut errors);
                parsed.filter(|_| errors.is_empty())
            }

            /// The conditions that it sets on records.
            #[must_use]
            pub fn conditions(&self) -> Vec<support::conditions::Condition> {
                let mut conditions = Vec::new();
                #(#conditions)*
                conditions
            }
        }
    })
}

/// A filter by a parameter of the query.
struct Condition<'s> {
    subject: &'s OperationContext<'s>,
    resource: &'s Resource,
    filter: &'s Filter,
    parameter: &'s Field,
    matching: Matching,
}

/// How an index holds values.
enum Form {
    Text(TokenStream),
    Enum,
    Flag,
    Number,
    Whole,
}

impl Condition<'_> {
    /// Adds the condition, if the query has the parameter.
    fn emit(&self) -> Option<TokenStream> {
        let condition = self.condition()?;
        let name = names::value(&self.parameter.name);
        Some(match (self.matching, self.parameter.of.optional) {
            (Matching::Implied, true) => quote!(if self.#name == Some(true) { conditions.push(#condition); }),
            (Matching::Implied, false) => quote!(if self.#name { conditions.push(#condition); }),
            (_, true) => quote!(if let Some(given) = &self.#name { conditions.push(#condition); }),
            (_, false) => quote!({ let given = &self.#name; conditions.push(#condition); }),
        })
    }

    /// The condition of the value `given`.
    fn condition(&self) -> Option<TokenStream> {
        let context = self.subject.context;
        let field = self.filter.field.to_string();
        let form = form(context, item(context, &self.filter.of.kind))?;
        let as_scalar = |variant: TokenStream| {
            let has_one_form =
                is_whole(context, item(context, &self.filter.of.kind)) == is_whole(context, &self.parameter.of.kind);
            let is_single = !is_list(context, &self.filter.of);
            let value = match form {
                Form::Flag => quote!(Flag(*given)),
                Form::Number => quote!(Number(*given)),
                Form::Whole => quote!(Whole(support::conditions::Whole::whole(*given))),
                Form::Text(_) | Form::Enum => return None,
            };
            let value = quote!(support::conditions::Scalar::#value);
            (has_one_form && is_single).then(|| quote!(support::conditions::Condition::#variant(#field, #value)))
        };
        match (self.matching, &form) {
            (Matching::Words, Form::Text(form)) => {
                let fields = self.filter.fields().map(|(field, _)| field.to_string());
                Some(quote!(support::conditions::Condition::Words(
                    &[#(#fields),*],
                    given.split_whitespace().map(#form).collect(),
                )))
            }
            (Matching::Part, Form::Text(form)) => {
                let part = match self.subject.context.model.synonyms_of(&self.resource.name, self.filter) {
                    Some(synonyms) => with_synonyms(synonyms, form, &quote!(SYNONYMS.part(given))),
                    None => quote!(support::text::Part::of(#form(given), #form)),
                };
                Some(quote!(support::conditions::Condition::Part(#field, #part)))
            }
            (Matching::Equal, Form::Text(form)) => {
                let synonyms = self.subject.context.model.synonyms_of(&self.resource.name, self.filter);
                synonyms
                    .is_none()
                    .then(|| quote!(support::conditions::Condition::Is(#field, #form(given))))
            }
            (Matching::Equal, Form::Enum) => {
                Some(quote!(support::conditions::Condition::Is(#field, given.as_str().to_owned())))
            }
            (Matching::Equal, _) => as_scalar(quote!(Equal)),
            (Matching::Implied, _) => Some(quote!(support::conditions::Condition::Equal(
                #field,
                support::conditions::Scalar::Flag(true),
            ))),
            (Matching::AtLeast, _) => as_scalar(quote!(AtLeast)),
            (Matching::AtMost, _) => as_scalar(quote!(AtMost)),
            _ => None,
        }
    }

    /// How the values of a field are read.
    fn values(&self, source: &Source, of: &Type) -> Option<TokenStream> {
        let context = self.subject.context;
        if self.filter.through.is_some() {
            return None;
        }
        let form = form(context, item(context, &of.kind))?;
        // The value by reference, by value, and as what has methods.
        let read = |[borrowed, value, place]: [TokenStream; 3]| match &form {
            Form::Text(form) => quote!(#form(#borrowed)),
            Form::Enum => quote!(#place.as_str().to_owned()),
            Form::Flag | Form::Number => value,
            Form::Whole => quote!(support::conditions::Whole::whole(#value)),
        };
        let (stored, part) = match source {
            Source::Stored(field) => (self.resource.field(field), None),
            Source::Each(field, part) => (self.resource.field(field), Some(names::value(part))),
            Source::Joined(_) => return None,
        };
        let name = names::value(&stored.name);
        let variant = match (&form, is_list(context, &stored.of) || part.is_some()) {
            (Form::Text(_) | Form::Enum, true) if !stored.of.optional => {
                let item = match &part {
                    Some(part) => read([quote!(&item.#part), quote!(item.#part), quote!(item.#part)]),
                    None => read([quote!(item), quote!(*item), quote!(item)]),
                };
                return Some(quote!(support::conditions::Values::Texts(
                    |record| record.#name.iter().map(|item| #item).collect()
                )));
            }
            (_, true) => return None,
            (Form::Text(_) | Form::Enum, false) => quote!(Text),
            (Form::Flag, false) => quote!(Flag),
            (Form::Number, false) => quote!(Number),
            (Form::Whole, false) => quote!(Whole),
        };
        let value = match stored.of.optional {
            true => {
                let value = read([quote!(value), quote!(*value), quote!(value)]);
                quote!(record.#name.as_ref().map(|value| #value))
            }
            false => {
                let value = read([quote!(&record.#name), quote!(record.#name), quote!(record.#name)]);
                quote!(Some(#value))
            }
        };
        Some(quote!(support::conditions::Values::#variant(|record| #value)))
    }
}

fn form(context: &Context<'_>, kind: &Kind) -> Option<Form> {
    if let Some(alike) = alike(context, kind) {
        return Some(Form::Text(text_form(alike)));
    }
    match kind {
        Kind::Enum(_) => Some(Form::Enum),
        Kind::Boolean | Kind::Flag => Some(Form::Flag),
        Kind::Id(resource) if context.model.ids(resource).is_uuid() => None,
        Kind::Timestamp | Kind::Id(_) => Some(Form::Whole),
        Kind::Format(format) => match format.rust {
            None => Some(Form::Text(text_form(Alike::Exact))),
            Some("Date") => Some(Form::Whole),
            Some(_) => None,
        },
        Kind::Named(name) => match context.model.named_type(name).rule {
            TypeRule::Number { .. } => Some(Form::Number),
            TypeRule::Integer { .. } => Some(Form::Whole),
            _ => None,
        },
        _ => None,
    }
}
