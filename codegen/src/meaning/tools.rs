//! Checks tools: their path, their names, their arguments.

use crate::diagnostic::{Diagnostic, Rule};
use crate::model::{KEY_ARGUMENT, Mcp, Model, Operation, Span, Surface, Tool};
use std::collections::HashMap;

/// Reports tools that cannot be offered.
pub(super) fn check(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for surface in &model.surfaces {
        match &surface.mcp {
            Some(mcp) => {
                path(model, surface, mcp, diagnostics);
                names(surface, diagnostics);
                for operation in surface.tools() {
                    arguments(model, operation, diagnostics);
                    diagnostics.extend(key_argument(model, operation));
                }
                nothing_offered(surface, mcp, diagnostics);
            }
            None => unused(surface, diagnostics),
        }
        diagnostics.extend(surface.operations.iter().filter_map(secret));
    }
}

/// `colliding-bases`: requests to the path belong to a surface, or to the tools of another one.
fn path(model: &Model, surface: &Surface, mcp: &Mcp, diagnostics: &mut Vec<Diagnostic>) {
    let path = &mcp.path;
    let under = |base: &str| {
        path.strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if let Some(other) = model.surfaces.iter().find(|other| under(&other.base)) {
        let message = format!(
            "`{path}` lies under the base of `{}`, which is `{}/`",
            other.name, other.base
        );
        let diagnostic = Diagnostic::new(Rule::CollidingBases, mcp.path_at, message);
        diagnostics.push(diagnostic.related(other.at, format!("the surface `{}`", other.name)));
    }
    let mut before = model.surfaces.iter().take_while(|other| other.name != surface.name);
    if let Some((other, of)) = before.find_map(|one| Some((one, one.mcp.as_ref().filter(|of| of.path == *path)?))) {
        let message = format!(
            "the tools of `{}` and of `{}` are at the same path",
            other.name, surface.name
        );
        let diagnostic = Diagnostic::new(Rule::CollidingBases, mcp.path_at, message);
        diagnostics.push(diagnostic.related(of.path_at, format!("the path of `{}`", other.name)));
    }
}

/// `tool-twice`: two tools have the same name.
fn names(surface: &Surface, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<&str, &Operation> = HashMap::new();
    for operation in surface.tools() {
        let name = operation.tool_name();
        if let Some(first) = seen.insert(name, operation) {
            let (late, early) = if operation.tool_name() == operation.name {
                (first, operation)
            } else {
                (operation, first)
            };
            let message = format!(
                "the tools of `{}` and `{}` are both named `{name}`",
                first.name, operation.name
            );
            let diagnostic = Diagnostic::new(Rule::ToolTwice, place(late), message);
            diagnostics.push(diagnostic.related(place(early), "the other one"));
        }
    }
}

/// `tool-argument`: a parameter and a member of the body have the same name. (Two parameters never do.)
fn arguments(model: &Model, operation: &Operation, diagnostics: &mut Vec<Diagnostic>) {
    let members = model.body(operation).into_iter().flat_map(|body| &body.members);
    for member in members.map(|member| &member.field) {
        let mut parameters = operation.path.iter().chain(&operation.query);
        if let Some(parameter) = parameters.find(|parameter| parameter.name == member.name) {
            let message = format!(
                "`{}` of `{}` is a parameter and a member of the body, but a tool has one argument of a name",
                member.name, operation.name
            );
            let help = "rename one of them, or leave the endpoint out of the tools: `tool: false`";
            let diagnostic = Diagnostic::new(Rule::ToolArgument, place(operation), message).help(help);
            diagnostics.push(diagnostic.related(parameter.at, "the parameter"));
        }
    }
}

/// `tool-argument`: another argument has the name of the idempotency key.
fn key_argument(model: &Model, operation: &Operation) -> Option<Diagnostic> {
    operation.keep_seconds?;
    let members = model.body(operation).into_iter().flat_map(|body| &body.members);
    let parameters = operation.path.iter().chain(&operation.query);
    let mut arguments = parameters.chain(members.map(|member| &member.field));
    let taken = arguments.find(|argument| argument.name == KEY_ARGUMENT)?;
    let message = format!(
        "the tool of `{}` has the idempotency key as `{KEY_ARGUMENT}`",
        operation.name
    );
    let help = "rename this one, or leave the endpoint out of the tools: `tool: false`";
    Some(Diagnostic::new(Rule::ToolArgument, taken.at, message).help(help))
}

/// `unused-tool`: every endpoint of the surface is left out.
fn nothing_offered(surface: &Surface, mcp: &Mcp, diagnostics: &mut Vec<Diagnostic>) {
    if surface.tools().next().is_none() {
        let message = format!(
            "`{}` has no tool: each endpoint is left out or returns a secret",
            surface.name
        );
        diagnostics.push(Diagnostic::new(Rule::UnusedTool, mcp.at, message).help("remove `mcp`"));
    }
}

/// `unused-tool`: words for a tool of a surface that offers none.
fn unused(surface: &Surface, diagnostics: &mut Vec<Diagnostic>) {
    for tool in surface
        .operations
        .iter()
        .filter_map(|operation| operation.tool.as_ref())
    {
        let message = format!("`{}` offers no tools", surface.name);
        let help = "declare `mcp: { path: /mcp }` at the surface, or remove `tool`";
        diagnostics.push(Diagnostic::new(Rule::UnusedTool, tool.at(), message).help(help));
    }
}

/// `tool-secret`: words for a tool that would return a secret.
fn secret(operation: &Operation) -> Option<Diagnostic> {
    let tool = operation.tool.as_ref().filter(|_| operation.shows_secret())?;
    let message = format!("`{}` returns a secret, so it is no tool", operation.name);
    let help = "remove `tool`: what a tool returns becomes part of a conversation, which others store and read";
    Some(Diagnostic::new(Rule::ToolSecret, tool.at(), message).help(help))
}

fn place(operation: &Operation) -> Span {
    operation.tool.as_ref().map_or(operation.at, Tool::at)
}
