//! Tests of the limits: in full once for each surface and limit, and in short for each operation that a limit counts.

use crate::contract::{Contract, Operation};
use crate::limits::{LimitTrial, reachable_response_bytes};
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Calls, Trials, calls, failed_credentials};
use crate::suite::{Covers, leak_all};
use codegen::model::{self, Counts, Limit, Per, ResponseBytes, Surface};
use codegen::step::Step;

pub(super) fn of_operation(operation: &'static Operation, trials: &mut Trials) {
    if let Some(limit) = failed_credentials(operation) {
        let rule = of_limit(limit, "exactly this many failed credentials from an address");
        let calls = calls!(.rejects_guessing());
        trials.rejects("too_many_failed_credentials", Step::CredentialLimit, &rule, calls);
    }
    match operation.limit {
        Some(limit) => {
            let rule = of_limit(limit, "exactly this many");
            let calls = calls!(.rejects_more_than_limit());
            trials.rejects(&format!("limit_{}", limit.name), Step::Limit, &rule, calls);
        }
        None => {
            let rule = Rule::new("no limit counts it", operation.declared.at);
            trials.invalid("is_not_limited", &rule, calls!(.has_no_limit()));
        }
    }
    if let Some(bytes) = reachable_response_bytes(operation) {
        let at = operation.contract.error(Step::ResponseBytes).at;
        let ResponseBytes { max, window_seconds } = bytes;
        let rule = Rule::new(
            format!("api.response_bytes, {max} in {window_seconds} s: then no more"),
            at,
        );
        let calls = calls!(.rejects_after_response_bytes(bytes));
        trials.rejects("too_many_response_bytes", Step::ResponseBytes, &rule, calls);
    }
}

const NOTHING: Covers = Covers::Errors(&[]);

fn of_limit(limit: &Limit, demand: &str) -> Rule {
    let Limit {
        name,
        max,
        window_seconds,
        ..
    } = limit;
    Rule::new(
        format!("limits.{name}, {max} in {window_seconds} s: {demand}"),
        limit.at,
    )
}

/// The tests of a surface's limits, each with one of its operations.
pub(crate) fn of_surface(contract: &'static Contract, surface: &'static Surface) -> Option<Trials> {
    let model = contract.model;
    let counted: Vec<(&Limit, &'static Operation)> = model
        .limits
        .iter()
        .filter_map(|limit| Some((limit, counted_by(contract, surface, &limit.name)?)))
        .collect();
    let credential = model.credential_of(surface);
    let has_callers = credential.is_some_and(|credential| credential.caller.is_some());
    let has_owners = credential.is_some_and(|credential| model.has_other_credentials(credential));
    let mut trials = Trials::new(counted.first()?.1);
    for (limit, operation) in &counted {
        let mut of_limit = OfLimit {
            trials: &mut trials,
            limit,
            operation,
        };
        of_limit.count(has_callers);
        if let Some(max) = limit.owner_max.filter(|_| has_owners) {
            of_limit.count_owners(max);
        }
        for (other, apart) in counted.iter().filter(|(other, _)| other.name != limit.name) {
            let apart: &'static Operation = apart;
            let name = format!("is_apart_from_{}", other.name);
            let calls = calls!(.counts_apart_from(apart));
            of_limit.add(&name, NOTHING, "counts apart from others", calls);
        }
    }
    Some(trials)
}

/// The operation of a surface with which a limit is tested.
fn counted_by(contract: &Contract, surface: &Surface, limit: &str) -> Option<&'static Operation> {
    let is_counted =
        |operation: &&model::Operation| operation.limit.as_deref() == Some(limit) && !operation.moves_file();
    let mut counted = surface.operations.iter().filter(is_counted);
    let plain = counted.clone().find(|operation| operation.path.is_empty());
    Some(contract.operation(plain.or_else(|| counted.next())?))
}

/// A limit under test.
struct OfLimit<'l> {
    trials: &'l mut Trials,
    limit: &'l Limit,
    operation: &'static Operation,
}

impl OfLimit<'_> {
    fn count(&mut self, has_callers: bool) {
        let limit = self.trials.at_steps(&[Step::Limit]);
        self.add("is_exact", limit, "exactly this many", calls!(.counts_exactly()));
        let early = calls!(.counts_nothing_rejected_before());
        self.add(
            "counts_only_what_reaches_it",
            NOTHING,
            "counts only what reaches it",
            early,
        );
        if matches!(self.limit.counts, Counts::Methods { per: Per::Address, .. }) {
            let calls = calls!(.counts_each_address());
            self.add("is_for_each_address", NOTHING, "for each address", calls);
        } else if has_callers {
            let calls = calls!(.counts_each_caller());
            self.add("is_for_each_caller", NOTHING, "for each caller", calls);
        }
    }

    fn count_owners(&mut self, max: u32) {
        let shows = self.trials.at_steps(&[Step::Limit]);
        let demand = format!("{max} of all credentials of a caller together");
        self.add("is_for_each_owner", shows, &demand, calls!(.counts_each_owner()));
    }

    fn add(&mut self, what: &str, shows: Covers, demand: &str, calls: Calls) {
        let rule = of_limit(self.limit, demand);
        let name = format!("{}_{what}", self.limit.name);
        self.trials.attempt_of(self.operation, &name, shows, &rule, calls);
    }
}

/// The tests of the limits over all surfaces.
pub(crate) fn shared(contract: &'static Contract) -> Option<Trials> {
    let limit = contract.failed_credentials()?;
    let surfaces = contract.model.surfaces.iter();
    let guarded = surfaces.filter(|surface| surface.credential.is_some());
    let operations = guarded.filter_map(|surface| Some(contract.operation(surface.operations.first()?)));
    let operations = leak_all(operations);
    let mut trials = Trials::new(operations.first()?);
    let rule = of_limit(limit, "exactly this many failed credentials from an address");
    let covers = trials.at_steps(&[Step::Credential, Step::CredentialLimit]);
    trials.add("are_limited_exactly", covers, &rule, move |world, rule, at| {
        let trial = LimitTrial::of_failed_credentials(world, operations);
        trial.trying(rule, at).counts_exactly();
    });
    Some(trials)
}
