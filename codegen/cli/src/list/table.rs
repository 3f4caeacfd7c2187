//! The operations as lines whose parts stand below each other.

use super::{Listed, ListedLimit, Listing};

const TITLES: [&str; 10] = [
    "OPERATION",
    "METHOD",
    "PATH",
    "CREDENTIAL",
    "LIMIT",
    "GUARDS",
    "QUOTA",
    "TRANSITIONS",
    "STATUS",
    "ERRORS",
];

/// Stands where there is nothing, so that the parts of a line can be counted.
const NOTHING: &str = "-";

/// A line of titles, and one for each operation. Parts are two blanks or more apart, and hold single ones.
pub(super) fn draw(listing: &Listing<'_>) -> String {
    let titles = TITLES.map(str::to_owned);
    let lines: Vec<[String; 10]> = std::iter::once(titles)
        .chain(listing.operations.iter().map(cells))
        .collect();
    let width = |column: usize| {
        lines
            .iter()
            .map(|cells| cells[column].chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: [usize; 10] = std::array::from_fn(width);
    lines.iter().map(|cells| line(cells, &widths)).collect()
}

fn line(cells: &[String; 10], widths: &[usize; 10]) -> String {
    let padded = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
    let line = padded.collect::<Vec<_>>().join("  ");
    format!("{}\n", line.trim_end())
}

fn cells(listed: &Listed<'_>) -> [String; 10] {
    let credential = listed.credential.as_ref().map(|credential| credential.name.to_owned());
    let quota = listed
        .quota
        .as_ref()
        .map(|quota| format!("{} {}", quota.name, quota.max));
    let errors = listed.errors.iter().map(|row| format!("{} {}", row.status, row.name));
    [
        format!("{}/{}", listed.surface, listed.name),
        listed.method.to_owned(),
        listed.path.clone(),
        or_nothing(credential),
        or_nothing(listed.limit.as_ref().map(limit)),
        joined(guards(listed)),
        or_nothing(quota),
        or_nothing(listed.transitions.clone()),
        listed.status.to_string(),
        joined(errors.collect()),
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

/// As the contract writes them.
fn guards(listed: &Listed<'_>) -> Vec<String> {
    let plan = listed.plan.map(|plan| format!("plan {plan}"));
    let exists = listed.exists.iter().map(|guard| match guard.within {
        Some(parent) => format!("exists {} in {parent}", guard.resource),
        None => format!("exists {}", guard.resource),
    });
    let owner = listed.owner.iter().map(|resource| format!("owner {resource}"));
    plan.into_iter().chain(exists).chain(owner).collect()
}
