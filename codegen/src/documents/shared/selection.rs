//! The selection of a document: some surfaces of a contract, and the parts of the contract that concern their callers.

use super::possible_errors;
use super::words::{self, CountedBy};
use crate::model::{Counts, Credential, Data, ErrorEntry, EventKind, Kind, Limit, Model, Operation, Quota, Surface};
use crate::step::Step;
use std::collections::BTreeSet;

/// Some surfaces of a contract.
#[derive(Clone)]
pub(crate) struct Selection<'m> {
    pub(crate) model: &'m Model,
    pub(crate) surfaces: Vec<&'m Surface>,
}

impl<'m> Selection<'m> {
    /// The surface of this name, or all of them; `None` if no surface has this name.
    pub(crate) fn for_surface(model: &'m Model, surface: Option<&str>) -> Option<Self> {
        let is_meant = |one: &&Surface| surface.is_none_or(|name| one.name == name);
        let surfaces: Vec<&Surface> = model.surfaces.iter().filter(is_meant).collect();
        (!surfaces.is_empty()).then_some(Self { model, surfaces })
    }

    /// The title of its document.
    pub(crate) fn title(&self) -> String {
        match self.surfaces.as_slice() {
            [surface] if self.model.surfaces.len() > 1 => format!("{}: {}", self.model.title, surface.name),
            _ => self.model.title.clone(),
        }
    }

    /// Every operation with its surface.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (&'m Surface, &'m Operation)> {
        let surfaces = self.surfaces.clone().into_iter();
        surfaces.flat_map(|surface| surface.operations.iter().map(move |operation| (surface, operation)))
    }

    /// The events that callers of these surfaces get.
    pub(crate) fn events(&self) -> impl Iterator<Item = &'m EventKind> {
        let reaches = |kind: &&EventKind| {
            let mut surfaces = self.surfaces.iter();
            surfaces.any(|surface| self.model.events_for(surface).any(|one| one.name == kind.name))
        };
        self.model.event_kinds().iter().filter(reaches)
    }

    /// The events that callers of these surfaces can have sent to them.
    pub(crate) fn webhooks(&self) -> impl Iterator<Item = &'m EventKind> {
        let is_sent = |kind: &&EventKind| {
            let mut surfaces = self.surfaces.iter();
            surfaces.any(|surface| self.model.events_sent_for(surface).any(|one| one.name == kind.name))
        };
        self.model.event_kinds().iter().filter(is_sent)
    }

    /// The errors that can answer an operation, in order of precedence.
    pub(crate) fn errors(&self, surface: &Surface, operation: &Operation) -> Vec<&'m ErrorEntry> {
        possible_errors::errors(self.model, surface, operation)
    }

    /// All errors of these surfaces, in order of precedence, with those of unknown paths and methods.
    pub(crate) fn all_errors(&self) -> Vec<&'m ErrorEntry> {
        let operations = self.operations();
        let errors = operations.flat_map(|(surface, operation)| self.errors(surface, operation));
        let named: BTreeSet<&str> = errors.map(|error| error.name.as_str()).collect();
        let is_here = |error: &&ErrorEntry| {
            matches!(error.step, Step::Route | Step::Method) || named.contains(error.name.as_str())
        };
        self.model.errors.iter().filter(is_here).collect()
    }

    /// The limits that count requests of these surfaces.
    pub(crate) fn limits(&self) -> Vec<&'m Limit> {
        let is_here = |limit: &&Limit| self.surfaces.iter().any(|surface| surface.limits.contains(&limit.name));
        self.model.limits.iter().filter(is_here).collect()
    }

    /// The callers by whom they count.
    pub(crate) fn counted_by(&self) -> CountedBy<'m> {
        match self.surfaces.as_slice() {
            [surface] => words::counted_by(self.model, surface),
            _ => CountedBy::ANY,
        }
    }

    /// Whether one of them counts all credentials of an owner together.
    pub(crate) fn counts_owners(&self) -> bool {
        let by = self.counted_by();
        self.limits().into_iter().any(|limit| by.counts_owners(limit))
    }

    /// The limit of failed credentials, if there are credentials.
    pub(crate) fn failed_credentials(&self) -> Option<&'m Limit> {
        let has_credentials = self.surfaces.iter().any(|surface| surface.credential.is_some());
        let mut limits = self.model.limits.iter().filter(|_| has_credentials);
        limits.find(|limit| limit.counts == Counts::FailedCredentials)
    }

    /// The quotas of the operations.
    pub(crate) fn quotas(&self) -> Vec<&'m Quota> {
        let used: BTreeSet<&String> = self
            .operations()
            .flat_map(|(_, one)| one.quotas.iter().map(|quota| &quota.text))
            .collect();
        let quotas = self.model.quotas.iter();
        quotas.filter(|quota| used.contains(&quota.name)).collect()
    }

    /// The kinds of credentials that an operation can hand out: those of the resources that it names. None if the
    /// service makes a secret that is no credential of the contract.
    pub(crate) fn secrets(&self, operation: Option<&Operation>) -> Vec<&'m Credential> {
        let all = self.model.credentials.iter();
        let Some(operation) = operation else {
            return all.collect();
        };
        if operation.shows_foreign_secret() {
            return Vec::new();
        }
        let answered = match &operation.data {
            Some(Data::Members(fields)) => fields.iter().map(|field| &field.of.kind).collect(),
            _ => Vec::new(),
        };
        let is_named = |resource: &String| {
            operation.finds(resource) || answered.iter().any(|kind| **kind == Kind::Id(resource.clone()))
        };
        let is_theirs = |credential: &&Credential| {
            let caller = credential.caller.as_ref();
            caller.is_some_and(|caller| is_named(&caller.resource) || is_named(&caller.limited_by))
        };
        let theirs: Vec<&Credential> = all.clone().filter(is_theirs).collect();
        if theirs.is_empty() { all.collect() } else { theirs }
    }
}
