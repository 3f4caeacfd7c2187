//! Compares the tools of a surface: where they are offered, which there are, and their names and texts. Removed and added
//! operations are compared as such.

use crate::diff::matching::{MatchedSurface, name_of};
use crate::diff::output::{Comparison, PathPair, Rule, descriptions};
use crate::model::{Mcp, Operation, Surface};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>, place: &PathPair, surface: &MatchedSurface<'_>) {
    let name = &surface.new.name;
    let mcp = place.join("mcp");
    match (&surface.old.mcp, &surface.new.mcp) {
        (None, None) => {}
        (None, Some(is)) => {
            let message = format!("`{name}` offers its operations as tools at `{}`", is.path);
            comparison.added(Rule::McpAdded, &mcp.new, tools(surface.new), message);
        }
        (Some(was), None) => {
            let message = format!(
                "`{name}` no longer offers its operations as tools, did so at `{}`",
                was.path
            );
            comparison.removed(Rule::McpRemoved, &mcp.old, tools(surface.old), message);
        }
        (Some(was), Some(is)) => {
            compare_mcp(comparison, &mcp, surface, (was, is));
            for (old, new) in &surface.operations {
                let place = place.join("endpoints").under(&old.name, &new.name).join("tool");
                compare_tool(comparison, &place, name_of(surface.new, new), (old, new));
            }
        }
    }
}

fn tools(surface: &Surface) -> BTreeSet<String> {
    surface.tools().map(|operation| name_of(surface, operation)).collect()
}

fn compare_mcp(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    surface: &MatchedSurface<'_>,
    (old, new): (&Mcp, &Mcp),
) {
    let Mcp {
        path,
        instructions,
        at: _,
        path_at: _,
    } = new;
    let name = &surface.new.name;
    if *path != old.path {
        let message = format!("the tools of `{name}` are at `{path}`, were at `{}`", old.path);
        comparison.between(Rule::McpMoved, &place.join("path"), tools(surface.new), message);
    }
    if *instructions != old.instructions {
        let change = descriptions::is_and_was(old.instructions.as_deref(), instructions.as_deref());
        let message = format!("the text about the tools of `{name}` {change}");
        comparison.between(
            Rule::McpInstructionsChanged,
            &place.join("instructions"),
            BTreeSet::new(),
            message,
        );
    }
}

fn compare_tool(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    operation: String,
    (old, new): (&Operation, &Operation),
) {
    let operations = BTreeSet::from([operation]);
    let (was, is) = (old.tool_name(), new.tool_name());
    match (old.is_tool(), new.is_tool()) {
        (true, false) => {
            let message = format!("the tool `{was}` is removed");
            comparison.between(Rule::ToolRemoved, place, operations, message);
        }
        (false, true) => {
            let message = format!("the tool `{is}` is added");
            comparison.between(Rule::ToolAdded, place, operations, message);
        }
        (true, true) => {
            // One that is renamed with its operation is reported there.
            let follows = was == old.name && is == new.name;
            if was != is && !follows {
                let message = format!("the tool `{was}` is renamed to `{is}`");
                comparison.between(Rule::ToolRenamed, &place.join("name"), operations.clone(), message);
            }
            let (was, is) = (old.tool_doc(), new.tool_doc());
            if was != is && (was, is) != (old.doc.as_deref(), new.doc.as_deref()) {
                let message = format!("the text of the tool {}", descriptions::is_and_was(was, is));
                comparison.between(Rule::ToolDocChanged, &place.join("doc"), operations, message);
            }
        }
        (false, false) => {}
    }
}
