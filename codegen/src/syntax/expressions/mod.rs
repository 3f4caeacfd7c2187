//! Expressions: scalars with a syntax of their own. Each is parsed where it is declared.

mod conditions;
mod envelope;
mod filters;
mod guards;
mod origins;
mod periods;
mod phrases;
mod rates;
mod types;

pub use conditions::{Condition, FieldIs};
pub(crate) use conditions::{condition, field_is};
pub use envelope::EnvelopeValue;
pub(crate) use envelope::{envelope_value, error_value};
pub(crate) use filters::filter;
pub use filters::{Filter, FilterBy};
pub use guards::Guard;
pub(crate) use guards::{constraint, guard};
pub use origins::{FileFact, Origin};
pub(crate) use periods::period;
pub use periods::{Period, period_in_words};
pub use phrases::Phrase;
pub(crate) use phrases::phrase;
pub use rates::Rate;
pub(crate) use rates::rate;
pub use types::TypeUse;
pub(crate) use types::{enum_value, type_name, type_use};
