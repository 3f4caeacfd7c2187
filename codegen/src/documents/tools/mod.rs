//! From the model to the tools that a surface offers to AI agents (`mcp`): the list with names, descriptions and
//! arguments, and the instructions, as JSON. Facts about all tools are in the instructions, so that the list stays short.

mod schema;

use super::shared::words;
use crate::json::{Json, JsonObject};
use crate::model::{Counts, GuardKind, Model, Operation, Surface};

/// What the server of a surface's tools answers with, as JSON.
pub struct Texts {
    /// The list of tools.
    pub list: String,
    /// The title of each tool, in the same order.
    pub titles: Vec<String>,
    /// The service: its name, its title and its version.
    pub server: String,
    /// What an agent must know before it chooses a tool: a JSON string.
    pub instructions: String,
}

/// The texts of a surface's tools; `None` if it offers none.
pub fn texts(model: &Model, surface: &Surface) -> Option<Texts> {
    let tools = surface.tools().map(|operation| tool(model, operation));
    let server = JsonObject::new()
        .with("name", &model.name)
        .with("title", &model.title)
        .with("version", &model.version);
    Some(Texts {
        instructions: Json::from(instructions(model, surface)?).compact(),
        list: Json::List(tools.collect()).compact(),
        titles: surface.tools().map(title).collect(),
        server: Json::from(server).compact(),
    })
}

/// What an agent must know before it chooses a tool: the text of the contract, and the limits. `None` if the surface
/// offers no tools.
pub fn instructions(model: &Model, surface: &Surface) -> Option<String> {
    let mcp = surface.mcp.as_ref()?;
    let texts: Vec<&str> = match &mcp.instructions {
        Some(text) => vec![text],
        None => [&model.doc, &surface.doc]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect(),
    };
    let limits = surface.limits.iter().map(|name| model.limit(name));
    let limits = limits.filter_map(|limit| {
        let Counts::Methods { methods, .. } = &limit.counts else {
            return None;
        };
        let reads = methods.iter().any(|method| method == "GET");
        let counted = match (reads, methods.len()) {
            (true, 1) => "tools that only read",
            (true, _) => "all tools",
            (false, _) => "tools that change something",
        };
        Some(format!(
            "{counted}: {}",
            words::limit(limit, words::counted_by(model, surface))
        ))
    });
    let limits: Vec<String> = limits.collect();
    let limits = (!limits.is_empty()).then(|| format!("Limits: {}.", limits.join("; ")));
    let operations = surface.operations.iter().map(|operation| (surface, operation));
    let in_flight = words::in_flight(model, operations, words::counted_by(model, surface));
    let response_bytes = words::response_bytes(model, [surface], words::counted_by(model, surface));
    let bounds = limits.into_iter().chain(in_flight).chain(response_bytes);
    let lines = texts.into_iter().map(words::in_line).chain(bounds);
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// The purpose of a tool, in one sentence without its full stop.
fn title(operation: &Operation) -> String {
    let doc = doc(operation);
    let title = doc.split_once(". ").map_or(doc.as_str(), |(first, _)| first);
    title.trim_end_matches('.').to_owned()
}

fn doc(operation: &Operation) -> String {
    let own = operation.tool_doc();
    own.map_or_else(|| words::summary(operation) + ".", words::in_line)
}

/// How the list shows a tool, as JSON.
pub fn listed(model: &Model, operation: &Operation) -> String {
    tool(model, operation).compact()
}

fn tool(model: &Model, operation: &Operation) -> Json {
    let shown = JsonObject::new()
        .with("name", operation.tool_name())
        .with("title", title(operation))
        .with("description", described(model, operation, &doc(operation)))
        .with("inputSchema", schema::of_arguments(model, operation))
        .with("annotations", hints(operation));
    shown.into()
}

/// The purpose of a tool, and what only this tool requires or promises.
fn described(model: &Model, operation: &Operation, doc: &str) -> String {
    let mut text = doc.to_owned();
    let mut add = |sentence: String| text = words::joined(&text, &sentence);
    for guard in operation.guard_kinds() {
        match guard {
            GuardKind::Plan(plan) => add(words::plan_line(plan)),
            GuardKind::Owner(resource) => add(words::owned_line(model, operation, resource)),
            GuardKind::Exists(_) => {}
        }
    }
    for quota in &operation.quotas {
        add(words::quota(model, model.quota(quota)));
    }
    if let Some(moves) = words::transitions(model, operation) {
        add(moves);
    }
    for (lower, upper) in &operation.constraints {
        add(format!("`{lower}` must not be greater than `{upper}`."));
    }
    if let Some(order) = words::sorted(operation) {
        add(order);
    }
    text
}

fn hints(operation: &Operation) -> JsonObject {
    match operation.method.as_str() {
        "GET" => JsonObject::new().with("readOnlyHint", true),
        "POST" => JsonObject::new()
            .with("readOnlyHint", false)
            .with("destructiveHint", false)
            .with("idempotentHint", false),
        _ => JsonObject::new()
            .with("readOnlyHint", false)
            .with("destructiveHint", true)
            .with("idempotentHint", true),
    }
}
