//! The grammar of contracts as data: the types of its sections, keys and values. Knows no section.

mod choices;
mod form;
mod name;
mod scalar;

pub(crate) use choices::{
    ALIKE, ANY, BIDI_CONTROLS, BUILT_IN, COUNTS, EVENTS, IDS, METHODS, NO_ENVELOPE, NO_EVENT, NULLS, OF_ERROR,
    OF_FAULT, OF_HTTP, OF_SUCCESS, PER, PROBLEM, QUOTA_COUNTS, STEPS,
};
pub use choices::{BUILT_IN_TYPES, Choice};
pub use form::{Form, Key, Presence, Section};
pub use name::Name;
pub use scalar::{GREATEST, Scalar, Uses};
