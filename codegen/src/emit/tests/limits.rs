//! Tests of the limits: in full once for each surface and limit, and in short for each operation that a limit counts.

use crate::emit::shared::{Context, names};
use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::{Cells, Covers};
use crate::emit::tests::shared::rule::Rule;
use crate::model::{Counts, Limit, Operation, Per, Surface};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn of_operation(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    let model = subject.model;
    if let Some(limit) = subject.failed_credentials() {
        let rule = of_limit(limit, "exactly this many failed credentials from an address");
        let calls = quote!(.rejects_guessing());
        cells.rejects("too_many_failed_credentials", Step::CredentialLimit, &rule, calls);
    }
    match &subject.operation.limit {
        Some(limit) => {
            let rule = of_limit(model.limit(limit), "exactly this many");
            let calls = quote!(.rejects_more_than_limit());
            cells.rejects(&format!("limit_{limit}"), Step::Limit, &rule, calls);
        }
        None => {
            let rule = Rule::new("no limit counts it", subject.operation.at);
            cells.rejects("is_not_limited", Step::Decode, &rule, quote!(.is_not_limited()));
        }
    }
}

fn nothing() -> Covers {
    Covers::Errors(Vec::new())
}

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
pub(super) fn of_surface<'m>(context: &'m Context<'m>, surface: &Surface) -> Option<Cells<'m>> {
    let model = context.model;
    let counted: Vec<(&Limit, &Operation)> = model
        .limits
        .iter()
        .filter_map(|limit| Some((limit, counted_by(surface, &limit.name)?)))
        .collect();
    let credential = model.credential_of(surface);
    let has_callers = credential.is_some_and(|credential| credential.caller.is_some());
    let has_owners = credential.is_some_and(|credential| model.has_other_credentials(credential));
    let mut cells = Cells::new(context);
    for (limit, operation) in &counted {
        let mut of_limit = OfLimit {
            cells: &mut cells,
            limit,
            operation,
        };
        of_limit.count(has_callers);
        if let Some(max) = limit.owner_max.filter(|_| has_owners) {
            of_limit.count_owners(max);
        }
        for (other, apart) in counted.iter().filter(|(other, _)| other.name != limit.name) {
            let apart = names::value(&apart.name);
            let name = format!("is_apart_from_{}", other.name);
            let calls = quote!(.is_counted_apart_from(&super::#apart::OPERATION));
            of_limit.add(&name, nothing(), "counts apart from others", calls);
        }
    }
    (!counted.is_empty()).then_some(cells)
}

/// The operation of a surface with which a limit is tested.
fn counted_by<'s>(surface: &'s Surface, limit: &str) -> Option<&'s Operation> {
    let is_counted = |operation: &&Operation| operation.limit.as_deref() == Some(limit);
    let mut counted = surface.operations.iter().filter(is_counted);
    let plain = counted.clone().find(|operation| operation.path.is_empty());
    plain.or_else(|| counted.next())
}

/// A limit under test.
struct OfLimit<'l, 'm> {
    cells: &'l mut Cells<'m>,
    limit: &'l Limit,
    operation: &'l Operation,
}

impl OfLimit<'_, '_> {
    fn count(&mut self, has_callers: bool) {
        let limit = self.cells.at_steps(&[Step::Limit]);
        self.add("is_exact", limit, "exactly this many", quote!(.is_limited_exactly()));
        let early = quote!(.is_not_counted_when_rejected_before());
        self.add(
            "counts_only_what_reaches_it",
            nothing(),
            "counts only what reaches it",
            early,
        );
        if matches!(self.limit.counts, Counts::Methods { per: Per::Address, .. }) {
            let calls = quote!(.is_counted_for_each_address());
            self.add("is_for_each_address", nothing(), "for each address", calls);
        } else if has_callers {
            let calls = quote!(.is_counted_for_each_caller());
            self.add("is_for_each_caller", nothing(), "for each caller", calls);
        }
    }

    fn count_owners(&mut self, max: u32) {
        let shows = self.cells.at_steps(&[Step::Limit]);
        let demand = format!("{max} of all credentials of a caller together");
        self.add(
            "is_for_each_owner",
            shows,
            &demand,
            quote!(.is_counted_for_each_owner()),
        );
    }

    fn add(&mut self, what: &str, shows: Covers, demand: &str, calls: TokenStream) {
        let rule = of_limit(self.limit, demand);
        let (words, at) = self.cells.said(&rule);
        let module = names::value(&self.operation.name);
        let body = quote!(attempt(&super::#module::OPERATION, #words, #at) #calls;);
        self.cells
            .add_whole(&format!("{}_{what}", self.limit.name), shows, body);
    }
}

/// The tests of the limits over all surfaces.
pub(super) fn shared<'m>(context: &'m Context<'m>) -> Option<Cells<'m>> {
    let model = context.model;
    let limit = model
        .limits
        .iter()
        .find(|limit| limit.counts == Counts::FailedCredentials)?;
    let guarded = model.surfaces.iter().filter(|surface| surface.credential.is_some());
    let operations = guarded.filter_map(|surface| {
        let operation = names::value(&surface.operations.first()?.name);
        let surface = names::value(&surface.name);
        Some(quote!(&super::#surface::#operation::OPERATION))
    });
    let mut cells = Cells::new(context);
    let rule = of_limit(limit, "exactly this many failed credentials from an address");
    let (words, at) = cells.said(&rule);
    let body = quote! {
        let operations: &[&'static Operation] = &[#(#operations),*];
        LimitTrial::of_failed_credentials(world(), &CONTRACT, operations).trying(#words, #at).is_limited_exactly();
    };
    let shows = cells.at_steps(&[Step::Credential, Step::CredentialLimit]);
    cells.add_whole("are_limited_exactly", shows, body);
    Some(cells)
}
