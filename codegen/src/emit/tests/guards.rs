//! What stands between a request and its handler: credentials, methods, paths, plans, existence, ownership, quotas, transitions.

use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::states::{may_become, moved_member};
use crate::model::{Kind, States};
use quote::quote;
use std::collections::VecDeque;

/// The tests that every operation has.
pub(super) fn common(subject: &Subject<'_>, cells: &mut Cells) {
    cells.add("success", quote!(.accepted()));
    if subject.surface.credential.is_some() {
        cells.add("no_credential", quote!(.refuses_without_credential()));
        cells.add("unknown_credential", quote!(.refuses_unknown_credentials()));
        cells.add("credential_given_twice", quote!(.refuses_credential_twice()));
        cells.add(
            "credential_of_another_kind",
            quote!(.refuses_credentials_of_other_kinds()),
        );
    }
    cells.add("other_methods", quote!(.refuses_other_methods()));
    cells.add("trailing_slash", quote!(.refuses_longer_paths()));
    for field in &subject.operation.path {
        let name = &field.name;
        if matches!(field.of.kind, Kind::Id(_)) {
            cells.add(
                &format!("path_{name}_that_is_no_integer"),
                quote!(.refuses_ids_that_are_none(#name)),
            );
        }
    }
}

/// The tests of the guards and rules that the operation declares.
pub(super) fn declared(subject: &Subject<'_>, cells: &mut Cells) {
    let (model, operation) = (subject.model, subject.operation);
    let credential = subject.surface.credential.as_ref().map(|name| model.credential(name));
    let caller = credential.and_then(|credential| credential.caller.as_ref());
    if caller.is_some_and(|caller| caller.suspended.is_some()) {
        cells.add("suspended_caller", quote!(.refuses_suspended_caller()));
    }
    if let Some((_, plans)) = caller.and_then(|caller| caller.plan.as_ref()) {
        for plan in &model.enumeration(plans).values {
            match &operation.plan {
                Some(needed) if needed != plan => cells.add(&format!("plan_{plan}"), quote!(.refuses_plan(#plan))),
                _ => cells.add(&format!("plan_{plan}_suffices"), quote!(.plan(#plan).accepted())),
            }
        }
    }
    for exists in &operation.exists {
        let resource = &exists.resource;
        cells.add(&format!("absent_{resource}"), quote!(.refuses_absent(#resource)));
        if exists.parent.is_some() {
            cells.add(
                &format!("{resource}_of_another_parent"),
                quote!(.refuses_other_parent(#resource)),
            );
        }
    }
    if !operation.owned.is_empty() {
        cells.add("stranger", quote!(.refuses_stranger()));
    }
    if operation.quota.is_some() {
        cells.add("quota", quote!(.refuses_more_than_quota()));
    }
    for row in &operation.rules {
        cells.add(&format!("rule_{row}"), quote!(.refuses_by_rule(#row)));
    }
    transitions(subject, cells);
}

fn transitions(subject: &Subject<'_>, cells: &mut Cells) {
    let (model, operation) = (subject.model, subject.operation);
    let Some((_, of)) = &operation.transitions else { return };
    let Some((_, words)) = moved_member(model, operation) else {
        return;
    };
    let words = &model.enumeration(words).values;
    let Some(states) = &model.enumeration(of).states else {
        return;
    };
    for (from, way) in ways(states, words) {
        for to in words {
            if may_become(states, &from, to) {
                cells.add(&format!("move_{from}_to_{to}"), quote!(.transitions(&[#(#way),*], #to)));
            } else {
                cells.add(
                    &format!("no_move_{from}_to_{to}"),
                    quote!(.refuses_move(&[#(#way),*], #from, #to)),
                );
            }
        }
    }
}

/// Every state that can be reached by setting `words`, with the shortest way to it.
fn ways(states: &States, words: &[String]) -> Vec<(String, Vec<String>)> {
    let mut found = vec![(states.initial.clone(), Vec::new())];
    let mut open = VecDeque::from([0]);
    while let Some(at) = open.pop_front() {
        let (from, way) = found[at].clone();
        for to in words {
            if may_become(states, &from, to) && !found.iter().any(|(state, _)| state == to) {
                let way = way.iter().chain([to]).cloned().collect();
                found.push((to.clone(), way));
                open.push_back(found.len() - 1);
            }
        }
    }
    found
}
