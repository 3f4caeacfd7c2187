//! `codegen conform`: compares any server with a contract, over HTTP.
//!
//! ```text
//! contract ─ scenarios, probes, random histories ─▶ Report ─ expected failures ─▶ text, JUnit, JSON, HTML, exit status
//! ```

mod expected;
mod html;
mod junit;
mod probes;
mod progress;
mod report;
mod run;
mod text;

use crate::credentials::credentials;
use crate::input::Input;
use crate::mock_command::Switch;
use crate::output::{Output, Status};
use clap::{Args, ValueEnum};
use expected::Expected;
use report::Report;
use std::fs;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// What the command is called with.
#[derive(Debug, Args)]
pub(crate) struct ConformArguments {
    /// The contract; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The address of the server, without a path
    #[arg(long, value_name = "ORIGIN")]
    url: String,

    /// The secret of a credential that no operation creates
    #[arg(long, value_name = "NAME=VALUE")]
    credential: Vec<String>,

    /// Whether the server limits rates and requests in flight
    #[arg(long, value_name = "on|off", default_value = "on")]
    rate_limits: Switch,

    /// Whether operations are called as tools (MCP), too, if the contract offers tools
    #[arg(long, value_name = "on|off", default_value = "on")]
    tools: Switch,

    /// Listen at this address for what webhooks get, and verify it; the server must be able to send requests to it by http
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with_all = ["histories_only", "scenarios_only"])]
    receiver: Option<SocketAddr>,

    /// What is compared: the shape of answers; also values, order and headers; also the texts of errors
    #[arg(long, value_name = "LEVEL", default_value = "values")]
    level: Level,

    /// Only the scenarios
    #[arg(long, requires = "scenarios")]
    scenarios_only: bool,

    /// Only the probes: single changes of calls that work, limits, quotas, requests at once
    #[arg(long, conflicts_with_all = ["histories_only", "scenarios"])]
    probes_only: bool,

    /// Only the probe of this name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["histories_only", "scenarios"])]
    probe: Option<String>,

    /// Try only every Nth probe, for a quick look
    #[arg(long, value_name = "N", default_value = "1", conflicts_with_all = ["histories_only", "scenarios_only", "probe"])]
    one_in: NonZeroUsize,

    /// Only random histories of calls
    #[arg(long)]
    histories_only: bool,

    /// Also the scenarios of this file
    #[arg(long, value_name = "FILE", conflicts_with = "histories_only")]
    scenarios: Option<PathBuf>,

    /// The number of random calls; from 2000 on, every outcome must be met
    #[arg(long, value_name = "N", default_value_t = 5000)]
    calls: usize,

    /// What the random calls depend on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Only scenarios, probes and differences of operations whose name contains this text
    #[arg(long, value_name = "OPERATION")]
    filter: Option<String>,

    /// Failures that are expected, one name in each line; one that passes is an error
    #[arg(long, value_name = "FILE")]
    expected_failures: Option<PathBuf>,

    /// Write the result in the format of `JUnit`
    #[arg(long, value_name = "FILE")]
    report_junit: Option<PathBuf>,

    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    report_json: Option<PathBuf>,

    /// Write the result as a page
    #[arg(long, value_name = "FILE")]
    report_html: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    Shape,
    Values,
    Texts,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Shape => "shape",
            Level::Values => "values",
            Level::Texts => "texts",
        }
    }
}

impl From<Level> for conformance::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Shape => conformance::Level::Shape,
            Level::Values => conformance::Level::Values,
            Level::Texts => conformance::Level::Texts,
        }
    }
}

/// The parts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Scenarios,
    Probes,
    Histories,
}

impl ConformArguments {
    /// Whether this part is to run.
    fn has(&self, part: Part) -> bool {
        let only = match self {
            Self {
                scenarios_only: true, ..
            } => Some(Part::Scenarios),
            Self {
                histories_only: true, ..
            } => Some(Part::Histories),
            Self { probes_only: true, .. } | Self { probe: Some(_), .. } => Some(Part::Probes),
            _ => None,
        };
        only.is_none_or(|only| only == part)
    }
}

/// Compares the server with the contract.
pub(crate) fn run(arguments: &ConformArguments) -> Output {
    let input = match Input::read(&arguments.file) {
        Ok(input) => input,
        Err(message) => return Output::failed(&message),
    };
    let model = match input.compile() {
        Ok(model) => model,
        Err(failure) => return failure,
    };
    let compared = credentials(&model, &arguments.credential).and_then(|roots| {
        let expected = arguments.expected_failures.as_deref().map(read).transpose()?;
        let mut report = run::run(arguments, model, &input.name, roots)?;
        let mut notes = expected.map_or_else(Vec::new, |text| {
            let is_whole = arguments.filter.is_none() && arguments.probe.is_none() && arguments.one_in.get() == 1;
            Expected::parse(&text).mark(&mut report, is_whole)
        });
        notes.extend(run::coverage(arguments, &report));
        write(arguments, &report, &notes)?;
        Ok((report, notes))
    });
    match compared {
        Ok((report, notes)) => Output {
            out: text::text(&report, &notes),
            status: if report.counts().failed == 0 && notes.is_empty() {
                Status::Well
            } else {
                Status::Wrong
            },
            ..Output::default()
        },
        Err(message) => Output::failed(&message),
    }
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// Writes the reports that the arguments name.
fn write(arguments: &ConformArguments, report: &Report, notes: &[String]) -> Result<(), String> {
    let into = |file: &Option<PathBuf>, text: &dyn Fn() -> Result<String, String>| match file {
        Some(file) => fs::write(file, text()?).map_err(|error| format!("cannot write {}: {error}", file.display())),
        None => Ok(()),
    };
    into(&arguments.report_junit, &|| junit::junit(report))?;
    into(&arguments.report_html, &|| Ok(html::html(report, notes)))?;
    into(&arguments.report_json, &|| {
        serde_json::to_string_pretty(report).map_err(|error| error.to_string())
    })
}
