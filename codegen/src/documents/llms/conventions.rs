//! The conventions of all operations: how to write requests and read answers.

use super::used::Used;
use crate::documents::shared::selection::Selection;
use crate::documents::shared::{examples, lists, words};
use crate::model::{EnvelopeValue, Kind, Template};
use std::collections::BTreeSet;

pub(super) fn section(part: &Selection<'_>, used: &Used<'_>) -> String {
    let mut lines = requests(part);
    lines.extend(answers(part));
    lines.extend(notation(part, used));
    let lines: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
    super::section("Requests and answers", &lines)
}

fn requests(part: &Selection<'_>) -> Vec<String> {
    let model = part.model;
    let mut lines = vec!["Paths begin at the root of the server that has this text. Values in a path or a query are percent-encoded UTF-8.".to_owned()];
    if part.operations().any(|(_, operation)| operation.body.is_some()) {
        lines.push(format!(
            "A body is a JSON object, sent with `Content-Type: application/json`, of at most {} bytes where nothing else is said.",
            model.body_max_bytes
        ));
    }
    lines.push(
        "A parameter or member that is not named here is rejected, and so is one that is given twice.".to_owned(),
    );
    lines
}

fn answers(part: &Selection<'_>) -> Vec<String> {
    let model = part.model;
    let mut lines = vec![
        format!("A success is `{}`.{}", envelope(&model.success), success(part)),
        format!("An error response is `{}`.", envelope(&model.error)),
    ];
    let pages = part.operations().flat_map(|(_, one)| lists::pages(one));
    let pages: BTreeSet<_> = pages.collect();
    if !pages.is_empty() {
        let pages = pages.iter().map(|(name, meaning)| format!("`{name}`: {meaning}"));
        lines.push(format!(
            "Lists come in pages where they have these: {}. Other lists are whole.",
            pages.collect::<Vec<_>>().join("; ")
        ));
    }
    let bears_id = |template: &Template| template.placeholders().contains(&"request_id");
    let headers = model.headers.iter().filter(|(_, template)| bears_id(template));
    let headers = headers.map(|(name, _)| name);
    let headers: Vec<&String> = headers.collect();
    if !headers.is_empty() {
        lines.push(format!(
            "Every answer has a header {} with an id of the request, for questions about it.",
            words::listed(&headers, "and")
        ));
    }
    lines
}

/// `{"ok":true,"data":DATA,"note":MESSAGE,…}`
fn envelope(members: &[(String, EnvelopeValue)]) -> String {
    let members = members.iter().map(|(name, value)| match value {
        EnvelopeValue::Literal(json) => format!("\"{name}\":{json}"),
        EnvelopeValue::Placeholder { name: what, .. } => match what.as_str() {
            "siblings" => "…".to_owned(),
            what => format!("\"{name}\":{}", what.to_uppercase()),
        },
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn success(part: &Selection<'_>) -> String {
    let has = |what: &str| {
        let mut values = part.model.success.iter().map(|(_, value)| value);
        values.find_map(|value| match value {
            EnvelopeValue::Placeholder { name, optional } if name == what => Some(*optional),
            _ => None,
        })
    };
    let mut text = String::new();
    if let Some(is_optional) = has("data") {
        let absent = if is_optional { "is not there" } else { "is null" };
        text += &format!(" Examples below show DATA alone; where an operation shows none, it {absent}.");
    }
    if has("message").is_some() {
        text += " MESSAGE is a sentence for people, where there is something to say.";
    }
    if has("siblings").is_some() {
        text += " In the place of … are members that examples show as `beside it`.";
    }
    text
}

fn notation(part: &Selection<'_>, used: &Used<'_>) -> Vec<String> {
    let mut lines = vec![
        "`name: type` must be given, `name: type?` may be left out (or null), `name: type = x` is x then; \
         `[type]` is a list. In answers every member is there, and those with `?` may be null."
            .to_owned(),
        "Bounds include both ends; a whole number has no point. A `Name.id` is the id of such a thing: a whole number from 1 to 9007199254740991."
            .to_owned(),
    ];
    if part
        .operations()
        .any(|(_, one)| part.model.body(one).is_some_and(|body| body.partial))
    {
        lines.push("A body of `at least one of` its members leaves the others as they are.".to_owned());
    }
    if used.has_texts() {
        lines.push(
            "A text is empty only where that is said, and never of white space and invisible characters alone; it has no \
             control characters but tabs and ends of lines."
                .to_owned(),
        );
    }
    let built_in = [
        (
            Kind::Timestamp,
            format!("`timestamp`: `{}`, in UTC.", examples::TIMESTAMP),
        ),
        (Kind::Date, "`date`: `YYYY-MM-DD`.".to_owned()),
        (Kind::Flag, "`flag`: `true` or `1`, `false` or `0`.".to_owned()),
        (
            Kind::Secret,
            "`secret`: a credential, which is shown only this once.".to_owned(),
        ),
    ];
    let built_in = built_in.into_iter().filter(|(kind, _)| used.has(kind));
    lines.extend(built_in.map(|(_, line)| line));
    lines
}
