//! Which outcomes occurred: successes and errors of operations. And which can occur.

use super::call::Call;
use super::elsewhere;
use super::findings::{HistoryOptions, Outcome};
use super::learn::{is_declared, is_state};
use codegen::Model;
use codegen::model::{Counts, Effect, ErrorEntry, Fill, Limit, Operation, Quota, States, Surface, Type};
use codegen::step::Step;
use std::collections::{BTreeMap, BTreeSet};

/// The longest window of a limit that is exhausted, or whose end is waited for.
pub(super) const PATIENCE: u32 = 60;

/// An operation with an error; `None` for a success.
pub(super) type Goal<'m> = (&'m Surface, &'m Operation, Option<&'m ErrorEntry>);

/// How often each operation succeeded, and was rejected with each error.
pub(crate) struct Outcomes<'m> {
    model: &'m Model,
    counts: BTreeMap<Outcome, usize>,
    /// What the server answers in another way.
    given_up: BTreeSet<Outcome>,
    /// Resources of which there is no record.
    absent: BTreeSet<&'m str>,
    pub(super) calls: usize,
}

impl<'m> Outcomes<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self {
            model,
            counts: BTreeMap::new(),
            given_up: BTreeSet::new(),
            absent: BTreeSet::new(),
            calls: 0,
        }
    }

    /// The same, where there is no record of these resources.
    pub(super) fn without(model: &'m Model, absent: BTreeSet<&'m str>) -> Self {
        Self {
            absent,
            ..Self::new(model)
        }
    }

    pub(super) fn count(&mut self, call: &Call<'m>, error: Option<&'m ErrorEntry>) {
        self.calls += 1;
        if let Some((surface, operation)) = call.operation {
            *self.counts.entry(outcome(&(surface, operation, error))).or_default() += 1;
        }
    }

    /// What occurred, and how often.
    pub(super) fn met(&self, options: &HistoryOptions) -> Vec<(Outcome, usize)> {
        let wanted = |(outcome, count): (&Outcome, &usize)| {
            is_wanted(options, &outcome.operation).then(|| (outcome.clone(), *count))
        };
        let mut met: Vec<_> = self.counts.iter().filter_map(wanted).collect();
        met.sort();
        met
    }

    pub(super) fn has(&self, goal: &Goal<'m>) -> bool {
        self.counts.contains_key(&outcome(goal))
    }

    /// What can occur, and has not.
    pub(super) fn missing(&self, options: &HistoryOptions) -> Vec<Goal<'m>> {
        let compared = self.model.operations().filter(|(_, operation)| is_declared(operation));
        let all = compared.flat_map(|(surface, operation)| {
            let errors = self.model.errors_of(surface, operation).into_iter();
            let errors = errors.filter(|error| self.can_occur(surface, operation, error, options.is_limited));
            let outcomes = errors.map(Some).chain([None]);
            outcomes.map(move |error| (surface, operation, error))
        });
        let is_missing = |goal: &Goal<'m>| !self.has(goal) && is_wanted(options, &outcome(goal).operation);
        all.filter(is_missing)
            .filter(|goal| self.lacking(goal).is_none())
            .collect()
    }

    /// The resource of which it would need a record, where there is none.
    fn lacking(&self, (_, operation, error): &Goal<'m>) -> Option<&'m str> {
        let mut required = elsewhere::required_resources(operation);
        let comes_later = error.is_none_or(|error| error.step > Step::Exists);
        required.find(|name| comes_later && self.absent.contains(name))
    }

    /// The operations that cannot succeed, each with the resource of which there is no record.
    pub(super) fn lacking_records(&self, options: &HistoryOptions) -> Vec<(String, &'m str)> {
        let all = self
            .model
            .operations()
            .map(|(surface, operation)| (surface, operation, None));
        let lacking = all.filter_map(|goal| Some((outcome(&goal).operation, self.lacking(&goal)?)));
        lacking.filter(|(operation, _)| is_wanted(options, operation)).collect()
    }

    /// What is missing, and has not been answered in another way.
    pub(super) fn goals(&self, options: &HistoryOptions) -> Vec<Goal<'m>> {
        let mut goals = self.missing(options);
        goals.retain(|goal| !self.given_up.contains(&outcome(goal)));
        goals
    }

    /// The server does not answer with this error; an empty name: it does not succeed.
    pub(super) fn give_up(&mut self, operation: Option<(&Surface, &Operation)>, error: Option<&str>) {
        if let (Some((surface, operation)), Some(error)) = (operation, error) {
            self.given_up.insert(Outcome {
                operation: surface.full_name(operation),
                error: Some(error.to_owned()).filter(|error| !error.is_empty()),
            });
        }
    }

    pub(super) fn can_occur(
        &self,
        surface: &Surface,
        operation: &Operation,
        error: &ErrorEntry,
        is_limited: bool,
    ) -> bool {
        if error.untestable.is_some() {
            return false;
        }
        let caller = self
            .model
            .credential_of(surface)
            .and_then(|credential| credential.caller.as_ref());
        match error.step {
            Step::Limit => {
                let limit = operation.limit.as_ref().map(|name| self.model.limit(name));
                is_limited && limit.is_some_and(|limit| limit.window_seconds <= PATIENCE)
            }
            Step::CredentialLimit => {
                let failed = failed_credentials(self.model);
                is_limited && failed.is_some_and(|limit| limit.window_seconds <= PATIENCE)
            }
            step if step.is_out_of_reach() => false,
            // It takes two callers.
            Step::Owner => caller.is_none_or(|caller| {
                let all = self
                    .model
                    .credentials
                    .iter()
                    .filter_map(|credential| credential.caller.as_ref());
                let alike = all.filter(|one| one.resource == caller.resource).count();
                alike > 1 || !elsewhere::is_from_elsewhere(self.model, &caller.resource)
            }),
            // A file of so many bytes takes too long.
            Step::BodySize if operation.file.is_some() => false,
            // A rule that is the service's own may come first, always.
            Step::Quota | Step::Transition | Step::Rule if self.model.has_own_rule(operation) => false,
            Step::Quota => reachable_quota(self.model, operation).is_some(),
            Step::Rule => error.when.is_some(),
            Step::Transition => Self::has_forbidden_move(self.model, operation),
            Step::Suspended => caller.is_some_and(|caller| {
                let field = caller.suspended.as_ref();
                field.is_some_and(|field| Self::is_set(self.model, &caller.resource, field))
            }),
            Step::Plan => caller.is_some_and(|caller| {
                let field = caller.plan.as_ref();
                field.is_some_and(|(field, _)| Self::is_set(self.model, &caller.resource, field))
            }),
            _ => true,
        }
    }

    /// Whether an operation sets this field to what the request says.
    pub(super) fn is_set(model: &Model, resource: &str, field: &str) -> bool {
        model.operations().any(|(_, operation)| {
            let has_member = model
                .body(operation)
                .is_some_and(|body| body.members.iter().any(|member| member.field.name == field));
            let changes = |effect: &Effect| matches!(effect, Effect::Change { resource: of, .. } if of == resource);
            let is_changed = has_member && operation.effects.iter().any(changes);
            is_changed || matches!(operation.fill(resource, field), Some(Fill::Member(_)))
        })
    }

    /// Whether a state that an operation can set may not follow every state.
    pub(crate) fn has_forbidden_move(model: &Model, operation: &Operation) -> bool {
        let Some(moved) = &operation.transitions else {
            return false;
        };
        let states = model.enumeration(&moved.states);
        let Some(declared) = &states.states else { return false };
        let members = model.body(operation).into_iter().flat_map(|body| &body.members);
        let mut members = members.filter(|member| is_state(model, &moved.states, &member.field.of.kind));
        let words = members.next().map(|member| words(model, &member.field.of));
        words.is_some_and(|words| {
            let mut all = states.values.iter();
            all.any(|from| words.iter().any(|to| !may_follow(declared, from, to)))
        })
    }
}

/// The limit on failed credentials.
pub(super) fn failed_credentials(model: &Model) -> Option<&Limit> {
    model
        .limits
        .iter()
        .find(|limit| limit.counts == Counts::FailedCredentials)
}

/// Whether a state may follow another one. Each may follow itself.
pub(super) fn may_follow(states: &States, from: &str, to: &str) -> bool {
    let is_listed = |all: &Vec<(String, Vec<String>)>| {
        let mut all = all.iter();
        all.any(|(state, next)| state == from && next.iter().any(|known| known == to))
    };
    from == to || states.transitions.as_ref().is_none_or(is_listed)
}

fn words<'m>(model: &'m Model, of: &Type) -> &'m [String] {
    match &of.kind {
        codegen::model::Kind::Enum(name) => &model.enumeration(name).values,
        _ => &[],
    }
}

fn outcome(goal: &Goal) -> Outcome {
    let (surface, operation, error) = goal;
    Outcome {
        operation: surface.full_name(operation),
        error: error.map(|error| error.name.clone()),
    }
}

/// The outcome of a goal.
pub(super) fn named(goal: &Goal) -> Outcome {
    outcome(goal)
}

/// Whether an operation is one of those that are reported.
pub(super) fn is_wanted(options: &HistoryOptions, operation: &str) -> bool {
    options
        .filter
        .as_ref()
        .is_none_or(|filter| operation.contains(filter.as_str()))
}

/// How many records of one owner a history makes to reach a quota.
const MOST_OF_A_QUOTA: u64 = 40;

/// The quota of the operation that a history reaches by repeating it.
pub(super) fn reachable_quota<'m>(model: &'m Model, operation: &Operation) -> Option<&'m Quota> {
    let quotas = operation.quotas.iter().map(|name| model.quota(name));
    let is_reachable = |quota: &&Quota| {
        let makes = quota.records().is_some_and(|of| operation.makes(of));
        makes && quota.window_seconds.is_none() && quota.max <= MOST_OF_A_QUOTA
    };
    quotas.filter(is_reachable).min_by_key(|quota| quota.max)
}
