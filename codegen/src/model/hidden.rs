//! Hidden records: to callers who do not own them, they do not exist.

use super::{FieldIs, Model, Resource, Span, Surface};
use std::fmt;

/// Which records of a resource are hidden, and who sees them nevertheless, beside their owner.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// Which records.
    pub when: FieldIs,
    /// Callers whom a record names that also names the hidden one.
    pub except: Vec<HiddenExcept>,
    /// Position in the file.
    pub at: Span,
}

/// Records that let a caller see a hidden record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenExcept {
    /// Their resource.
    pub resource: String,
    /// Their field with the id of the hidden record.
    pub via: String,
    /// The resource of the callers.
    pub caller: String,
    /// Their field with the id of the caller.
    pub field: String,
}

impl Hidden {
    /// What lets callers of this resource see a hidden record.
    pub fn exceptions_for<'h>(&'h self, caller: &str) -> impl Iterator<Item = &'h HiddenExcept> {
        self.except.iter().filter(move |except| except.caller == caller)
    }
}

impl Model {
    /// Which records of a resource may be hidden from callers of a surface. `None` if they see all.
    pub fn hidden_from(&self, surface: &Surface, resource: &str) -> Option<&Hidden> {
        let sees_all = self
            .credential_of(surface)
            .is_some_and(|credential| credential.caller.is_none());
        self.resource(resource).hidden.as_ref().filter(|_| !sees_all)
    }

    /// The field of a resource with the id of its owner, if callers of this surface can own its records.
    pub fn owner_field<'m>(&self, surface: &Surface, resource: &'m Resource) -> Option<&'m str> {
        let caller = self.credential_of(surface)?.caller.as_ref()?;
        let mut owners = resource.owner.iter();
        let (_, field) = owners.find(|(owner, _)| *owner == caller.resource)?;
        Some(field)
    }
}

/// As in a contract: `is_withdrawn is true, except [Loan]`.
impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.when)?;
        let except: Vec<&str> = self.except.iter().map(|except| except.resource.as_str()).collect();
        match except.as_slice() {
            [] => Ok(()),
            except => write!(f, ", except [{}]", except.join(", ")),
        }
    }
}
