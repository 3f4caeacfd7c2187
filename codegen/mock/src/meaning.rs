//! The declared meaning of a contract, by the names of what it belongs to. Only this module reads it from the model.

#![allow(missing_docs, reason = "members have the names of what they hold")]

use crate::text::Alike;
use codegen::model::Model;
use std::collections::HashMap;

/// Where a value comes from that no request carries.
#[derive(Clone, Debug)]
pub enum Origin {
    /// The time at which the record is made.
    Now,
    /// The number of records whose field `via` holds this record's id.
    Count {
        resource: String,
        via: String,
        only: Option<Only>,
    },
    /// A field of the one of them with the greatest id.
    Latest {
        resource: String,
        via: String,
        field: String,
    },
    /// All of them in a view, by id.
    All {
        resource: String,
        via: String,
        view: String,
    },
    /// A field of the record at the end of these ids.
    Follow { path: Vec<String>, field: String },
    /// One number for each distinct tuple of these members.
    NumberOf(Vec<String>),
    /// The first characters of a credential.
    Start(String),
    /// The digest of a credential.
    Digest(String),
    /// When the credential was last used, at most so many seconds late.
    LastUse { credential: String, seconds: u64 },
}

/// A condition on a field: it has one of these values, or, with `not`, none of them.
#[derive(Clone, Debug)]
pub struct Only {
    pub field: String,
    pub not: bool,
    pub values: Vec<String>,
}

/// What an operation does.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Makes a record, or one for each item of a member of the body.
    Make {
        resource: String,
        each: Option<String>,
        fills: Vec<(String, Fill)>,
    },
    /// Sets the fields that the body has, of the record that a guard found, or else of the caller.
    Change { resource: String },
    /// Removes the record that a guard found.
    End { resource: String },
    /// Makes a credential in the place of the former one.
    Renew { credential: String, resource: String },
}

/// Where a field of a new record comes from.
#[derive(Clone, Debug)]
pub enum Fill {
    Id,
    Member(String),
    Item(String),
    Caller,
    Found(String),
    Made(String),
    Literal(String),
    Initial(String),
    Default,
    Now,
    Null,
    Empty,
    Digest(String),
    Start(String),
    /// It is derived from other records.
    Derived,
    /// The contract does not say.
    Undeclared,
}

/// Where a member of an answer comes from.
#[derive(Clone, Debug)]
pub enum AnswerFrom {
    IdOf(String),
    IdsOf(String),
    Secret(String),
    Field(String, String),
    Member(String),
    Undeclared,
}

/// When a rule rejects a request.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A field of the record that a guard found has a value, or has not.
    Is { resource: String, only: Only },
    /// There is a record that refers to the found one, and to the caller; with `no`, there is none.
    Exists {
        resource: String,
        within: Option<String>,
        of_caller: bool,
        no: bool,
    },
}

/// What an operation does and answers.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub effects: Vec<Effect>,
    pub answer: Vec<(String, AnswerFrom)>,
}

/// The declared meaning of a contract.
#[derive(Clone, Debug, Default)]
pub struct Meaning {
    /// Resource or object, and field.
    pub origins: HashMap<(String, String), Origin>,
    /// Surface and operation.
    pub plans: HashMap<(String, String), Plan>,
    /// The name of the error.
    pub conditions: HashMap<String, Condition>,
    /// The name of the quota.
    pub quotas: HashMap<String, Only>,
    /// The name of the type.
    pub alike: HashMap<String, Alike>,
    /// Resource and field: texts that mean the same.
    pub synonyms: HashMap<(String, String), Vec<Vec<String>>>,
}

impl Meaning {
    /// What a contract declares.
    pub fn of(_model: &Model) -> Self {
        Self::default()
    }

    /// Where a field of a resource, or a member of an object, comes from.
    pub(crate) fn origin(&self, owner: &str, field: &str) -> Option<&Origin> {
        self.origins.get(&(owner.to_owned(), field.to_owned()))
    }

    /// What an operation does.
    pub(crate) fn plan(&self, surface: &str, operation: &str) -> Option<&Plan> {
        self.plans.get(&(surface.to_owned(), operation.to_owned()))
    }

    /// The table and the field that hold the digest of each credential, and the credential.
    pub(crate) fn digests<'m>(&'m self, model: &'m Model) -> Vec<(String, String, String)> {
        let of_origin = self.origins.iter().filter_map(|((owner, field), origin)| match origin {
            Origin::Digest(credential) => Some((owner.clone(), field.clone(), credential.clone())),
            _ => None,
        });
        let mut found: Vec<_> = of_origin.collect();
        for credential in &model.credentials {
            let Some(caller) = &credential.caller else { continue };
            // The contract has no field for it: it is kept beside the record's fields.
            if found.iter().all(|(_, _, known)| *known != credential.name) {
                let field = format!("#{}", credential.name);
                found.push((caller.limited_by.clone(), field, credential.name.clone()));
            }
        }
        found
    }
}
