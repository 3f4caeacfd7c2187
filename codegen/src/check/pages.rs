//! Rules about pages of lists.

use super::lookup::{LocatedOperation, TypeTarget, find, has, operations, type_target};
use super::success::listed;
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::TOTAL;
use crate::syntax::{Endpoint, FilterBy, Num, Pages, Spec, TypeDef, TypeUse, Word};

/// `pages`: the endpoint returns no list, or a client cannot get all pages.
pub(super) fn pages(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (endpoint, pages) in paged(spec) {
        if listed(endpoint).is_none() {
            let message = "only a list has pages, but `data` is not a list";
            diagnostics.push(Diagnostic::new(Rule::Pages, pages.at, message));
            continue;
        }
        if let (Some(offset), Some(number)) = (&pages.offset, &pages.number) {
            let message = "use `offset` or `number`, not both";
            diagnostics.push(Diagnostic::new(Rule::Pages, number.at, message).related(offset.at, "the other one"));
        }
        let mut seen: Vec<&Word> = Vec::new();
        for (key, name, least) in parameters(pages) {
            diagnostics.extend(unfit(spec, endpoint, (key, name, least), &seen));
            seen.push(name);
        }
        diagnostics.extend(pages.total.as_ref().and_then(|total| not_counting(endpoint, total)));
    }
}

fn paged(spec: &Spec) -> impl Iterator<Item = (&Endpoint, &Pages)> {
    operations(spec).filter_map(|LocatedOperation { endpoint, .. }| Some((endpoint, endpoint.pages.as_ref()?)))
}

/// The parameters that page a list: key, name, and the least valid value.
pub(super) fn parameters(pages: &Pages) -> impl Iterator<Item = (&'static str, &Word, f64)> {
    let size = [("size", &pages.size, 1.0)];
    let offset = pages.offset.as_ref().map(|name| ("offset", name, 0.0));
    let number = pages.number.as_ref().map(|name| ("number", name, 1.0));
    size.into_iter().chain(offset).chain(number)
}

/// Why a parameter cannot page a list.
fn unfit(
    spec: &Spec,
    endpoint: &Endpoint,
    (key, name, least): (&str, &Word, f64),
    seen: &[&Word],
) -> Option<Diagnostic> {
    let diagnostic = |message: String| Diagnostic::new(Rule::Pages, name.at, message);
    if let Some(first) = seen.iter().find(|first| first.text == name.text) {
        let message = format!("`{}` is used twice in `pages`", name.text);
        return Some(diagnostic(message).related(first.at, "here"));
    }
    let used = find(&endpoint.query, &name.text)?;
    let filters = endpoint.filters.iter();
    let filter = filters
        .into_iter()
        .find(|filter| matches!(&filter.by, FilterBy::Parameter(parameter, _) if parameter.text == name.text));
    if let Some(filter) = filter {
        let message = format!("`{}` is used by a filter, so it cannot be used for pages", name.text);
        return Some(diagnostic(message).related(filter.at, "the filter"));
    }
    let message = match bounds(spec, used) {
        None => format!("`{}` is not an integer: `{key}` must be one", name.text),
        // Without a size the list is whole, but then a page has no number.
        Some(_) if used.optional && (key != "size" || is_numbered(endpoint)) => {
            format!(
                "`{}` has no value if the client leaves it out: give it a default",
                name.text
            )
        }
        Some(min) if min.is_none_or(|min| min.value < least) => {
            format!("`{}` may be below {least}: set the `min` of its type", name.text)
        }
        Some(_) => return None,
    };
    Some(diagnostic(message).related(used.name.at, "its type"))
}

/// Whether the pages of the endpoint have numbers.
fn is_numbered(endpoint: &Endpoint) -> bool {
    endpoint.pages.as_ref().is_some_and(|pages| pages.number.is_some())
}

/// The minimum of an integer type, if it has one. `None` for other types. Unknown types count as integers: another rule
/// reports them.
fn bounds(spec: &Spec, used: &TypeUse) -> Option<Option<Num>> {
    match type_target(spec, &used.name.text) {
        TypeTarget::Type(TypeDef::Integer(integer)) => Some(integer.min),
        TypeTarget::Unknown => Some(Some(Num {
            value: f64::INFINITY,
            at: used.name.at,
        })),
        _ => None,
    }
}

/// Why a sibling does not count the rows.
fn not_counting(endpoint: &Endpoint, total: &Word) -> Option<Diagnostic> {
    let diagnostic = |message: String| Diagnostic::new(Rule::Pages, total.at, message);
    let success = &endpoint.success;
    let siblings = &success.siblings;
    if find(&endpoint.query, &total.text).is_some() {
        let message = format!("`{}` is a parameter, not the number of records", total.text);
        Some(diagnostic(message).help("write `total`, and name it in `siblings`"))
    } else if total.text == TOTAL && success.headers.iter().any(|(_, value)| value.text == TOTAL) {
        None
    } else if !has(siblings, &total.text) {
        let known = siblings.iter().map(|name| name.text.as_str());
        let message = format!("`{}` is not a member beside `data`", total.text);
        Some(match siblings.is_empty() {
            true => diagnostic(message).help("add `siblings: [total]` to `success`"),
            false => diagnostic(message).propose(&total.text, known),
        })
    } else {
        None
    }
}
