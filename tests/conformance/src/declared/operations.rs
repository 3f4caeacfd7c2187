//! What an operation does by its declared effects, and which of several operations to call: one with a root credential, without
//! a plan, without rules.

use super::DeclaredWorld;
use crate::contract::Operation;
use crate::value::Value;
use codegen::model::{AnswerFrom, Condition, Data, Effect, Fill, Given, IdSource, Kind, Target, Word};

impl Operation {
    /// The list in the body of which each item is a new record of this resource.
    pub(crate) fn each(&self, resource: &str) -> Option<&'static str> {
        self.declared.effects.iter().find_map(|effect| match effect {
            Effect::Make {
                resource: made, each, ..
            } if made == resource => each.as_deref(),
            _ => None,
        })
    }

    /// The members of `data`, and where each comes from.
    pub(crate) fn answers(&self) -> impl Iterator<Item = (&'static str, &'static AnswerFrom)> {
        let members = match &self.declared.data {
            Some(Data::Members(members)) => members.as_slice(),
            _ => &[],
        };
        let names = members.iter().map(|member| member.name.as_str());
        names.zip(&self.declared.answers)
    }

    /// Whether it answers with the id of a new record of this resource.
    pub(crate) fn makes(&self, resource: &str) -> bool {
        let is_made = |from: &AnswerFrom| match from {
            AnswerFrom::Id(Target::Made(made)) | AnswerFrom::Ids(made) => made == resource,
            _ => false,
        };
        self.answers().any(|(_, from)| is_made(from)) || self.id_in_view(resource).is_some()
    }

    /// The member with the id of the new record of this resource, if the operation answers with a view of it.
    pub(super) fn id_in_view(&self, resource: &str) -> Option<&'static str> {
        let Some(Data::One { resource: of, view }) = &self.declared.data else {
            return None;
        };
        if of != resource || self.declared.fills(resource).is_none() {
            return None;
        }
        let mut members = self.contract.model.view(of, view).members.iter();
        let id = members.find(|member| !member.of.list && matches!(&member.of.kind, Kind::Id(of) if of == resource));
        id.map(|member| member.shown.as_str())
    }

    /// The errors of its rules that requests of the suite can have.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &'static Word> {
        let is_possible = |rule: &&Word| !self.contract.model.error(&rule.text).is_out_of_reach();
        self.declared.rules.iter().filter(is_possible)
    }

    /// Whether one of its rules rejects the same request again: a second record of the same caller and parent, or with the same
    /// text.
    pub(crate) fn makes_one_for_each_parent(&self) -> bool {
        self.declared
            .rules
            .iter()
            .any(|rule| match &self.contract.model.error(&rule.text).when {
                Some(Condition::Exists {
                    resource, none: false, ..
                }) => self.declared.fills(resource).is_some(),
                Some(when) => self.unique_text(when).is_some_and(|given| self.is_always_given(given)),
                None => false,
            })
    }

    /// The operation that it tries without doing it.
    pub(crate) fn tried(&self) -> Option<&'static Operation> {
        let tried = self.declared.dry_run.as_ref()?;
        let mut all = self.contract.operations().iter().copied();
        all.find(|one| one.surface.name == self.surface.name && one.declared.name == tried.text)
    }

    /// Where its requests have texts of which there is one only.
    pub(crate) fn unique_texts(&self) -> impl Iterator<Item = Given<'static>> {
        let all = self.contract.model.unique_texts(self.declared);
        all.map(|(_, given)| given)
    }

    /// Replaces the texts of which there is one only, in this member of a body or in all. In one member they keep their length,
    /// which a test may try.
    pub(crate) fn renew_texts(&self, body: &mut Value, only: Option<&str>) {
        let Some(of) = self.body else { return };
        for given in self.unique_texts() {
            let first = given.each.unwrap_or(given.member);
            if only.is_none_or(|only| only == first) {
                let rest = given.each.map(|_| given.member);
                let way: Vec<&str> = [Some(first), rest].into_iter().flatten().collect();
                body.differ(of, &way, only.is_none());
            }
        }
    }

    /// Where its requests have the text that this condition is about.
    pub(crate) fn unique_text(&self, when: &Condition) -> Option<Given<'static>> {
        let mut all = self.contract.model.unique_texts(self.declared);
        all.find(|(condition, _)| *condition == when).map(|(_, given)| given)
    }

    /// Whether each request that makes something has the text.
    fn is_always_given(&self, given: Given<'_>) -> bool {
        let members = match given.each {
            Some(each) => self.body.and_then(|of| of.member(each)?.of.item()),
            None => self.body,
        };
        let member = members.and_then(|of| of.member(given.member));
        given.changes.is_none() && member.is_some_and(|member| member.required)
    }

    /// Whether it answers with a new credential of this kind.
    pub(crate) fn mints(&self, kind: &str) -> bool {
        self.answers()
            .any(|(_, from)| matches!(from, AnswerFrom::Secret(minted) if minted == kind))
    }

    pub(crate) fn renews(&self, kind: &str) -> Option<&'static Target> {
        self.declared.renews(kind)
    }

    /// The record by which it finds the caller of this resource for whom it creates a credential.
    pub(super) fn found_for(&self, kind: &str, resource: &str) -> Option<&'static Target> {
        let is_its = |target: &&'static Target| match target {
            Target::Found(found) => found == resource,
            Target::Caller => true,
            Target::Made(_) => false,
        };
        self.renews(kind).filter(is_its).or_else(|| {
            let acting = self.contract.model.credential(kind).caller.as_ref()?;
            let owners = &self.contract.model.resource(&acting.limited_by).owner;
            let (_, field) = owners.iter().find(|(owner, _)| owner == resource)?;
            match self.declared.fill(&acting.limited_by, field)? {
                Fill::IdOf(target) => Some(target).filter(is_its),
                _ => None,
            }
        })
    }

    /// The resources that a guard finds by the path or the body, by the names of the parameters and members.
    pub(super) fn found_by(&self, name: &str) -> Option<&'static str> {
        self.declared.exists().find_map(|exists| match &exists.id {
            IdSource::Path(known) | IdSource::Body(known) if known == name => Some(exists.resource.as_str()),
            _ => None,
        })
    }
}

impl DeclaredWorld {
    pub(super) fn best(&self, is_fit: impl Fn(&Operation) -> bool) -> Option<&'static Operation> {
        let operations = self.contract.operations().iter().copied();
        operations.filter(|one| is_fit(one)).min_by_key(|one| self.cost(one))
    }

    /// How much a call of the operation needs.
    fn cost(&self, operation: &Operation) -> u32 {
        let credential = match operation.credential {
            None => 0,
            Some(kind) if kind.caller.is_some() => 2,
            Some(kind) if self.root(&kind.name).is_some() => 0,
            Some(_) => 100,
        };
        let has_own_rule = self.contract.model.has_own_rule(operation.declared);
        let is_many = operation
            .declared
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Make { each: Some(_), .. }));
        credential + 2 * u32::from(operation.plan.is_some()) + 4 * u32::from(has_own_rule) + u32::from(is_many)
    }
}
