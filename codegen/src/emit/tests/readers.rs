//! Tests of an operation that shows one resource: everything that other operations write to it.

use crate::emit::shared::names;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::rule::Rule;
use crate::emit::tests::shared::{Subject, traces};
use crate::model::{Data, Operation, Surface};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn add(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    let operation = subject.operation;
    if operation.method != "GET" || !matches!(operation.data, Some(Data::One { .. })) {
        return;
    }
    let writes: Vec<TokenStream> = writes(subject).map(|(surface, write)| path(surface, write)).collect();
    if !writes.is_empty() {
        let rule = Rule::new("it shows all that can be written", operation.at);
        let calls = quote!(.shows_all_that_can_be_written(&[#(#writes),*]));
        cells.accepts("shows_all_that_can_be_written", &rule, calls);
    }
}

/// The operations that write the shown resource.
fn writes<'s>(subject: &'s Subject<'_>) -> impl Iterator<Item = (&'s Surface, &'s Operation)> {
    let model = subject.model;
    let all = model.operations();
    all.filter(move |(surface, write)| {
        let traces = traces::of(model, surface, write);
        write.method != "DELETE" && traces.iter().any(|trace| trace.is_read_by(subject.operation))
    })
}

fn path(surface: &Surface, operation: &Operation) -> TokenStream {
    let (surface, operation) = (names::value(&surface.name), names::value(&operation.name));
    quote!(&super::super::#surface::#operation::OPERATION)
}
