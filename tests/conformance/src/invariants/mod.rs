//! Properties beyond a single answer: credentials stay secret, acknowledged writes are visible, rejected requests
//! change nothing, and all of this also holds with simultaneous callers.

mod acknowledged;
mod all_members;
mod credentials;
mod ended_while_held;
mod keys;
mod races;
mod reading;
mod rejected;
mod secrets;
mod states;
mod trace;
mod variants;

pub(crate) use keys::{invalid_keys, new_key};
pub(crate) use reading::{Found, Reading};
pub(crate) use trace::Place;
pub use trace::{DataLocation, ExpectedMember, IdOrigin, Reader, Trace};
