//! Renders operations as a table with aligned columns, below the common properties of their surface.

use super::{Listed, ListedLimit, Listing};
use codegen::Model;
use codegen::model::Surface;
use codegen::step::Step;

const TITLES: [&str; 7] = ["OPERATION", "METHOD", "PATH", "COUNTS", "NEEDS", "STATUS", "ERRORS"];

/// The placeholder of an empty cell, so that the columns of a line can be counted.
const NOTHING: &str = "-";
/// Maximum number of characters of a line that can be broken.
const WIDTH: usize = 120;

/// Each surface with its operations. Columns are two or more blanks apart; cells contain only single blanks.
pub(super) fn draw(model: &Model, listing: &Listing<'_>) -> String {
    let surfaces = model.surfaces.iter().map(|surface| {
        let operations = listing.operations.iter();
        let operations: Vec<&Listed<'_>> = operations.filter(|listed| listed.surface == surface.name).collect();
        heading(model, surface, &operations) + "\n" + &table(surface, &operations)
    });
    surfaces.collect::<Vec<_>>().join("\n")
}

fn heading(model: &Model, surface: &Surface, operations: &[&Listed<'_>]) -> String {
    let credential = operations.iter().find_map(|listed| listed.credential.as_ref());
    let credential = credential.map(|credential| {
        let caller = credential.caller.map(|caller| format!(" of {caller}"));
        format!(
            "{} in {}{}",
            credential.name,
            credential.header,
            caller.unwrap_or_default()
        )
    });
    let is_met = |name: &str| {
        let mut rows = operations.iter().flat_map(|listed| &listed.errors);
        rows.any(|row| row.name == name)
    };
    let common = model
        .errors
        .iter()
        .filter(|row| row.step != Step::Rule && is_met(&row.name));
    let common = common.map(|row| format!("{} {}", row.status, row.name));
    [
        format!("{} under {}\n", surface.name, surface.base),
        named("credential", &or_nothing(credential)),
        named("limits", &joined(limits(operations))),
        named("errors", &joined(common.collect())),
        tools(surface),
    ]
    .concat()
}

/// Where the operations are tools of MCP, and the names of the tools.
fn tools(surface: &Surface) -> String {
    let Some(mcp) = &surface.mcp else {
        return String::new();
    };
    let names: Vec<&str> = surface.tools().map(|operation| operation.tool_name()).collect();
    named("tools", &format!("POST {}: {}", mcp.path, names.join(", ")))
}

/// A line of the heading, broken after commas.
fn named(name: &str, text: &str) -> String {
    let mut lines = vec![format!("  {name:10}")];
    for part in text.split_inclusive(", ") {
        let last = lines.last_mut().expect("there is a first line");
        if last.len() + part.trim_end().len() > WIDTH {
            lines.push(format!("{:12}", ""));
        }
        let last = lines.last_mut().expect("there is a first line");
        let gap = if last.ends_with(", ") { "" } else { "  " };
        last.push_str(gap);
        last.push_str(part);
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Each limit, with the methods that it counts on this surface.
fn limits(operations: &[&Listed<'_>]) -> Vec<String> {
    let mut limits: Vec<(String, Vec<&str>)> = Vec::new();
    for listed in operations {
        let Some(limit) = listed.limit.as_ref().map(limit) else {
            continue;
        };
        match limits.iter_mut().find(|(known, _)| *known == limit) {
            Some((_, methods)) if methods.contains(&listed.method) => {}
            Some((_, methods)) => methods.push(listed.method),
            None => limits.push((limit, vec![listed.method])),
        }
    }
    let limits = limits.iter();
    limits
        .map(|(limit, methods)| format!("{limit} for {}", methods.join(" ")))
        .collect()
}

/// A line of titles, and one line for each operation, without empty columns.
fn table(surface: &Surface, operations: &[&Listed<'_>]) -> String {
    let operations: Vec<[String; 7]> = operations.iter().map(|listed| cells(surface, listed)).collect();
    let columns = TITLES.iter().enumerate().map(|(column, title)| {
        let cells = operations.iter().map(|cells| cells[column].as_str());
        std::iter::once(*title).chain(cells).collect::<Vec<_>>()
    });
    let columns = columns.filter(|cells| cells[1..].iter().any(|cell| *cell != NOTHING));
    let mut lines = vec![String::new(); operations.len() + 1];
    for cells in columns {
        let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or_default();
        for (line, cell) in lines.iter_mut().zip(cells) {
            line.push_str(&format!("  {cell:width$}"));
        }
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn cells(surface: &Surface, listed: &Listed<'_>) -> [String; 7] {
    let rules = listed.errors.iter().filter(|row| row.at == Step::Rule.as_str());
    let rules = rules.map(|row| format!("{} {}", row.status, row.name));
    let counts = listed.counts.as_ref();
    let counts = counts.map(|counts| format!("{} by {}", counts.list, counts.by));
    let path = listed.path.strip_prefix(&surface.base).unwrap_or(&listed.path);
    [
        listed.name.to_owned(),
        listed.method.to_owned(),
        path.to_owned(),
        or_nothing(counts),
        joined(needs(listed)),
        listed.status.to_string(),
        joined(rules.collect()),
    ]
}

fn or_nothing(cell: Option<String>) -> String {
    cell.unwrap_or_else(|| NOTHING.to_owned())
}

fn joined(parts: Vec<String>) -> String {
    or_nothing(Some(parts.join(", ")).filter(|text| !text.is_empty()))
}

/// `reads 60/min`, as the contract writes it.
fn limit(limit: &ListedLimit<'_>) -> String {
    let unit = match limit.window_seconds {
        1 => "s".to_owned(),
        60 => "min".to_owned(),
        3_600 => "h".to_owned(),
        86_400 => "day".to_owned(),
        seconds => format!("{seconds}s"),
    };
    format!("{} {}/{unit}", limit.name, limit.max)
}

/// The requirements in the words of the contract, in short: an owner or a child that must be given implies existence.
fn needs(listed: &Listed<'_>) -> Vec<String> {
    let plan = listed.plan.map(|plan| format!("plan {plan}"));
    let is_around = |resource: &str| {
        let mut given = listed.exists.iter().filter(|guard| !guard.optional);
        given.any(|guard| guard.within == Some(resource))
    };
    let exists = listed.exists.iter().filter_map(|guard| {
        let resource = guard.resource;
        let word = match listed.owner.contains(&resource) {
            true => "owner",
            false if is_around(resource) => return None,
            false => "exists",
        };
        let condition = if guard.optional { " if given" } else { "" };
        Some(match guard.within {
            Some(parent) => format!("{word} {resource} in {parent}{condition}"),
            None => format!("{word} {resource}{condition}"),
        })
    });
    let quotas = listed.quotas.iter();
    let quotas = quotas.map(|quota| format!("quota {} {}", quota.name, quota.max));
    let field = listed.transitions.as_ref().and_then(|place| place.split_once('.'));
    let transitions = field.map(|(_, field)| format!("transitions {field}"));
    let open = listed.open.map(|decision| format!("open by {decision}"));
    let exists = exists.chain(open);
    plan.into_iter()
        .chain(exists)
        .chain(quotas)
        .chain(transitions)
        .collect()
}
