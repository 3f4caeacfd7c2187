//! The comparison of a field with what a filter names.

use super::{Context, OperationContext, names};
use crate::model::{Alike, Field, Filter, FilterBy, Kind, Matching, Resource, Synonyms, Type, TypeRule};
use proc_macro2::TokenStream;
use quote::quote;

/// The comparison of a filter of a list of this resource.
pub(crate) struct Comparison<'s> {
    pub(crate) subject: &'s OperationContext<'s>,
    pub(crate) resource: &'s Resource,
    pub(crate) filter: &'s Filter,
}

/// An expression, and one that borrows its value.
struct Expression {
    value: TokenStream,
    borrowed: TokenStream,
}

impl Comparison<'_> {
    /// Compares a field of this type: of a list, any item; null matches nothing.
    pub(crate) fn of(&self, field: &TokenStream, of: &Type) -> TokenStream {
        let item = Expression {
            value: quote!(*value),
            borrowed: quote!(value),
        };
        match (is_list(self.subject.context, of), of.optional) {
            (false, false) => self.with(&Expression {
                value: field.clone(),
                borrowed: quote!(&#field),
            }),
            (false, true) => {
                let compared = self.with(&item);
                quote!(#field.as_ref().is_some_and(|value| #compared))
            }
            (true, false) if self.is_equality() => {
                let wanted = self.wanted().borrowed;
                quote!(#field.contains(#wanted))
            }
            (true, is_optional) => {
                let compared = self.with(&item);
                let flatten = is_optional.then(|| quote!(.flatten()));
                quote!(#field.iter()#flatten.any(|value| #compared))
            }
        }
    }

    /// A condition that applies only if the query has the parameter.
    pub(crate) fn if_present(&self, condition: &TokenStream) -> TokenStream {
        let Some((parameter, matching)) = self.parameter() else {
            return condition.clone();
        };
        let name = names::value(&parameter.name);
        let wanted = self.wanted().value;
        let condition = match matching {
            Matching::Implied => quote!(!#wanted || #condition),
            _ => condition.clone(),
        };
        match parameter.of.optional {
            true => quote!(given_query.#name.as_ref().is_none_or(|given| #condition)),
            false if matching == Matching::Implied => quote!((#condition)),
            false => condition,
        }
    }

    /// Whether each word of a text is searched.
    pub(crate) fn is_search(&self) -> bool {
        matches!(self.filter.by, FilterBy::Query(_, Matching::Words))
    }

    /// Whether each word of what is searched is in one of some fields.
    pub(crate) fn each_word(&self, fields: Vec<TokenStream>) -> TokenStream {
        let wanted = self.wanted().borrowed;
        quote!(support::text::each_word(#wanted, |word| #(#fields)||*))
    }

    /// Whether two values of one type must be equal.
    fn is_equality(&self) -> bool {
        let context = self.subject.context;
        let kind = item(context, &self.filter.of.kind);
        self.parameter().is_some_and(|(parameter, matching)| {
            matching == Matching::Equal && parameter.of.kind == *kind && alike(context, kind).is_none()
        })
    }

    fn parameter(&self) -> Option<(&Field, Matching)> {
        let FilterBy::Query(name, matching) = &self.filter.by else {
            return None;
        };
        let found = self.subject.operation.query.iter().find(|field| field.name == *name);
        Some((found.expect("checked: the parameter exists"), *matching))
    }

    /// What the field is compared with.
    fn wanted(&self) -> Expression {
        let value = match &self.filter.by {
            FilterBy::Query(name, _) => {
                if self.parameter().is_some_and(|(parameter, _)| parameter.of.optional) {
                    return Expression {
                        value: quote!(*given),
                        borrowed: quote!(given),
                    };
                }
                let name = names::value(name);
                quote!(given_query.#name)
            }
            FilterBy::Path(name) => {
                let name = names::value(name);
                quote!(given_path.#name)
            }
            FilterBy::Caller | FilterBy::Value(_) => quote!(given_caller),
        };
        Expression {
            borrowed: quote!(&#value),
            value,
        }
    }

    fn with(&self, field: &Expression) -> TokenStream {
        let context = self.subject.context;
        let (kind, value) = (item(context, &self.filter.of.kind), &field.value);
        if let FilterBy::Value(fixed) = &self.filter.by {
            let single = Type {
                kind: kind.clone(),
                list: false,
                optional: false,
                ..self.filter.of.clone()
            };
            return context.is_one_of(&single, value, std::slice::from_ref(fixed));
        }
        let (parameter, matching) = match self.parameter() {
            Some((parameter, matching)) => (Some(&parameter.of), matching),
            None => (None, Matching::Equal),
        };
        if let Some(alike) = alike(context, kind) {
            return self.compare_texts(field, matching, alike);
        }
        let wanted = self.wanted().value;
        let [value, wanted] = match parameter {
            Some(parameter) => common(context, [(kind, value), (&parameter.kind, &wanted)]),
            None => [value.clone(), wanted],
        };
        match matching {
            Matching::AtLeast => quote!(#value >= #wanted),
            Matching::AtMost => quote!(#value <= #wanted),
            Matching::Implied => value,
            Matching::Equal | Matching::Part | Matching::Words => quote!(#value == #wanted),
        }
    }

    fn compare_texts(&self, field: &Expression, matching: Matching, alike: Alike) -> TokenStream {
        let (field, wanted) = (&field.borrowed, self.wanted().borrowed);
        let form = text_form(alike);
        let model = self.subject.context.model;
        let synonyms = model.synonyms_of(&self.resource.name, self.filter);
        let Some(synonyms) = synonyms else {
            return match matching {
                Matching::Words => quote!(#form(#field).contains(&#form(word))),
                Matching::Part => quote!(#form(#field).contains(&#form(#wanted))),
                _ => quote!(#form(#field) == #form(#wanted)),
            };
        };
        let compared = match matching {
            Matching::Part => quote!(SYNONYMS.part(#wanted).is_in(#field)),
            _ => quote!(SYNONYMS.mean_the_same(#field, #wanted)),
        };
        with_synonyms(synonyms, &form, &compared)
    }
}

/// An expression that uses these synonyms, in this form, as `SYNONYMS`.
pub(crate) fn with_synonyms(synonyms: &Synonyms, form: &TokenStream, used: &TokenStream) -> TokenStream {
    let groups = names::constant(&format!("{}_{}", synonyms.resource, synonyms.field));
    quote!({
        static SYNONYMS: std::sync::LazyLock<support::text::Synonyms> =
            std::sync::LazyLock::new(|| support::text::Synonyms::new(synonyms::#groups, #form));
        #used
    })
}

/// The function that brings a text into the form in which it is compared.
pub(crate) fn text_form(alike: Alike) -> TokenStream {
    match alike {
        Alike::Exact => quote!(str::to_owned),
        Alike::Casefold => quote!(support::text::casefold),
        Alike::NfkcCasefold => quote!(support::text::fold),
    }
}

/// Two values as values of one type: of the whole enum, or as numbers with decimals.
fn common(context: &Context<'_>, sides: [(&Kind, &TokenStream); 2]) -> [TokenStream; 2] {
    let [one, other] = sides.map(|(kind, _)| kind);
    if one == other {
        return sides.map(|(_, value)| value.clone());
    }
    let are_mixed = is_whole(context, one) != is_whole(context, other);
    sides.map(|(kind, value)| match kind {
        _ if are_mixed && is_whole(context, kind) => quote!(support::Number::from(#value)),
        Kind::Enum(name) if let Some(whole) = &context.model.enumeration(name).part_of => {
            let whole = names::of_type(whole);
            quote!(#whole::from(#value))
        }
        _ => value.clone(),
    })
}

/// The kind of a value, or of the items of a list.
pub(crate) fn item<'k>(context: &'k Context<'_>, kind: &'k Kind) -> &'k Kind {
    match rule(context, kind) {
        Some(TypeRule::List { of, .. }) => &of.kind,
        _ => kind,
    }
}

fn rule<'k>(context: &'k Context<'_>, kind: &Kind) -> Option<&'k TypeRule> {
    let Kind::Named(name) = kind else { return None };
    Some(&context.model.named_type(name).rule)
}

pub(crate) fn is_whole(context: &Context<'_>, kind: &Kind) -> bool {
    matches!(rule(context, kind), Some(TypeRule::Integer { .. }))
}

pub(crate) fn is_list(context: &Context<'_>, of: &Type) -> bool {
    of.list || matches!(rule(context, &of.kind), Some(TypeRule::List { .. }))
}

/// How texts of a kind are compared. `None` if they are no texts.
pub(crate) fn alike(context: &Context<'_>, kind: &Kind) -> Option<Alike> {
    match rule(context, kind) {
        Some(TypeRule::Text { alike, .. }) => Some(*alike),
        _ => (*kind == Kind::Stored).then_some(Alike::Exact),
    }
}
