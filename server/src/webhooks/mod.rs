//! Webhooks: sends the events of an account to URLs that it chose. Knows what is to be sent by the trait [`Deliveries`];
//! must not know the routes.
//!
//! ```text
//! address, target   which receivers are allowed
//! resolver, sender  one request to one receiver
//! signature         Standard Webhooks
//! attempt           what is sent, and what the response means
//! turns, overdue    how accounts share places
//! lanes             how many requests are under way
//! dispatcher        when each webhook is worked on
//! ```

mod address;
mod attempt;
mod dispatcher;
mod lanes;
mod overdue;
mod resolver;
mod sender;
mod signature;
mod target;
mod turns;

pub(crate) use dispatcher::{Deliveries, Dispatcher, WatchDeliveries};
pub(crate) use resolver::SystemResolver;
pub(crate) use sender::Sender;
pub use target::Reach;
