//! Guards: what must hold before a handler runs. What is asked of every kind is stated here.

use super::{Model, Operation, Span};
use crate::step::Step;
use std::fmt;

/// A guard of an operation.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What must hold.
    pub kind: GuardKind,
    /// Position in the file.
    pub at: Span,
}

/// What a [`Guard`] requires.
#[derive(Clone, Debug)]
pub enum GuardKind {
    /// The caller has this plan.
    Plan(String),
    /// A resource exists.
    Exists(Exists),
    /// The caller owns this resource.
    Owner(String),
}

/// A resource that must exist.
#[derive(Clone, Debug)]
pub struct Exists {
    /// The resource.
    pub resource: String,
    /// Where its id comes from.
    pub id: IdSource,
    /// Whether a request may lack the id. Without it the guards of the resource pass, and find nothing.
    pub is_optional: bool,
    /// The resource that it must belong to, and the field that holds the parent's id.
    pub parent: Option<(String, String)>,
}

/// Where in the request an id is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// In the path.
    Path(String),
    /// In the body.
    Body(String),
}

impl IdSource {
    /// The parameter or member.
    pub fn name(&self) -> &str {
        let (IdSource::Path(name) | IdSource::Body(name)) = self;
        name
    }
}

impl GuardKind {
    /// The step that checks it.
    pub fn step(&self) -> Step {
        match self {
            GuardKind::Plan(_) => Step::Plan,
            GuardKind::Exists(_) => Step::Exists,
            GuardKind::Owner(_) => Step::Owner,
        }
    }

    /// The resource that it checks. At most one guard of a kind and a resource is in an operation.
    pub fn resource(&self) -> Option<&str> {
        match self {
            GuardKind::Plan(_) => None,
            GuardKind::Exists(Exists { resource, .. }) | GuardKind::Owner(resource) => Some(resource),
        }
    }
}

/// As a contract writes it: `plan verified`, `exists Copy in Book`, `owner Book`.
impl fmt::Display for GuardKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuardKind::Plan(plan) => write!(out, "plan {plan}"),
            GuardKind::Exists(exists) => match &exists.parent {
                Some((parent, _)) => write!(out, "exists {} in {parent}", exists.resource),
                None => write!(out, "exists {}", exists.resource),
            },
            GuardKind::Owner(resource) => write!(out, "owner {resource}"),
        }
    }
}

impl Operation {
    /// What its guards require, in the order of their kinds.
    pub fn guard_kinds(&self) -> impl DoubleEndedIterator<Item = &GuardKind> + Clone {
        self.guards.iter().map(|guard| &guard.kind)
    }

    /// The plan that the caller must have.
    pub fn plan(&self) -> Option<&str> {
        self.guard_kinds().find_map(|kind| match kind {
            GuardKind::Plan(plan) => Some(plan.as_str()),
            _ => None,
        })
    }

    /// The resources that must exist, in order.
    pub fn exists(&self) -> impl DoubleEndedIterator<Item = &Exists> + Clone {
        self.guard_kinds().filter_map(|kind| match kind {
            GuardKind::Exists(exists) => Some(exists),
            _ => None,
        })
    }

    /// The resources that the caller must own, in order.
    pub fn owned(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.guard_kinds().filter_map(|kind| match kind {
            GuardKind::Owner(resource) => Some(resource.as_str()),
            _ => None,
        })
    }

    /// Whether a resource must exist.
    pub fn finds(&self, resource: &str) -> bool {
        self.exists().any(|exists| exists.resource == resource)
    }

    /// Whether its guards find a record of a resource in every request.
    pub fn always_finds(&self, resource: &str) -> bool {
        self.finds(resource) && !self.may_lack(resource)
    }

    /// Whether it has a guard for a resource whose id a request may lack.
    pub fn may_lack(&self, resource: &str) -> bool {
        self.exists()
            .any(|exists| exists.resource == resource && exists.is_optional)
    }

    /// Whether the caller must own a resource.
    pub fn claims(&self, resource: &str) -> bool {
        self.owned().any(|owned| owned == resource)
    }
}

impl Model {
    /// The step whose error rejects a request that a guard does not let pass. A private resource does not exist for
    /// other accounts.
    pub fn step_that_rejects(&self, guard: &GuardKind) -> Step {
        match guard {
            GuardKind::Owner(resource) if self.resource(resource).private => Step::Exists,
            GuardKind::Plan(_) | GuardKind::Exists(_) | GuardKind::Owner(_) => guard.step(),
        }
    }
}
