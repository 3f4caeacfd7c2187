//! An open store: how a service reads and writes, and what an operator sees of it.

mod access;
pub(crate) mod open;
mod rows;
mod state;

pub use self::open::{Checked, Store};
pub use self::rows::{ReadRows, in_memory, of_each};
pub use self::state::Staleness;
