//! The contract uses the whole language, so that its tests cover every form of the model. (`codegen/tests/language.rs` checks
//! that it uses every key.)

mod operations;
mod types;

use codegen::model::{Counts, EnvelopeValue, Model, Operation, Per, Source, Word};
use codegen::step::Step;
use std::collections::BTreeSet;

const CONTRACT: &str = include_str!("../../api.yaml");

fn model() -> Model {
    codegen::compile(CONTRACT).expect("the build understood it, too")
}

fn operations(model: &Model) -> Vec<&Operation> {
    model.surfaces.iter().flat_map(|surface| &surface.operations).collect()
}

/// Checks that each of these forms is found.
#[track_caller]
fn has_all<T: Ord + std::fmt::Debug>(found: impl IntoIterator<Item = T>, wanted: impl IntoIterator<Item = T>) {
    let found: BTreeSet<T> = found.into_iter().collect();
    let missing: Vec<T> = wanted.into_iter().filter(|form| !found.contains(form)).collect();
    assert!(missing.is_empty(), "the contract has no {missing:?}, only {found:?}");
}

#[test]
fn every_step_rejects() {
    let model = model();
    // A contract may leave these out, and this one shows what happens then (`injected`).
    let optional = [Step::Available, Step::Outcome];
    let steps = Step::ALL.map(|(step, _)| step).into_iter();
    let steps = steps.filter(|step| !optional.contains(step));
    has_all(model.errors.iter().map(|row| row.step), steps);
    let headers: Vec<bool> = model
        .errors
        .iter()
        .flat_map(|row| &row.headers)
        .map(|(_, value)| value.placeholders().is_empty())
        .collect();
    has_all(headers, [true, false]);
}

#[test]
fn every_part_of_the_envelope_is_filled() {
    let model = model();
    let members = EnvelopeValue::flat(&model.error);
    let parts = model.success.iter().chain(members).map(|(_, value)| match value {
        EnvelopeValue::Literal(_) | EnvelopeValue::Object(_) => "a literal".to_owned(),
        EnvelopeValue::Placeholder { name, optional: false } => name.to_string(),
        EnvelopeValue::Placeholder { name, optional: true } => format!("{name}?"),
    });
    let wanted = [
        "a literal",
        "data",
        "message?",
        "siblings",
        "text",
        "code",
        "status",
        "request_id",
        "title",
        "path",
        "time",
        "faults?",
    ];
    has_all(parts, wanted.map(str::to_owned));
}

#[test]
fn every_form_of_a_limit_is_there() {
    let model = model();
    let counted = model.limits.iter().map(|limit| match &limit.counts {
        Counts::Methods { per: Per::Caller, .. } => "per caller",
        Counts::Methods { per: Per::Address, .. } => "per address",
        Counts::FailedCredentials => "failed credentials",
    });
    has_all(counted, ["per caller", "per address", "failed credentials"]);
    has_all(
        model.limits.iter().map(|limit| limit.window_seconds),
        [1, 60, 3_600, 86_400],
    );
    let placeholders = model.limit_headers.iter().flat_map(|(_, value)| value.placeholders());
    has_all(
        placeholders,
        ["limit", "max", "remaining", "seconds", "window_seconds", "reset_unix"],
    );
}

#[test]
fn every_form_of_a_credential_is_there() {
    let model = model();
    let forms = model
        .credentials
        .iter()
        .flat_map(|credential| match &credential.caller {
            None => vec!["of the only one who can"],
            Some(caller) => vec![
                if caller.limited_by == caller.resource {
                    "limited by caller"
                } else {
                    "limited by what it owns"
                },
                if caller.plan.is_some() {
                    "with plans"
                } else {
                    "without plans"
                },
                if caller.suspended.is_some() {
                    "can be suspended"
                } else {
                    "cannot be suspended"
                },
                if credential.shown.is_some() {
                    "shown in part"
                } else {
                    "never shown"
                },
            ],
        });
    has_all(
        forms,
        [
            "of the only one who can",
            "limited by caller",
            "limited by what it owns",
            "with plans",
            "without plans",
            "can be suspended",
            "cannot be suspended",
            "shown in part",
            "never shown",
        ],
    );
    has_all(
        model.surfaces.iter().map(|surface| surface.credential.is_some()),
        [true, false],
    );
}

#[test]
fn every_form_of_a_state_an_owner_and_a_view_is_there() {
    let model = model();
    let states = model.enums.iter().filter_map(|one| one.states.as_ref());
    has_all(states.map(|states| states.transitions.is_some()), [true, false]);
    has_all(model.enums.iter().map(|one| one.part_of.is_some()), [true, false]);
    let owners = model
        .resources
        .iter()
        .map(|resource| (resource.owner.len(), resource.private));
    has_all(owners, [(0, false), (1, false), (1, true), (2, true)]);
    let views = model.resources.iter().flat_map(|resource| &resource.views);
    let members = views.flat_map(|view| &view.members).map(|member| {
        let (form, name) = match &member.source {
            Source::Stored(name) => ("stored", name),
            Source::Each(name, _) => ("each", name),
            Source::Joined(name) => ("joined", name),
        };
        (form, *name == member.shown)
    });
    has_all(
        members,
        [("stored", true), ("each", false), ("joined", true), ("joined", false)],
    );
}

#[test]
fn every_test_that_the_contract_names_is_there() {
    const TESTS: [&str; 3] = [
        include_str!("../scenarios.rs"),
        include_str!("../injected.rs"),
        include_str!("../at_once.rs"),
    ];
    let model = model();
    let decided = model
        .decisions
        .iter()
        .filter_map(|(_, decision)| decision.test.as_ref());
    let untestable = model.errors.iter().filter_map(|row| row.untestable.as_ref());
    let named: Vec<&Word> = decided.chain(untestable.map(|untestable| &untestable.test)).collect();
    assert!(named.len() > 4, "decisions name tests, and rows do");
    for name in named {
        let is_test = |tests: &&str| tests.contains(&format!("#[test]\nfn {name}()"));
        assert!(TESTS.iter().any(is_test), "there is no test {name}");
    }
}
