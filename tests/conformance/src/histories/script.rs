//! A short history as lines for a shell. Ids and secrets that come from an answer are variables.

use super::session::Sent;
use super::subject::Subject;
use super::tools;
use crate::exchange::shortened;
use codegen::model::{AnswerFrom, Data, RecordId, Target};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Variables for the ids and the credentials of a history.
#[derive(Default)]
struct Variables {
    ids: HashMap<(&'static str, RecordId), String>,
    secrets: HashMap<String, String>,
}

/// The lines. The last one shows the difference.
pub(super) fn script(subject: &Subject, sent: &[Sent]) -> String {
    let mut variables = Variables::default();
    for (kind, secret) in &subject.roots {
        variables.secrets.insert(secret.clone(), kind.clone());
    }
    let mut lines = String::new();
    for (nth, one) in sent.iter().enumerate() {
        let is_last = nth + 1 == sent.len();
        let curl = curl(subject, one, &variables);
        let later = &sent[nth + 1..];
        let new = new_variables(subject, one, later, &mut variables, nth + 1);
        let line = match (one.call.copies, new.is_empty()) {
            (0, true) => curl,
            (0, false) => format!("answer=$({curl})"),
            (copies, _) => format!("for copy in $(seq {}); do {curl} & done; wait", copies + 1),
        };
        let line = if is_last {
            line.replacen("curl -s", "curl -si", 1)
        } else {
            line
        };
        let body = String::from_utf8_lossy(&one.response.body);
        let body = if is_last { shortened(&body) } else { String::new() };
        // Writing to a text cannot fail.
        let _ = writeln!(lines, "{line}  # {} {body}", one.response.status);
        for line in new {
            let _ = writeln!(lines, "{line}");
        }
    }
    lines
}

/// Lines that take from the answer what later calls need.
fn new_variables(
    subject: &Subject,
    one: &Sent,
    later: &[Sent],
    variables: &mut Variables,
    number: usize,
) -> Vec<String> {
    let Some((_, operation)) = one.call.operation else {
        return Vec::new();
    };
    let needs_id = |key: (&str, RecordId)| {
        let mut mentions = later.iter().flat_map(|sent| sent.call.mentions(subject.model));
        mentions.any(|mention| (mention.resource, mention.id) == key)
    };
    let data = subject.model.data_member(operation).map(|name| format!(".{name}"));
    // The text of a tool's result is the body.
    let of_tool = one.call.tool.map_or("", |_| ".result.content[0].text | fromjson | ");
    let data = format!("{of_tool}{}", data.unwrap_or_default());
    let mut lines = Vec::new();
    let members = match &operation.data {
        Some(Data::Members(members)) => members.iter().zip(&operation.answers).collect(),
        _ => Vec::new(),
    };
    for (member, from) in members {
        match from {
            AnswerFrom::Id(Target::Made(resource)) => {
                let made = one.made.iter().find(|(known, _)| known == resource);
                if let Some((resource, ids)) = made {
                    let Some(id) = ids.first().filter(|id| needs_id((resource, **id))) else {
                        continue;
                    };
                    let name = format!("{}{number}", resource.to_lowercase());
                    lines.push(format!("{name}=$(echo \"$answer\" | jq -r '{data}.{}')", member.name));
                    variables.ids.insert((resource, *id), name);
                }
            }
            AnswerFrom::Ids(resource) => {
                let made = one.made.iter().find(|(known, _)| known == resource);
                if let Some((resource, ids)) = made {
                    for (nth, id) in ids.iter().enumerate().filter(|(_, id)| needs_id((resource, **id))) {
                        let name = format!("{}{number}_{nth}", resource.to_lowercase());
                        lines.push(format!(
                            "{name}=$(echo \"$answer\" | jq -r '{data}.{}[{nth}]')",
                            member.name
                        ));
                        variables.ids.insert((resource, *id), name);
                    }
                }
            }
            AnswerFrom::Secret(kind) => {
                let body = super::envelope::body(&one.response);
                let secret = super::envelope::data(subject.model, &one.call, &body)[&member.name].as_str();
                if let Some(secret) = secret.filter(|secret| later.iter().any(|sent| sends(sent, secret))) {
                    let name = format!("{kind}{number}");
                    lines.push(format!("{name}=$(echo \"$answer\" | jq -r '{data}.{}')", member.name));
                    variables.secrets.insert(secret.to_owned(), name);
                }
            }
            _ => {}
        }
    }
    lines
}

fn curl(subject: &Subject, one: &Sent, variables: &Variables) -> String {
    let mut call = one.call.clone();
    let mut marks: Vec<(String, String)> = Vec::new();
    for mention in one.call.mentions(subject.model) {
        if let Some(name) = variables.ids.get(&(mention.resource, mention.id)) {
            // A number that stands nowhere else.
            let mark = format!("70707{:05}", marks.len());
            call.replace(&mention, &mark);
            marks.push((mark, format!("'\"${name}\"'")));
        }
    }
    let as_tool = call
        .tool
        .and_then(|era| tools::request(subject.model, &call, &one.request, era));
    let (method, target) = match &as_tool {
        Some(sent) => (&sent.method, sent.target.clone()),
        None => (&call.method, call.target()),
    };
    let mut line = format!("curl -s -X {method} \"$BASE\"{}", quoted(&target));
    for (name, value) in &as_tool.as_ref().unwrap_or(&one.request).headers {
        let header = match variables.secrets.get(value) {
            Some(variable) => format!("\"{name}: ${variable}\""),
            None => quoted(&format!("{name}: {value}")),
        };
        let _ = write!(line, " -H {header}");
    }
    let raw = as_tool.as_ref().map_or(&call.raw, |sent| &sent.body);
    let raw = raw.as_deref().map(String::from_utf8_lossy);
    if let Some(body) = raw.as_deref().or(call.body.as_deref()) {
        let _ = write!(line, " --data-binary {}", quoted(&shortened(body)));
    }
    marks
        .into_iter()
        .fold(line, |line, (mark, variable)| line.replace(&mark, &variable))
}

/// Whether a request has this secret.
fn sends(sent: &Sent, secret: &str) -> bool {
    sent.request.headers.iter().any(|(_, value)| value == secret)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
