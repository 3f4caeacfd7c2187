//! Which rows a list shows: filters of what there is not, and of what cannot be compared.

use super::enums::check_value;
use super::fields::{check_source, picked};
use super::lookup::{Meaning, Operation, entry, field, find, meaning, names, operations};
use super::success::listed;
use crate::matching::Matching;
use crate::report::{Report, while_few};
use crate::spec::{EnumDef, Filter, FilterBy, Resource, Spec, TypeDef, TypeUse, Word};
use std::collections::HashMap;

/// `unknown-field`: a filter compares a field that the listed resource does not have, or a parameter that there is not.
pub(super) fn unknown_filter_field(spec: &Spec, reports: &mut Vec<Report>) {
    for operation in operations(spec) {
        let Some(resource) = resource(operation) else { continue };
        for filter in &operation.endpoint.filters {
            check_source(spec, &filter.field, resource, reports);
            if let FilterBy::Parameter(name, _) = &filter.by
                && parameter(operation, &name.text).is_none()
            {
                let endpoint = operation.endpoint;
                let message = format!("there is no parameter `{}`", name.text);
                let known = names(&endpoint.query).chain(names(&endpoint.path));
                let report = Report::new("unknown-field", name.at, message);
                let report = report.propose(&name.text, while_few(reports, known));
                reports.push(match endpoint.query.is_empty() && endpoint.path.is_empty() {
                    true => report.help("declare it in `query`"),
                    false => report,
                });
            }
        }
    }
}

/// The resource that an operation lists, with its name where it is declared.
fn resource<'s>(operation: Operation<'s>) -> Option<(&'s Word, &'s Resource)> {
    let (resource, _) = listed(operation.endpoint)?.text.split_once('.')?;
    let (name, resource) = entry(&operation.spec.resources, resource)?;
    Some((name, resource))
}

fn parameter<'s>(operation: Operation<'s>, name: &str) -> Option<&'s TypeUse> {
    let endpoint = operation.endpoint;
    find(&endpoint.query, name).or_else(|| find(&endpoint.path, name))
}

/// `filter`: a filter of what is no list, of what cannot be compared, or of what another one compares already.
pub(super) fn filter(spec: &Spec, reports: &mut Vec<Report>) {
    for operation in operations(spec) {
        let Some(first) = operation.endpoint.filters.first() else {
            continue;
        };
        if listed(operation.endpoint).is_none() {
            let message = "only a list is filtered, and `data` is none";
            reports.push(Report::new("filter", first.at, message));
            continue;
        }
        let Some((_, resource)) = resource(operation) else {
            continue;
        };
        let mut seen: HashMap<(&str, &str), &Filter> = HashMap::new();
        for filter in &operation.endpoint.filters {
            match seen.insert((left(filter), filter.field.text.as_str()), filter) {
                Some(first) => reports.push(repeated(filter, first)),
                None => misfit(operation, resource, filter, reports),
            }
        }
    }
}

/// What a filter compares its field with; fixed values are one.
fn left(filter: &Filter) -> &str {
    match &filter.by {
        FilterBy::Parameter(name, _) => &name.text,
        FilterBy::Caller(word) => &word.text,
        FilterBy::Value(_) => "",
    }
}

fn repeated(filter: &Filter, first: &Filter) -> Report {
    let (field, by) = (&filter.field.text, left(filter));
    let message = match by {
        "" => format!("`{field}` has a value already, and no row has two"),
        by => format!("`{by}` is compared with `{field}` already"),
    };
    Report::new("filter", filter.at, message).related(first.at, "here")
}

/// Reports a filter whose two sides cannot be compared.
fn misfit(operation: Operation<'_>, resource: &Resource, filter: &Filter, reports: &mut Vec<Report>) {
    let spec = operation.spec;
    let Some(used) = source(spec, resource, &filter.field.text) else {
        return;
    };
    let right = Comparable::of(spec, used);
    if matches!(right, Comparable::Unknown) {
        return;
    }
    let report =
        |at, message: String| Report::new("filter", at, message).related(used.name.at, "the type of the field");
    match &filter.by {
        FilterBy::Parameter(name, matching) => {
            let Some(parameter) = parameter(operation, &name.text) else {
                return;
            };
            let left = Comparable::of(spec, parameter);
            // That no parameter can hold an object has been reported.
            let is_misplaced = matches!(left, Comparable::Object | Comparable::Moment);
            if !is_misplaced && !left.fits(*matching, &right) {
                let message = format!(
                    "`{}` is {}, and `{}` is {}: {}",
                    name.text,
                    left.said(),
                    filter.field.text,
                    right.said(),
                    needed(*matching)
                );
                reports.push(report(filter.at, message).related(parameter.name.at, "the type of the parameter"));
            }
        }
        FilterBy::Caller(_) => reports.extend(
            not_the_caller(operation, filter, &right)
                .map(|message| operation.with_credential(report(filter.at, message))),
        ),
        FilterBy::Value(value) => match right {
            Comparable::Enum(_, of) => check_value(value, of, reports),
            Comparable::Boolean if matches!(value.text.as_str(), "true" | "false") => {}
            Comparable::Boolean => {
                let message = format!(
                    "`{}` is `true` or `false`, and never `{}`",
                    filter.field.text, value.text
                );
                reports.push(report(value.at, message));
            }
            other => {
                let message = format!(
                    "`{}` is {}: `is` needs an enum or a boolean",
                    filter.field.text,
                    other.said()
                );
                reports.push(report(filter.at, message));
            }
        },
    }
}

/// Why a field cannot be the id of whoever calls.
fn not_the_caller(operation: Operation<'_>, filter: &Filter, field: &Comparable<'_>) -> Option<String> {
    let name = operation.surface.credential.as_ref();
    let Some(caller) = operation.caller() else {
        // A credential that there is not has been reported.
        let is_known = name.is_none_or(|name| find(&operation.spec.credentials, &name.text).is_some());
        return is_known.then(|| match name {
            Some(name) => format!("nobody knows who calls: the credential `{}` has no `caller`", name.text),
            None => "nobody knows who calls: the surface asks for no credential".to_owned(),
        });
    };
    let is_its_id = matches!(field, Comparable::Id(resource) if *resource == caller.text);
    (!is_its_id).then(|| {
        let (field, said) = (&filter.field.text, field.said());
        format!("`$caller` is the id of a `{}`, and `{field}` is {said}", caller.text)
    })
}

/// The type of a field, or of what is picked from its items.
fn source<'s>(spec: &'s Spec, resource: &'s Resource, source: &str) -> Option<&'s TypeUse> {
    match source.split_once("[].") {
        Some((list, member)) => picked(spec, find(&resource.fields, list)?, member),
        None => field(resource, source),
    }
}

/// What values can be compared as; of a list, its items.
enum Comparable<'s> {
    Text,
    Number,
    Date,
    Moment,
    Boolean,
    /// The id of a resource.
    Id(&'s str),
    /// A value of an enum: that, or the one that it is a part of, and itself.
    Enum(&'s str, &'s (Word, EnumDef)),
    Object,
    Unknown,
}

impl<'s> Comparable<'s> {
    fn of(spec: &'s Spec, used: &'s TypeUse) -> Self {
        Comparable::named(spec, &used.name.text)
    }

    fn named(spec: &'s Spec, name: &'s str) -> Self {
        match meaning(spec, name) {
            Meaning::Type(TypeDef::String { .. }) | Meaning::BuiltIn("string") => Comparable::Text,
            Meaning::Type(TypeDef::Number { .. } | TypeDef::Integer { .. }) => Comparable::Number,
            Meaning::Type(TypeDef::List { of, .. }) => match meaning(spec, &of.text) {
                // A list of lists has items that are none of these.
                Meaning::Type(TypeDef::List { .. }) => Comparable::Object,
                _ => Comparable::named(spec, &of.text),
            },
            Meaning::BuiltIn("date") => Comparable::Date,
            Meaning::BuiltIn("timestamp") => Comparable::Moment,
            Meaning::BuiltIn("boolean" | "flag") => Comparable::Boolean,
            Meaning::Enum(of) => Comparable::Enum(of.1.of.as_ref().map_or(&of.0.text, |whole| &whole.text), of),
            Meaning::Id => Comparable::Id(name.split_once('.').map_or(name, |(resource, _)| resource)),
            Meaning::Unknown | Meaning::Resource => Comparable::Unknown,
            _ => Comparable::Object,
        }
    }

    /// Whether the value of a parameter can be matched with such a field.
    fn fits(&self, matching: Matching, field: &Comparable<'_>) -> bool {
        use Comparable::{Boolean, Date, Enum, Id, Number, Text, Unknown};
        match (matching, self, field) {
            (_, Unknown, _) | (_, _, Unknown) => true,
            (Matching::Equal, Id(one), Id(other)) | (Matching::Equal, Enum(one, _), Enum(other, _)) => one == other,
            (Matching::Equal, Text, Text) | (Matching::Equal, Boolean, Boolean) => true,
            (Matching::Equal | Matching::AtLeast | Matching::AtMost, Number, Number) => true,
            (Matching::Equal | Matching::AtLeast | Matching::AtMost, Date, Date) => true,
            (Matching::Part, Text, Text) | (Matching::Implied, Boolean, Boolean) => true,
            _ => false,
        }
    }

    fn said(&self) -> String {
        let said = match self {
            Comparable::Text => "a text",
            Comparable::Number => "a number",
            Comparable::Date => "a date",
            Comparable::Moment => "a timestamp",
            Comparable::Boolean => "`true` or `false`",
            Comparable::Id(resource) => return format!("the id of a `{resource}`"),
            Comparable::Enum(_, (name, _)) => return format!("one of `{}`", name.text),
            Comparable::Object | Comparable::Unknown => "an object",
        };
        said.to_owned()
    }
}

/// What a comparison needs.
fn needed(matching: Matching) -> &'static str {
    match matching {
        Matching::Equal => "`=` needs two of a kind",
        Matching::AtLeast => "`<=` needs two numbers or two dates",
        Matching::AtMost => "`>=` needs two numbers or two dates",
        Matching::Part => "`within` needs two texts",
        Matching::Implied => "`implies` needs a flag and a boolean",
    }
}
