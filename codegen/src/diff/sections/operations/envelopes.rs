//! Compares whether successes have the envelope.

use crate::diff::matching::{MatchedSurface, name_of};
use crate::diff::output::{Comparison, OperationPair, PathPair, Rule};
use crate::model::SuccessBody;

/// The key, of a surface and of an operation.
const KEY: &str = "envelope";

/// Compares what the success of an operation is, unless the surface states that of all its operations.
pub(super) fn of_operation(comparison: &mut Comparison<'_>, both: &OperationPair<'_>) {
    let (old, new) = (both.old, both.new);
    let (was, is) = (old.success_body(), new.success_body());
    let is_of_surface = both.surface.old.has_envelope != both.surface.new.has_envelope;
    if old.has_envelope == new.has_envelope || was == is || is_of_surface {
        return;
    }
    let message = format!("the body of a success is {}, was {}", describe(is), describe(was));
    both.changed(comparison, Rule::SuccessBodyChanged, KEY, message);
}

/// Compares what the successes of a surface are.
pub(super) fn of_surface(comparison: &mut Comparison<'_>, place: &PathPair, surface: &MatchedSurface<'_>) {
    let name = &surface.new.name;
    let message = match (surface.old.has_envelope, surface.new.has_envelope) {
        (true, false) => format!("the successes of `{name}` no longer have the envelope"),
        (false, true) => format!("the successes of `{name}` now have the envelope"),
        _ => return,
    };
    let operations = surface.operations.iter();
    let concerned = operations.filter(|(old, new)| old.success_body() != new.success_body());
    let concerned = concerned.map(|(_, new)| name_of(surface.new, new)).collect();
    comparison.between(Rule::SuccessBodyChanged, &place.join(KEY), concerned, message);
}

fn describe(body: SuccessBody) -> &'static str {
    match body {
        SuccessBody::Envelope => "the envelope",
        SuccessBody::Data => "`data` alone",
        SuccessBody::Nothing => "empty",
        SuccessBody::File => "a file",
    }
}
