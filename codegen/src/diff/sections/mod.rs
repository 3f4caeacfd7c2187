//! Compares the sections of a contract, in their order.
//!
//! Each file compares one section and destructures every struct of the model, so that no new field is forgotten.

mod declarations;
mod events;
mod meaning;
mod operations;
mod service;
mod texts;

use super::output::Comparison;

/// Reports every change.
pub(super) fn compare(comparison: &mut Comparison<'_>) {
    service::api::compare(comparison);
    service::envelope::compare(comparison);
    let opening = comparison.changes.len();
    service::errors::compare(comparison);
    service::limits::compare(comparison);
    service::idempotency::compare(comparison);
    service::quotas::compare(comparison);
    service::credentials::compare(comparison);
    declarations::types::compare(comparison);
    declarations::enums::compare(comparison);
    declarations::states::compare(comparison);
    declarations::objects::compare(comparison);
    declarations::bodies::compare_inputs(comparison);
    declarations::resources::compare(comparison);
    events::compare(comparison);
    operations::surfaces::compare(comparison);
    meaning::compare(comparison);
    texts::compare(comparison);
    // Decisions name elements that may have been renamed in any other section.
    let decisions = comparison.aside(service::decisions::compare);
    comparison.changes.splice(opening..opening, decisions);
}
