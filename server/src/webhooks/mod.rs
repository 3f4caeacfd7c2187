//! Webhooks: sends the events of an account to URLs that it chose. Knows the store by its trait; must not know the
//! routes.
//!
//! ```text
//! address, target   which receivers are allowed
//! resolver, sender  one request to one receiver
//! signature         Standard Webhooks
//! attempt           what is sent, and what the response means
//! lanes             how many requests are under way
//! dispatcher        when each webhook is worked on
//! ```

mod address;
mod attempt;
mod dispatcher;
mod lanes;
mod resolver;
mod sender;
mod signature;
mod target;

pub(crate) use dispatcher::{Dispatcher, HasDeliveries, WatchDeliveries};
pub(crate) use resolver::SystemResolver;
pub(crate) use sender::Sender;
pub use target::Reach;
