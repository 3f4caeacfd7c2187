//! The world of the tests: the lockers in this process.

mod calls;
mod depot;

pub(crate) use calls::{Reply, number, op, request, text};
pub(crate) use depot::{BADGE, Depot, crew, service, unauthenticated, unlimited};

/// The secrets that no operation creates.
pub(crate) fn roots() -> Vec<(String, String)> {
    vec![("badge".to_owned(), BADGE.to_owned())]
}
