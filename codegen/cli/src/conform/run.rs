//! Runs the parts: the suite, the scenarios, the probes, the random histories.

use super::report::{Coverage, Failure, Report, Row, Trial, Verdict};
use super::{ConformArguments, Part, probes, progress, read};
use crate::mock_command::Switch;
use codegen::Model;
use conformance::{
    Contract, Covers, DeclaredWorld, Histories, HistoryOptions, HttpSender, Masks, Network, Outcome, Request,
    RunOptions, Scenarios, ServerAddress, Suite, World,
};
use std::collections::BTreeMap;
use std::time::Instant;

/// Runs the parts that the arguments name.
///
/// # Errors
/// One line: a flag or a file is wrong, or the server cannot be reached.
pub(super) fn run(
    arguments: &ConformArguments,
    model: Model,
    file: &str,
    roots: Vec<(String, String)>,
) -> Result<Report, String> {
    let begun = Instant::now();
    if let Some(name) = missing_root(&model, &roots) {
        return Err(format!(
            "the secret of `{name}` is missing, and no operation creates one: add --credential {name}=…"
        ));
    }
    let sender = reach(&arguments.url, &model)?;
    let suite = Suite::new(model, file);
    let contract = suite.contract;
    let scenarios = match &arguments.scenarios {
        Some(file) => {
            let scenarios = Scenarios::read(&read(file)?, contract);
            Some(scenarios.map_err(|mistake| format!("{}: {mistake}", file.display()))?)
        }
        None => None,
    };
    let network = match arguments.rate_limits {
        Switch::On => Network::new(&arguments.url, contract),
        Switch::Off => Network::without_limits(&arguments.url, contract),
    };
    let is_tried = |name: &str| arguments.filter.as_ref().is_none_or(|filter| name.contains(filter));
    let mut report = Report {
        contract: contract.model.title.clone(),
        file: file.to_owned(),
        url: arguments.url.clone(),
        level: arguments.level.name().to_owned(),
        seed: arguments.seed,
        seconds: 0.0,
        trials: Vec::new(),
        probes: None,
        histories: None,
        is_cut_short: false,
        masks: Masks::new(contract.model, roots.iter().map(|(_, secret)| secret.clone())),
        table: table(contract.model),
    };
    if arguments.has(Part::Suite) {
        let world: &'static dyn World = Box::leak(Box::new(
            DeclaredWorld::new(contract, Box::new(network), roots.clone()).at(arguments.level.into()),
        ));
        let bar = progress::tests();
        let options = RunOptions {
            is_tried: &is_tried,
            ended: &|_| bar.inc(1),
            ..RunOptions::default()
        };
        report.trials = suite.run(world, &options).into_iter().map(trial).collect();
        bar.finish_and_clear();
        for name in scenarios
            .iter()
            .flat_map(Scenarios::names)
            .filter(|name| is_tried(name))
        {
            let result = scenarios.as_ref().map(|scenarios| scenarios.verdict(name, world));
            report.trials.push(Trial {
                name: format!("scenarios::{name}"),
                operation: None,
                covers: Vec::new(),
                verdict: result.map_or(Verdict::Passed, verdict),
                is_expected: false,
            });
        }
    }
    report.is_cut_short = arguments.has(Part::Probes) && arguments.has(Part::Suite) && fails_mostly(&report);
    if arguments.has(Part::Probes) && !report.is_cut_short {
        probes::run(arguments, contract, (&sender, roots.clone()), &mut report)?;
    }
    if arguments.has(Part::Histories) && !report.is_cut_short {
        let bar = progress::histories(&report);
        histories(arguments, contract, (&sender, roots), &mut report);
        bar.finish_and_clear();
    }
    report.seconds = begun.elapsed().as_secs_f64();
    Ok(report)
}

/// Whether most fixed tests fail. Random calls to such a server show no more.
fn fails_mostly(report: &Report) -> bool {
    let counts = report.counts();
    counts.failed > counts.passed
}

/// A credential that no operation creates, and whose secret is not given.
fn missing_root<'m>(model: &'m Model, roots: &[(String, String)]) -> Option<&'m str> {
    let mut credentials = model.credentials.iter().map(|credential| credential.name.as_str());
    credentials.find(|name| !mock::is_created(model, name) && !roots.iter().any(|(known, _)| known == name))
}

/// Sends requests to the server, which must listen at the address.
fn reach(url: &str, model: &Model) -> Result<HttpSender, String> {
    let address = ServerAddress::parse(url).map_err(|error| format!("--url: {error}"))?;
    address.addresses()?;
    let request = Request {
        method: "GET".to_owned(),
        target: "/".to_owned(),
        ..Request::default()
    };
    let sender = HttpSender::new(url, model).map_err(|error| format!("cannot send requests: {error}"))?;
    match sender.send(&request) {
        Ok(_) => Ok(sender),
        Err(reason) => Err(format!(
            "cannot reach {url}: {reason}; start the server, or correct --url"
        )),
    }
}

/// The outcomes that a test covers, by name.
fn covered(covers: Covers) -> Vec<String> {
    match covers {
        Covers::Success => vec!["success".to_owned()],
        Covers::Errors(names) => names.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn trial(outcome: Outcome) -> Trial {
    Trial {
        operation: Some(outcome.operation().to_owned()),
        covers: covered(outcome.covers),
        verdict: verdict(outcome.verdict),
        name: outcome.test,
        is_expected: false,
    }
}

fn verdict(verdict: conformance::Verdict) -> Verdict {
    match verdict {
        conformance::Verdict::Passed => Verdict::Passed,
        conformance::Verdict::Failed(failure) => Verdict::Failed(of_suite(&failure)),
        conformance::Verdict::Skipped(reason) => Verdict::NotTried { reason },
    }
}

/// A failure of the suite, as the reports show it.
fn of_suite(failure: &conformance::Failure) -> Failure {
    let [_, _, _, at] = failure.operation;
    let rule = failure
        .tried
        .map_or_else(|| at.to_owned(), |tried| format!("{} ({})", tried.at, tried.rule));
    Failure {
        cause: failure.cause.clone(),
        script: failure.curl().unwrap_or_default(),
        came: failure.response.as_ref().map_or_else(String::new, came),
        wanted: format!("{}\nbut {}", failure.wanted, failure.because),
        place: rule,
    }
}

fn came(response: &conformance::Response) -> String {
    /// Enough to see what the response is.
    const SHOWN: usize = 1000;
    let body = String::from_utf8_lossy(&response.body);
    let headers = response
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\n"));
    let shown: String = body.chars().take(SHOWN).collect();
    let more = if shown.len() < body.len() { " …" } else { "" };
    format!("{}\n{}{shown}{more}", response.status, headers.collect::<String>())
}

/// Random histories, and what they found.
fn histories(
    arguments: &ConformArguments,
    contract: &'static Contract,
    (sender, roots): (&HttpSender, Vec<(String, String)>),
    report: &mut Report,
) {
    let options = HistoryOptions {
        calls: arguments.calls,
        seed: arguments.seed,
        filter: arguments.filter.clone(),
        level: arguments.level.into(),
        is_limited: arguments.rate_limits == Switch::On,
        ..HistoryOptions::default()
    };
    let begun = Instant::now();
    let found = Histories::run(contract.model, &|request| sender.send(request), roots, &options);
    if found.differences.is_empty() {
        report.trials.push(Trial {
            name: "histories::no_difference".to_owned(),
            operation: None,
            covers: Vec::new(),
            verdict: Verdict::Passed,
            is_expected: false,
        });
    }
    for difference in found.differences {
        let operation = difference.operation.clone();
        let failure = report.failure(contract, difference);
        report.trials.push(Trial {
            name: format!("histories::{}", failure.cause),
            operation: Some(operation).filter(|name| !name.is_empty()),
            covers: Vec::new(),
            verdict: Verdict::Failed(failure),
            is_expected: false,
        });
    }
    for (operation, resource) in found.lacking_records {
        report.trials.push(Trial {
            name: format!("histories::{operation}::success"),
            operation: Some(operation),
            covers: Vec::new(),
            verdict: Verdict::NotTried {
                reason: format!("no operation makes a {resource}, and no list of the server shows one"),
            },
            is_expected: false,
        });
    }
    let mut met: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for (outcome, count) in found.met {
        let error = outcome.error.unwrap_or_else(|| "success".to_owned());
        met.entry(outcome.operation).or_default().insert(error, count);
    }
    report.histories = Some(Coverage {
        calls: found.calls,
        seconds: begun.elapsed().as_secs_f64(),
        met,
        never_met: found.never_met.iter().map(ToString::to_string).collect(),
    });
}

/// The operations, each with the outcomes that it can have.
fn table(model: &Model) -> Vec<Row> {
    let row = |(surface, operation)| {
        let errors = model
            .errors_of(surface, operation)
            .into_iter()
            .map(|error| error.name.as_str().to_owned());
        Row {
            operation: surface.full_name(operation),
            route: format!("{} {}{}", operation.method, surface.base, operation.route),
            outcomes: std::iter::once("success".to_owned()).chain(errors).collect(),
        }
    };
    model.operations().map(row).collect()
}

/// A run that is long enough must have met every outcome: a test that never succeeds shows nothing.
pub(super) fn coverage(arguments: &ConformArguments, report: &Report) -> Option<String> {
    const ENOUGH: usize = 2000;
    let histories = report.histories.as_ref()?;
    let is_whole = histories.calls >= ENOUGH && arguments.filter.is_none();
    let has_failed = report
        .trials
        .iter()
        .any(|trial| trial.name.starts_with("histories::") && matches!(trial.verdict, Verdict::Failed(_)));
    (is_whole && !has_failed && !histories.never_met.is_empty()).then(|| {
        let count = histories.never_met.len();
        format!(
            "{count} outcomes were never met in {} calls: try another --seed or more --calls",
            histories.calls
        )
    })
}
