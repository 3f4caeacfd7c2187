//! A server that is interpreted from a contract alone.
//!
//! ```text
//! Model ─▶ Mock: request ─ route ─ checks, in the order of the errors ─ effects ─ answer ─▶ response
//!                                     │ decode, limits, caller          │ store, lists, views
//! ```
//!
//! It knows no resource, operation or field of any contract, and shares no code with generated servers, which it checks, but
//! the protocol of tools.

mod answer;
mod calendar;
mod caller;
mod checks;
mod choices;
mod content;
mod decode;
mod distinct;
mod documents;
mod effects;
mod envelope;
mod events;
mod examples;
mod exchange;
mod files;
mod first_caller;
mod follow;
mod guards;
mod handle;
mod headers;
mod journal;
mod keys;
mod limits;
mod lists;
mod mock;
mod nearest;
mod outcome;
mod quotas;
mod random;
mod route;
mod server;
mod store;
mod stored;
mod text;
mod tools;
mod validation_errors;
mod value;
mod values;

pub use self::mock::{Mock, Options};
pub use choices::Choices;
pub use exchange::{Begun, BodyError, Exchange, Response};
pub use first_caller::is_created;
pub use journal::Journal;
pub use limits::Permit;
pub use server::serve;
pub use tools::Tools;
