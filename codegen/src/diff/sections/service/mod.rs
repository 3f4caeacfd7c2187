//! What applies to the whole service, and is declared before its types.

pub(crate) mod api;
pub(crate) mod bounds;
pub(crate) mod credentials;
pub(crate) mod decisions;
pub(crate) mod envelope;
pub(crate) mod errors;
pub(crate) mod headers;
pub(crate) mod idempotency;
pub(crate) mod in_flight;
pub(crate) mod limits;
pub(crate) mod pace;
mod precedence;
pub(crate) mod quotas;
pub(crate) mod response_bytes;
