//! What a service holds to beyond a single answer: credentials stay secret, what was acknowledged is there, what was
//! rejected changed nothing, and none of it depends on who else calls at the same time.

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
