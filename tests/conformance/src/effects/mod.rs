//! What operations do to stored records by their declared meaning, tried with records of the trial's own: a trial makes them by
//! the contract's operations, calls one more, and reads them again wherever the contract shows them.

mod causes;
mod credentials;
mod distinct;
mod events;
mod feed;
mod filled;
mod filling;
mod ids;
mod present;
mod quota;
mod record;
mod searches;
mod sources;
mod starts;
mod times;
mod two_errors;
mod unchanged;
mod values;
mod waits;

pub(crate) use causes::Caused;
pub(crate) use distinct::Items;
pub(crate) use filling::Filling;
pub(crate) use record::is_readable;
pub(crate) use searches::decide_together;
pub(crate) use sources::{Derived, SourceChange};
pub(crate) use two_errors::Invalid;
pub(crate) use values::changed_member;
