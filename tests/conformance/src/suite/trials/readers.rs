//! Tests of an operation that shows one resource: everything that other operations write to it.

use crate::contract::Operation;
use crate::suite::trials::Subject;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls, leak_all};
use codegen::model::Data;

pub(super) fn add(subject: &Subject, trials: &mut Trials) {
    let operation = subject.operation;
    if operation.method != "GET" || !matches!(operation.data, Some(Data::One { .. })) {
        return;
    }
    let writes = leak_all(writes(subject));
    if !writes.is_empty() {
        let rule = Rule::new("it shows all that can be written", operation.at);
        let calls = calls!(.shows_all_that_can_be_written(writes));
        trials.accepts("shows_all_that_can_be_written", &rule, calls);
    }
}

/// The operations that write the shown resource.
fn writes(subject: &Subject) -> impl Iterator<Item = &'static Operation> {
    let read = subject.described();
    let all = subject.model.operations();
    let all = all.map(|(_, write)| subject.description.operation(write));
    all.filter(move |write| {
        let mut traces = write.traces().iter();
        write.method != "DELETE" && traces.any(|trace| std::ptr::eq(trace.operation, read))
    })
}
