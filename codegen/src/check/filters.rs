//! Rules about filters: both sides exist and can be compared.

use super::enums::check_value;
use super::fields::{check_source, picked};
use super::lookup::{LocatedOperation, TypeTarget, entry, field, find, names, operations, type_target};
use super::success::listed;
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::formats::Format;
use crate::matching::Matching;
use crate::syntax::{EnumDef, Filter, FilterBy, ListDef, Resource, Spec, TypeDef, TypeUse, Word};
use std::collections::HashMap;

/// `unknown-field`: a filter names a field that the listed resource does not have, or a parameter that does not exist.
pub(super) fn unknown_filter_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let Some(resource) = resource(operation) else { continue };
        for filter in &operation.endpoint.filters {
            match filter.followed() {
                Some((id, field)) => match leads_to(spec, resource.1, &id) {
                    Some(next) => check_source(spec, &field, next, diagnostics),
                    None => diagnostics.push(not_an_id(&id, resource)),
                },
                None => check_source(spec, &filter.field, resource, diagnostics),
            }
            filter
                .others
                .iter()
                .for_each(|other| check_source(spec, other, resource, diagnostics));
            if let Some(of) = &filter.synonyms
                && find(&spec.synonyms, &of.text).is_none()
            {
                let message = format!("`{}` has no synonyms", of.text);
                let diagnostic = Diagnostic::new(Rule::UnknownField, of.at, message);
                let known = spec.synonyms.iter().map(|(name, _)| name.text.as_str());
                diagnostics.push(diagnostic.propose(&of.text, known));
            }
            if let FilterBy::Parameter(name, _) = &filter.by
                && parameter(operation, &name.text).is_none()
            {
                let endpoint = operation.endpoint;
                let message = format!("there is no parameter `{}`", name.text);
                let known = names(&endpoint.query).chain(names(&endpoint.path));
                let diagnostic = Diagnostic::new(Rule::UnknownField, name.at, message);
                let diagnostic = diagnostic.propose(&name.text, while_few(diagnostics, known));
                diagnostics.push(match endpoint.query.is_empty() && endpoint.path.is_empty() {
                    true => diagnostic.help("declare it in `query`"),
                    false => diagnostic,
                });
            }
        }
    }
}

/// The resource whose id a stored field holds.
pub(super) fn leads_to<'s>(spec: &'s Spec, resource: &Resource, id: &Word) -> Option<(&'s Word, &'s Resource)> {
    let used = find(&resource.fields, &id.text).filter(|used| !used.list)?;
    let (next, _) = used.name.text.split_once('.').filter(|(_, part)| *part == "id")?;
    entry(&spec.resources, next).map(|(name, resource)| (name, resource))
}

pub(super) fn not_an_id(id: &Word, (name, resource): (&Word, &Resource)) -> Diagnostic {
    let message = format!(
        "`{}` has no field `{}` with the id of another record",
        name.text, id.text
    );
    let ids = resource
        .fields
        .iter()
        .filter(|(_, used)| used.name.text.ends_with(".id"));
    let diagnostic = Diagnostic::new(Rule::UnknownField, id.at, message);
    diagnostic.propose(&id.text, ids.map(|(name, _)| name.text.as_str()))
}

/// The resource that an operation lists, with its name where it is declared.
fn resource<'s>(operation: LocatedOperation<'s>) -> Option<(&'s Word, &'s Resource)> {
    let (resource, _) = listed(operation.endpoint)?.text.split_once('.')?;
    let (name, resource) = entry(&operation.spec.resources, resource)?;
    Some((name, resource))
}

fn parameter<'s>(operation: LocatedOperation<'s>, name: &str) -> Option<&'s TypeUse> {
    let endpoint = operation.endpoint;
    find(&endpoint.query, name).or_else(|| find(&endpoint.path, name))
}

/// `filter`: the endpoint returns no list, the two sides cannot be compared, or another filter compares the same.
pub(super) fn filter(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let Some(first) = operation.endpoint.filters.first() else {
            continue;
        };
        if listed(operation.endpoint).is_none() {
            let message = "only a list can have filters, but `data` is not a list";
            diagnostics.push(Diagnostic::new(Rule::Filter, first.at, message));
            continue;
        }
        let Some((_, resource)) = resource(operation) else {
            continue;
        };
        let mut seen: HashMap<(&str, &str), &Filter> = HashMap::new();
        for filter in &operation.endpoint.filters {
            for field in std::iter::once(&filter.field).chain(&filter.others) {
                match seen.insert((left(filter), field.text.as_str()), filter) {
                    Some(first) => diagnostics.push(repeated(filter, field, first)),
                    None => misfit(operation, resource, (filter, field), diagnostics),
                }
            }
        }
    }
}

/// The left side of a filter. All fixed values count as the same one.
fn left(filter: &Filter) -> &str {
    match &filter.by {
        FilterBy::Parameter(name, _) => &name.text,
        FilterBy::Caller(word) => &word.text,
        FilterBy::Value(_) => "",
    }
}

fn repeated(filter: &Filter, field: &Word, first: &Filter) -> Diagnostic {
    let (field, by) = (&field.text, left(filter));
    let message = match by {
        "" => format!("`{field}` already has a fixed value"),
        by => format!("`{by}` is already compared with `{field}`"),
    };
    Diagnostic::new(Rule::Filter, filter.at, message).related(first.at, "here")
}

/// Reports a filter whose sides cannot be compared.
fn misfit(
    operation: LocatedOperation<'_>,
    resource: &Resource,
    (filter, field): (&Filter, &Word),
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (spec, name) = (operation.spec, field);
    let used = match filter.followed() {
        Some((id, field)) => leads_to(spec, resource, &id).and_then(|(_, next)| find(&next.fields, &field.text)),
        None => source(spec, resource, &name.text),
    };
    let Some(used) = used else {
        return;
    };
    let field = Comparable::from_type(spec, used);
    if matches!(field, Comparable::Unknown) {
        return;
    }
    let diagnostic = |message: String| {
        Diagnostic::new(Rule::Filter, filter.at, message).related(used.name.at, "the type of the field")
    };
    let subject = subject(spec, name, used);
    match &filter.by {
        FilterBy::Parameter(_, Matching::Words)
            if find(&resource.fields, &name.text).is_none() && find(&resource.joined, &name.text).is_some() =>
        {
            let message = format!("`{}` is joined: `searches` needs stored fields", name.text);
            diagnostics.push(diagnostic(message));
        }
        FilterBy::Parameter(name, matching) => {
            let Some(parameter) = parameter(operation, &name.text) else {
                return;
            };
            let unlike = unlike(spec, (parameter, *matching), &field);
            diagnostics.extend(unlike.map(|(left, needed)| {
                let message = format!(
                    "`{}` is {left}, but {subject} is {}: {needed}",
                    name.text,
                    field.describe()
                );
                diagnostic(message).related(parameter.name.at, "the type of the parameter")
            }));
        }
        FilterBy::Caller(_) => {
            let why = not_the_caller(operation, &subject, &field);
            diagnostics.extend(why.map(|message| operation.with_credential(diagnostic(message))));
        }
        FilterBy::Value(value) => match field {
            Comparable::Enum(_, of) => check_value(value, of, diagnostics),
            other => diagnostics.extend(not_a_value(&subject, &other, value).map(diagnostic)),
        },
    }
}

/// Why a field that is not an enum cannot have a fixed value.
fn not_a_value(subject: &str, field: &Comparable<'_>, value: &Word) -> Option<String> {
    match field {
        Comparable::Boolean if matches!(value.text.as_str(), "true" | "false") => None,
        Comparable::Boolean => Some(format!("{subject} is `true` or `false`, never `{}`", value.text)),
        other => Some(format!(
            "{subject} is {}: `is` needs an enum or a boolean",
            other.describe()
        )),
    }
}

/// What a filter compares of a field: of a list, the items.
fn subject(spec: &Spec, field: &Word, used: &TypeUse) -> String {
    let is_pick = field.text.contains("[]");
    let is_list = used.list
        || matches!(
            type_target(spec, &used.name.text),
            TypeTarget::Type(TypeDef::List { .. })
        );
    match is_list && !is_pick {
        true => format!("an item of `{}`", field.text),
        false => format!("`{}`", field.text),
    }
}

/// Describes the type of a parameter, and the type that the comparison needs, if they do not fit.
fn unlike(
    spec: &Spec,
    (parameter, matching): (&TypeUse, Matching),
    field: &Comparable<'_>,
) -> Option<(String, &'static str)> {
    let left = Comparable::from_type(spec, parameter);
    // A parameter of such a type has been reported already.
    let is_misplaced = matches!(left, Comparable::Object | Comparable::Moment);
    (!is_misplaced && !left.fits(matching, field)).then(|| (left.describe(), needed(matching)))
}

/// Why a field cannot be the id of the caller.
fn not_the_caller(operation: LocatedOperation<'_>, subject: &str, field: &Comparable<'_>) -> Option<String> {
    let name = operation.surface.credential.as_ref();
    let Some(caller) = operation.caller() else {
        // An unknown credential has been reported already.
        let is_known = name.is_none_or(|name| find(&operation.spec.credentials, &name.text).is_some());
        return is_known.then(|| match name {
            Some(name) => format!("the caller is unknown: the credential `{}` has no `caller`", name.text),
            None => "the caller is unknown: the surface has no credential".to_owned(),
        });
    };
    let is_its_id = matches!(field, Comparable::Id(resource) if *resource == caller.text);
    let (caller, text) = (&caller.text, field.describe());
    (!is_its_id).then(|| format!("`$caller` is the id of a `{caller}`, but {subject} is {text}"))
}

/// The type of a field, or of the member that is picked from its items.
fn source<'s>(spec: &'s Spec, resource: &'s Resource, source: &str) -> Option<&'s TypeUse> {
    match source.split_once("[].") {
        Some((list, member)) => picked(spec, find(&resource.fields, list)?, member),
        None => field(resource, source),
    }
}

/// What a value can be compared as. For a list: its items.
enum Comparable<'s> {
    Text,
    Number,
    Format(&'static Format),
    Moment,
    Boolean,
    /// The id of a resource.
    Id(&'s str),
    /// A value of an enum: the name of the whole enum, which differs if this one is a subset, and the enum itself.
    Enum(&'s str, &'s (Word, EnumDef)),
    Object,
    Unknown,
}

impl<'s> Comparable<'s> {
    fn from_type(spec: &'s Spec, used: &'s TypeUse) -> Self {
        Comparable::named(spec, &used.name.text)
    }

    fn named(spec: &'s Spec, name: &'s str) -> Self {
        match type_target(spec, name) {
            TypeTarget::Type(TypeDef::String { .. }) | TypeTarget::BuiltIn("string") => Comparable::Text,
            TypeTarget::Type(TypeDef::Number { .. } | TypeDef::Integer { .. }) => Comparable::Number,
            TypeTarget::Type(TypeDef::List(ListDef { of, .. })) => match type_target(spec, &of.text) {
                // The items of a list of lists cannot be compared.
                TypeTarget::Type(TypeDef::List { .. }) => Comparable::Object,
                _ => Comparable::named(spec, &of.text),
            },
            TypeTarget::Format(format) => Comparable::Format(format),
            TypeTarget::BuiltIn("timestamp") => Comparable::Moment,
            TypeTarget::BuiltIn("boolean" | "flag") => Comparable::Boolean,
            TypeTarget::Enum(of) => Comparable::Enum(of.1.of.as_ref().map_or(&of.0.text, |whole| &whole.text), of),
            TypeTarget::Id => Comparable::Id(name.split_once('.').map_or(name, |(resource, _)| resource)),
            TypeTarget::Unknown | TypeTarget::Resource => Comparable::Unknown,
            _ => Comparable::Object,
        }
    }

    /// Whether the value of a parameter can be compared with the field in this way.
    fn fits(&self, matching: Matching, field: &Comparable<'_>) -> bool {
        use Comparable::{Boolean, Enum, Format, Id, Number, Text, Unknown};
        match (matching, self, field) {
            (_, Unknown, _) | (_, _, Unknown) => true,
            (Matching::Equal, Id(one), Id(other)) | (Matching::Equal, Enum(one, _), Enum(other, _)) => one == other,
            (Matching::Equal, Text, Text) | (Matching::Equal, Boolean, Boolean) => true,
            (Matching::Equal | Matching::AtLeast | Matching::AtMost, Number, Number) => true,
            (Matching::Equal, Format(one), Format(other)) => one == other,
            (Matching::AtLeast | Matching::AtMost, Format(one), Format(other)) => one == other && one.order.is_some(),
            (Matching::Part | Matching::Words, Text, Text) | (Matching::Implied, Boolean, Boolean) => true,
            _ => false,
        }
    }

    fn describe(&self) -> String {
        let text = match self {
            Comparable::Text => "a text",
            Comparable::Number => "a number",
            Comparable::Format(format) => format.noun,
            Comparable::Moment => "a timestamp",
            Comparable::Boolean => "a boolean",
            Comparable::Id(resource) => return format!("the id of a `{resource}`"),
            Comparable::Enum(_, (name, _)) => return format!("one of `{}`", name.text),
            Comparable::Object | Comparable::Unknown => "an object",
        };
        text.to_owned()
    }
}

/// The types that a comparison needs.
fn needed(matching: Matching) -> &'static str {
    match matching {
        Matching::Equal => "`=` needs the same type on both sides",
        Matching::AtLeast => "`<=` needs two numbers or two dates",
        Matching::AtMost => "`>=` needs two numbers or two dates",
        Matching::Part => "`within` needs two texts",
        Matching::Words => "`searches` needs texts",
        Matching::Implied => "`implies` needs a flag and a boolean",
    }
}
