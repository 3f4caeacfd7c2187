//! Properties beyond a single answer: credentials stay secret, acknowledged writes are visible, rejected requests
//! change nothing, and all of this also holds with simultaneous callers.

mod acknowledged;
mod credentials;
mod ended;
mod races;
mod reading;
mod rejected;
mod secrets;
mod states;
mod trace;
mod varied;
mod whole;

pub(crate) use secrets::forbids_caches;
pub use states::States;
pub use trace::{Landing, Reader, Rows, Shown, Trace};
