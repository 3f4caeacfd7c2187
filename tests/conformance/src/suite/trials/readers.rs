//! Tests of an operation that shows one resource: everything that other operations write to it.

use crate::contract::Operation;
use crate::suite::leak_all;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use codegen::model::Data;

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let declared = operation.declared;
    if declared.method != "GET" || !matches!(declared.data, Some(Data::One { .. })) {
        return;
    }
    let writes = leak_all(writes(operation));
    if !writes.is_empty() {
        let rule = Rule::new("it shows all that can be written", declared.at);
        let calls = calls!(.shows_all_that_can_be_written(writes));
        trials.accepts("shows_all_that_can_be_written", &rule, calls);
    }
}

/// The operations that write the shown resource.
fn writes(read: &'static Operation) -> impl Iterator<Item = &'static Operation> {
    let all = read.contract.operations().iter().copied();
    all.filter(|write| {
        let mut traces = write.traces().iter();
        !write.deletes() && traces.any(|trace| std::ptr::eq(trace.operation, read))
    })
}
