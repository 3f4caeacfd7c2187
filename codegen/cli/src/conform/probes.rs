//! Runs the probes, and reports them: each that fails or is not tried, and all others of an operation together.

use super::report::{ProbesTried, Report, Trial, Verdict};
use super::{ConformArguments, progress};
use crate::mock_command::Switch;
use codegen::nearest;
use conformance::{
    Contract, HistoryClock, HistoryOptions, HttpSender, Level, ProbeOptions, ProbeOutcome, ProbeVerdict, Probes,
    Receiver, Request,
};
use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, Instant};

/// How long probes may take behind limits.
const LONGEST_BEHIND_LIMITS: Duration = Duration::from_secs(120);

/// The server, and the secrets of the credentials that no operation makes, by their names.
pub(super) type Server<'s> = (&'s HttpSender, Vec<(String, String)>);

/// What calls depend on.
pub(super) fn options(arguments: &ConformArguments, sender: &HttpSender) -> HistoryOptions {
    HistoryOptions {
        calls: arguments.calls,
        seed: arguments.seed,
        level: arguments.level.into(),
        is_limited: arguments.rate_limits == Switch::On,
        has_addresses: sender.has_addresses(),
        has_tools: arguments.tools == Switch::On,
        ..HistoryOptions::default()
    }
}

/// Tries the probes that the arguments name.
///
/// # Errors
/// There is no probe of the name.
pub(super) fn run(
    arguments: &ConformArguments,
    contract: Contract,
    (sender, roots): Server,
    report: &mut Report,
) -> Result<(), String> {
    let level: Level = arguments.level.into();
    let names = Probes::names(contract.model, level);
    if let Some(name) = arguments.probe.as_ref().filter(|name| !names.contains(name)) {
        let meant = nearest::nearest(name, names.iter().map(String::as_str));
        let meant = meant
            .map(|meant| format!(", did you mean `{meant}`?"))
            .unwrap_or_default();
        return Err(format!("--probe: there is no probe `{name}`{meant}"));
    }
    let is_meant = |name: &&String| match (&arguments.probe, &arguments.filter) {
        (Some(probe), _) => probe == *name,
        (None, Some(filter)) => name.contains(filter.as_str()),
        (None, None) => true,
    };
    let meant = names.iter().filter(is_meant).step_by(arguments.one_in.get());
    let tried: HashSet<&str> = meant.map(String::as_str).collect();
    let is_tried = |name: &str| tried.contains(name);
    let receiver = arguments.receiver.map(Receiver::listen).transpose();
    let receiver = receiver.map_err(|error| format!("--receiver: {error}"))?;
    let is_limited = arguments.rate_limits == Switch::On;
    let bar = progress::probes(tried.len());
    let held = |request: &Request, meanwhile: &mut dyn FnMut()| sender.send_held(request, meanwhile);
    let options = ProbeOptions {
        histories: options(arguments, sender),
        held: Some(&held),
        receiver: receiver.as_ref(),
        is_tried: &is_tried,
        longest: is_limited.then_some(LONGEST_BEHIND_LIMITS),
        ended: &|_| bar.inc(1),
    };
    let begun = Instant::now();
    let send = |request: &Request| sender.send(request);
    let outcomes = Probes::run(HistoryClock::Real, contract.model, &send, roots, &options);
    bar.finish_and_clear();
    let is_not_tried = |one: &&ProbeOutcome| matches!(one.verdict, ProbeVerdict::NotTried(_));
    let not_tried = outcomes.iter().filter(is_not_tried).count();
    report.probes = Some(ProbesTried {
        tried: outcomes.len() - not_tried,
        not_tried,
        seconds: begun.elapsed().as_secs_f64(),
    });
    let (mut passed, mut failed) = (BTreeSet::new(), BTreeSet::new());
    for ProbeOutcome {
        operation,
        name,
        verdict,
    } in outcomes
    {
        let verdict = match verdict {
            ProbeVerdict::Passed => {
                passed.insert(operation);
                continue;
            }
            ProbeVerdict::Failed(difference) => {
                failed.insert(operation.clone());
                Verdict::Failed(report.failure(contract, *difference))
            }
            ProbeVerdict::NotTried(reason) => Verdict::NotTried { reason },
        };
        report.trials.push(trial(operation, format!("probes::{name}"), verdict));
    }
    for operation in passed.difference(&failed) {
        let name = format!("probes::{operation}");
        report.trials.push(trial(operation.clone(), name, Verdict::Passed));
    }
    Ok(())
}

fn trial(operation: String, name: String, verdict: Verdict) -> Trial {
    Trial {
        name,
        operation: Some(operation),
        verdict,
        is_expected: false,
    }
}
