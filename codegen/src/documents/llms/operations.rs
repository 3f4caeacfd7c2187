//! Each operation in a few lines: its purpose, its parameters, its other requirements, and an example.

use super::{examples, notation, sentence, together};
use crate::documents::shared::selection::Selection;
use crate::documents::shared::{descriptions, examples as values, lists, words};
use crate::model::{BodyUse, Data, Field, FilterBy, GuardKind, Operation, Source, SuccessBody, Surface, ViewMember};

pub(super) fn section(part: &Selection<'_>) -> String {
    let operations = part.operations().map(|(surface, one)| operation(part, surface, one));
    format!("## Operations\n\n{}", operations.collect::<Vec<_>>().join("\n\n"))
}

/// The name of an operation, with its surface if there are several.
pub(super) fn name(part: &Selection<'_>, surface: &Surface, operation: &Operation) -> String {
    match part.surfaces.as_slice() {
        [_] => operation.name.clone(),
        _ => format!("{}.{}", surface.name, operation.name),
    }
}

fn operation(part: &Selection<'_>, surface: &Surface, operation: &Operation) -> String {
    let described = operation.doc.clone();
    let described = described.unwrap_or_else(|| words::summary(operation));
    let mut about = vec![sentence(&described)];
    about.extend(asked(part, operation));
    let mut lines = vec![
        format!("### {}\n", name(part, surface, operation)),
        format!("`{}`: {}\n", examples::path(surface, operation), about.join(" ")),
    ];
    lines.extend(parameters(part, operation));
    lines.extend(body(part, operation));
    lines.push(example(part, surface, operation));
    lines.join("\n")
}

/// Its requirements beyond its parameters and its body.
fn asked(part: &Selection<'_>, operation: &Operation) -> Vec<String> {
    let model = part.model;
    let guards = operation.guard_kinds().filter_map(|guard| match guard {
        GuardKind::Plan(plan) => Some(words::plan_line(plan)),
        // Path and body already state it.
        GuardKind::Exists(_) => None,
        GuardKind::Owner(resource) => {
            let (noun, named) = (&model.resource(resource).noun, words::if_named(operation, resource));
            Some(format!("You must own the {noun}{named}."))
        }
    });
    let quota = operation.quotas.iter().map(|name| model.quota(name));
    let mut lines: Vec<String> = guards.collect();
    lines.extend(quota.map(|quota| words::quota(model, quota)));
    lines.extend(words::file(operation));
    lines.extend(words::content(model, operation));
    lines.extend(words::waits(operation));
    lines.extend(lists::counts(operation));
    lines.extend(always(operation));
    lines.extend(lists::nearest(operation));
    lines.extend(words::sorted(operation));
    lines.extend(picks(part, operation));
    lines
}

/// The rules for all items of a list. Path and description already state the owner and the parent.
fn always(operation: &Operation) -> Vec<String> {
    if operation.counts().is_some() {
        return Vec::new();
    }
    let values = operation.filters.iter().filter_map(|filter| match &filter.by {
        FilterBy::Value(value) => Some(format!("Only items whose `{}` is `{value}`.", filter.field)),
        _ => None,
    });
    values.collect()
}

fn parameters(part: &Selection<'_>, operation: &Operation) -> Vec<String> {
    let notation_of = |field: &Field| format!("`{}: {}`", field.name, notation::in_request(&field.of));
    if let Some(counts) = operation.counts() {
        let all: Vec<String> = operation.query.iter().map(notation_of).collect();
        let line = || format!("- Query as for `{}`: {}", counts.list.text, all.join(", "));
        return (!all.is_empty()).then(line).into_iter().collect();
    }
    let is_described = |field: &&Field| field.doc.is_some() || !lists::is_of_pages(operation, &field.name);
    let (described, others): (Vec<&Field>, Vec<&Field>) = operation.query.iter().partition(is_described);
    let lines = described.into_iter().map(|field| {
        let line = format!("- Query {}", notation_of(field));
        let described = match &field.doc {
            Some(doc) if lists::is_of_pages(operation, &field.name) => Some(doc.clone()),
            _ => descriptions::parameter(part.model, operation, field),
        };
        together(&[&line, &sentence(&described.unwrap_or_default())])
    });
    let others: Vec<String> = others.into_iter().map(notation_of).collect();
    let others = (!others.is_empty()).then(|| format!("- Query {}", others.join(", ")));
    let path = operation
        .path
        .iter()
        .filter_map(|field| Some(format!("- `{}`: {}", field.name, field.doc.clone()?)));
    let constraints = operation.constraints.iter();
    let constraints = constraints.map(|(lower, upper)| format!("- `{lower}` must not be greater than `{upper}`."));
    path.chain(lines).chain(others).chain(constraints).collect()
}

fn body(part: &Selection<'_>, operation: &Operation) -> Option<String> {
    let body = part.model.body(operation)?;
    if let Some(tried) = &operation.dry_run {
        return Some(format!("- Body as for `{}`", tried.text));
    }
    let members = match &operation.body {
        Some(BodyUse::Named(name)) => format!("`{name}`"),
        _ => format!("`{{ {} }}`", notation::body(body)),
    };
    let partial = if body.partial { ", at least one of" } else { "" };
    let is_own = operation.max_bytes != part.model.body_max_bytes;
    let bytes = if is_own {
        format!(", up to {} bytes", operation.max_bytes)
    } else {
        String::new()
    };
    let line = format!("- Body{partial} {members}{bytes}");
    let own = body.members.iter().filter(|member| !member.of_record);
    let described = own.filter_map(|member| {
        let doc = member.field.doc.as_deref()?;
        Some(format!(" `{}`: {}", member.field.name, sentence(doc)))
    });
    let described: String = described.collect();
    let stop = if described.is_empty() { "" } else { "." };
    Some(format!("{line}{stop}{described}"))
}

/// The request is shown only if the line of its path does not state it: with a query, or its body alone.
fn example(part: &Selection<'_>, surface: &Surface, operation: &Operation) -> String {
    let request = Some(examples::request(part, surface, operation)).filter(|request| request.contains('?'));
    let request = request.as_deref().map(words::code);
    let body = values::request(part.model, operation).filter(|_| operation.dry_run.is_none());
    let body = body.map(|body| words::code(&body.compact()));
    let asked = match (request, body) {
        (Some(request), Some(body)) => format!("- Example: {request} with {body} → "),
        (Some(one), None) | (None, Some(one)) => format!("- Example: {one} → "),
        (None, None) => "- Response: ".to_owned(),
    };
    let data = values::data(part, operation).map(|data| format!(" {}", words::code(&data.compact())));
    let body = match operation.success_body() {
        SuccessBody::Data => " with the body",
        SuccessBody::Nothing => " without a body",
        SuccessBody::Envelope | SuccessBody::File => "",
    };
    let siblings = operation.siblings.iter();
    let siblings: Vec<String> = siblings
        .map(|name| format!("`{name}` {}", values::sibling(part.model, operation, name).compact()))
        .collect();
    let beside = if siblings.is_empty() {
        String::new()
    } else {
        format!(", also {}", siblings.join(", "))
    };
    let headers = operation.headers.iter().map(|header| {
        let value = values::in_header(&values::header(part, operation, header));
        let line = format!("{}: {value}", header.name);
        format!(", header {}", words::code(&line))
    });
    let headers: String = headers.collect();
    let described = answered(operation);
    format!(
        "{asked}{}{body}{}{beside}{headers}{described}",
        operation.status,
        data.unwrap_or_default()
    )
}

/// The contract's descriptions of the members of an answer that is not a view.
fn answered(operation: &Operation) -> String {
    if let Some(resource) = &operation.content_of {
        return format!(" with the content of the `{resource}`");
    }
    let Some(Data::Members(fields)) = &operation.data else {
        return String::new();
    };
    let described = fields
        .iter()
        .filter_map(|field| Some(format!(" `{}`: {}", field.name, sentence(field.doc.as_deref()?))));
    let described: String = described.collect();
    let stop = if described.is_empty() { "" } else { "." };
    format!("{stop}{described}")
}

/// The lists of which an answer shows only one member of each item.
fn picks(part: &Selection<'_>, operation: &Operation) -> Vec<String> {
    let Some(Data::One { resource, view } | Data::Many { resource, view }) = &operation.data else {
        return Vec::new();
    };
    let members = part.model.view(resource, view).members.iter();
    let picks = members.filter_map(|ViewMember { shown, source, .. }| match source {
        Source::Each(list, member) => Some(format!("`{shown}` lists the `{member}` of each item of `{list}`.")),
        _ => None,
    });
    picks.collect()
}
