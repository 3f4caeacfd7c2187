//! Runs the parts: the scenarios, the probes, the random histories.

use super::probes::{self, Server, options};
use super::report::{Coverage, Failure, Report, Row, Trial, Verdict};
use super::{ConformArguments, Part, progress, read};
use codegen::Model;
use conformance::{
    Contract, Histories, HistoryOptions, HttpSender, Masks, Request, ScenarioVerdict, Scenarios, ServerAddress,
};
use std::collections::{BTreeMap, BTreeSet};
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
    let contract = Contract::new(model, file);
    let scenarios = match &arguments.scenarios {
        Some(file) => {
            let scenarios = Scenarios::read(&read(file)?, contract);
            Some(scenarios.map_err(|mistake| format!("{}: {mistake}", file.display()))?)
        }
        None => None,
    };
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
    if let Some(scenarios) = scenarios.filter(|_| arguments.has(Part::Scenarios)) {
        let is_tried = |name: &str| arguments.filter.as_ref().is_none_or(|filter| name.contains(filter));
        let send = |request: &Request| sender.send(request);
        let verdicts = scenarios.run(&is_tried, &send, roots.clone(), options(arguments, &sender));
        report.trials.extend(verdicts.into_iter().map(of_scenario));
    }
    if arguments.has(Part::Probes) {
        probes::run(arguments, contract, (&sender, roots.clone()), &mut report)?;
        report.is_cut_short = arguments.has(Part::Histories) && fails_mostly(&report);
    }
    if arguments.has(Part::Histories) && !report.is_cut_short {
        let bar = progress::histories(&report);
        histories(arguments, contract, (&sender, roots), &mut report);
        bar.finish_and_clear();
    }
    report.seconds = begun.elapsed().as_secs_f64();
    Ok(report)
}

/// Whether most operations fail. Random calls to such a server show no more.
fn fails_mostly(report: &Report) -> bool {
    let with = |is_it: fn(&Verdict) -> bool| {
        let trials = report.trials.iter().filter(|trial| is_it(&trial.verdict));
        trials
            .filter_map(|trial| trial.operation.as_deref())
            .collect::<BTreeSet<&str>>()
    };
    let failed = with(|verdict| matches!(verdict, Verdict::Failed(_)));
    failed.len() > with(|verdict| matches!(verdict, Verdict::Passed)).len()
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
    let sender = HttpSender::new(url, model)?;
    match sender.send(&request) {
        Ok(_) => Ok(sender),
        Err(reason) => Err(format!(
            "cannot reach {url}: {reason}; start the server, or correct --url"
        )),
    }
}

fn of_scenario((name, verdict): (String, ScenarioVerdict)) -> Trial {
    Trial {
        name: format!("scenarios::{name}"),
        operation: None,
        verdict: match verdict {
            ScenarioVerdict::Passed => Verdict::Passed,
            ScenarioVerdict::Failed(failure) => Verdict::Failed(Failure {
                script: failure.request.curl(),
                came: came(&failure.response),
                wanted: format!("{}\nbut {}", failure.wanted, failure.because),
                place: format!("{} ({})", failure.operation[2], failure.step),
                cause: failure.cause,
            }),
            ScenarioVerdict::NotTried(reason) => Verdict::NotTried { reason },
        },
        is_expected: false,
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
fn histories(arguments: &ConformArguments, contract: Contract, (sender, roots): Server, report: &mut Report) {
    let options = HistoryOptions {
        filter: arguments.filter.clone(),
        ..options(arguments, sender)
    };
    let begun = Instant::now();
    let found = Histories::run(contract.model, &|request| sender.send(request), roots, &options);
    if found.differences.is_empty() {
        report.trials.push(Trial {
            name: "histories::no_difference".to_owned(),
            operation: None,
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
            verdict: Verdict::Failed(failure),
            is_expected: false,
        });
    }
    for (operation, resource) in found.lacking_records {
        report.trials.push(Trial {
            name: format!("histories::{operation}::success"),
            operation: Some(operation),
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
