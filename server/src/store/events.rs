//! The events of the contract, as the store takes them.

use codegen_store::TransactionError;
use codegen_store::kept::feeds::{self, NewEvent};
use contract::Timestamp;
use contract::events::{Event, Name, Recipient};

use super::market::Tx;

/// Stores events with their cause: appends them to the feeds of their recipients.
pub(crate) fn emit(tx: &mut Tx<'_>, caused: Vec<(Recipient, Event)>, now: Timestamp) -> Result<(), TransactionError> {
    feeds::emit(tx, caused.into_iter().map(new_event), now)
}

/// The names of these kinds, or of all. Kinds that the contract no longer has are left out of feeds.
pub(crate) fn names(kinds: Option<Vec<Name>>) -> Vec<&'static str> {
    let kinds = kinds.unwrap_or_else(|| Name::VALUES.to_vec());
    kinds.into_iter().map(Name::as_str).collect()
}

/// An event that is to be stored.
pub(crate) fn new_event((of, event): (Recipient, Event)) -> NewEvent<Recipient> {
    NewEvent::new(of, event.name().as_str(), &event)
}
