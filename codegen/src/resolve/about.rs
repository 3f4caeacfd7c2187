//! What is said of the service beside its name, resolved.

use super::words::text;
use crate::model::{Contact, License};
use crate::spec;

/// The version of a contract that names none.
pub(super) const UNVERSIONED: &str = "0.0.0";

pub(super) fn contact(contact: &spec::Contact) -> Contact {
    Contact {
        name: text(&contact.name),
        url: contact.url.as_ref().map(text),
        email: contact.email.as_ref().map(text),
    }
}

pub(super) fn license(license: &spec::License) -> License {
    License {
        name: text(&license.name),
        identifier: license.identifier.as_ref().map(text),
        url: license.url.as_ref().map(text),
    }
}
