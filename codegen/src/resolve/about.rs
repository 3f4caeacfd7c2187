//! Resolves contact, license and the minimum rate of bodies.

use super::words::{small, text};
use crate::model::{Contact, License, MinRate};
use crate::syntax;

/// The version of a contract that declares none.
pub(super) const UNVERSIONED: &str = "0.0.0";

pub(super) fn contact(contact: &syntax::Contact) -> Contact {
    Contact {
        name: text(&contact.name),
        url: contact.url.as_ref().map(text),
        email: contact.email.as_ref().map(text),
    }
}

pub(super) fn license(license: &syntax::License) -> License {
    License {
        name: text(&license.name),
        identifier: license.identifier.as_ref().map(text),
        url: license.url.as_ref().map(text),
    }
}

pub(super) fn min_rate(rate: &syntax::MinRate) -> MinRate {
    MinRate {
        bytes_per_second: small(rate.bytes_per_second),
        grace_seconds: small(rate.grace_seconds),
    }
}
