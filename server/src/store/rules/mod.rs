//! The rules of the domain: pure functions from records and the input of a write to the new records, or to the reason
//! for rejecting the write. An engine reads the records and draws the new ids inside the transaction that commits,
//! calls the rule there, and stores what it returns. Must not know engines, clocks or random numbers.

pub(super) mod accounts;
pub(super) mod applications;
pub(super) mod bounties;
pub(super) mod conversations;
pub(super) mod humans;
pub(super) mod webhooks;
