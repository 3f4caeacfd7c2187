//! `hitode status`: what goes on, on a page.

use clap::Args;
use contract::operator::get_status;
use indicatif::{HumanBytes, HumanCount};
use serde_json::Value;

use super::client::Operation;
use super::connection::Connection;
use super::error::CommandError;
use super::output::{Output, plain};
use super::table::{Side, table};

/// `hitode status`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Status {
    #[command(flatten)]
    connection: Connection,

    #[command(flatten)]
    output: Output,
}

impl Status {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let client = self.connection.client()?;
        let status = Operation::new(get_status::METHOD, get_status::PATH);
        let status = client.operator(&status, Vec::new())?.content;
        self.output.print(&status, text)
    }
}

fn text(status: &Value) -> String {
    let totals = listed(&status["totals"]);
    let head = format!(
        "Version {}, started {} UTC\nThere are: {totals}",
        plain(&status["version"]),
        plain(&status["started_at"])
    );
    let mut parts = vec![head, days(&status["days"]), hour(status), machine(status)];
    if let Some(failures) = status["failures"].as_array().filter(|failures| !failures.is_empty()) {
        parts.push(rows(failures));
    }
    parts.join("\n\n")
}

/// `accounts 3, workers 120`
fn listed(counts: &Value) -> String {
    let counts = counts.as_object().into_iter().flatten();
    let counts = counts.map(|(name, count)| format!("{} {}", name.replace('_', " "), grouped(count)));
    counts.collect::<Vec<_>>().join(", ")
}

/// The days, the present one first, until the last one that brought something.
fn days(days: &Value) -> String {
    let days: Vec<Value> = days.as_array().cloned().unwrap_or_default();
    let has_something = |day: &Value| {
        day.as_object()
            .is_some_and(|day| day.values().any(|value| value.as_i64() > Some(0)))
    };
    let until = days.iter().rposition(has_something).unwrap_or_default();
    rows(&days[..days.len().min(until + 1)])
}

fn hour(status: &Value) -> String {
    let minutes = status["minutes"].as_array().map_or(&[][..], Vec::as_slice);
    let sum = |name: &str| minutes.iter().filter_map(|minute| minute[name].as_u64()).sum::<u64>();
    let [succeeded, refused, failed] = ["succeeded", "refused", "failed"].map(sum);
    let mut text = format!(
        "Requests to this server in the last hour: {} succeeded, {} refused, {} failed",
        HumanCount(succeeded),
        HumanCount(refused),
        HumanCount(failed)
    );
    if let Some(micros) = status["p99_microseconds"].as_u64() {
        text += &format!("; 99 of 100 took at most {} ms", micros as f64 / 1000.0);
    }
    text
}

fn machine(status: &Value) -> String {
    let bytes = |name: &str| {
        status[name]
            .as_u64()
            .map_or("unknown".to_owned(), |bytes| HumanBytes(bytes).to_string())
    };
    let backup = match &status["last_backup_at"] {
        Value::Null => "none (see `hitode serve --help`, --backup-dir)".to_owned(),
        at => format!("{} UTC", plain(at)),
    };
    format!(
        "Disk: {} used, {} free\nLatest rotating backup: {backup}\nFailing webhooks: {}",
        bytes("disk_used_bytes"),
        bytes("disk_free_bytes"),
        plain(&status["failing_webhooks"])
    )
}

fn grouped(count: &Value) -> String {
    count
        .as_u64()
        .map_or_else(|| plain(count), |count| HumanCount(count).to_string())
}

/// Objects with the same members as a table, texts before numbers.
fn rows(objects: &[Value]) -> String {
    let Some(names) = objects.first().and_then(Value::as_object) else {
        return String::new();
    };
    let (numbers, texts): (Vec<_>, Vec<_>) = names.iter().partition(|(_, value)| value.is_number());
    let names: Vec<&String> = texts.iter().chain(&numbers).map(|(name, _)| *name).collect();
    let sides = texts
        .iter()
        .map(|_| Side::Left)
        .chain(numbers.iter().map(|_| Side::Right));
    let headings: Vec<_> = names
        .iter()
        .map(|name| name.to_uppercase().replace('_', " "))
        .zip(sides)
        .collect();
    let headings: Vec<_> = headings.iter().map(|(name, side)| (name.as_str(), *side)).collect();
    let cells = |object: &Value| names.iter().map(|name| grouped(&object[name.as_str()])).collect();
    table(&headings, &objects.iter().map(cells).collect::<Vec<_>>())
}

const EXAMPLES: &str = "\
EXAMPLES
  hitode status
  hitode status --json | jq '.days[0]'

Environment: HITODE_OPERATOR_TOKEN holds the operator's token";
