//! Brings about the cause of a declared error, or its absence.

use super::DeclaredWorld;
use super::action::Action;
use super::records::Link;
use crate::contract::Operation;
use crate::world::{Caller, RequestedResources};
use codegen::model::{Condition, FieldIs, Fill, Kind};
use serde_json::Value;
use std::collections::VecDeque;

impl DeclaredWorld {
    /// Arranges that no rule of the operation rejects the request, as far as that can be arranged. Records of the resources in
    /// `given` are not replaced.
    pub(super) fn prepare(
        &self,
        operation: &'static Operation,
        caller: &Caller,
        arranged: &mut RequestedResources,
        given: &[&str],
    ) {
        self.subject.prepare_success(self, operation.name, arranged);
        for rule in &operation.declared.rules {
            let Some(condition) = &self.contract.model.error(&rule.text).when else {
                continue;
            };
            if self.bring_about(condition, false, caller, arranged, given).is_err() {
                self.known().unprepared.insert((operation.name, rule.text.clone()));
            }
        }
    }

    /// Arranges that the condition holds, or that it does not.
    ///
    /// # Errors
    /// The reason why the contract does not suffice for that.
    pub(super) fn bring_about(
        &self,
        condition: &'static Condition,
        wanted: bool,
        caller: &Caller,
        arranged: &mut RequestedResources,
        given: &[&str],
    ) -> Result<(), String> {
        match condition {
            Condition::Field { resource, is } => {
                let id = self.named(resource, caller, arranged);
                let id = id.ok_or_else(|| format!("the request names no {resource}"))?;
                let result = self.make_so(resource, id, is, wanted);
                let mut named = arranged.0.iter_mut();
                let named = named.find(|(name, _)| name == resource && !given.contains(name));
                match named.filter(|_| result.is_err()) {
                    Some((_, named)) => {
                        let other = self.make_another((resource, id), is, wanted, caller);
                        other.map_or(result, |other| {
                            *named = other;
                            Ok(())
                        })
                    }
                    None => result,
                }
            }
            Condition::Exists { resource, none, within } if *none != wanted => {
                let link = |(parent, field): &'static (Option<String>, String)| -> Option<Link> {
                    let id = match parent {
                        Some(parent) => self.named(parent, caller, arranged)?,
                        None => caller.id,
                    };
                    Some((field.as_str(), id))
                };
                let links: Option<Vec<Link>> = within.iter().map(link).collect();
                let links = links.ok_or_else(|| format!("the request does not name all that a {resource} names"))?;
                self.make(resource, Some(caller), &links);
                Ok(())
            }
            // What was just created has no such records, and texts of requests differ.
            Condition::Exists { .. } | Condition::Taken { .. } if !wanted => Ok(()),
            Condition::Exists { .. } => Ok(()),
            Condition::Taken { .. } => Err("the request must have the text".to_owned()),
        }
    }

    /// The record of this resource that the request names, or the caller's own.
    fn named(&self, resource: &str, caller: &Caller, arranged: &RequestedResources) -> Option<i64> {
        let found = arranged.0.iter().find(|(known, _)| *known == resource);
        let mut kinds = self.contract.model.credentials.iter();
        let acting = kinds.find(|kind| kind.name == caller.kind)?.caller.as_ref();
        let own = acting.filter(|acting| acting.resource == resource);
        found.map(|(_, id)| *id).or(own.map(|_| caller.id))
    }

    /// Arranges that the field has one of these values, or none of them.
    pub(super) fn make_so(
        &self,
        resource: &'static str,
        id: i64,
        is: &'static FieldIs,
        wanted: bool,
    ) -> Result<(), String> {
        let holds = |value: &str| is.holds(value) == wanted;
        let present = self.known().value(resource, id, &is.field).cloned();
        let present = present.map(|value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned));
        if present.as_deref().is_some_and(&holds) {
            return Ok(());
        }
        if let Some(way) = present.and_then(|from| self.way(resource, &is.field, from, &holds)) {
            for (operation, member, to) in way {
                let mut action = Action::new(operation);
                action.found.0.push((resource, id));
                action.members.push((member.to_owned(), to.into()));
                self.run(action);
                self.known().set(resource, id, &is.field, to.into());
            }
            return Ok(());
        }
        let value = self.value_that(resource, is, wanted);
        match value.filter(|_| self.changing(resource, &is.field).is_some()) {
            Some(value) => {
                self.set_field(resource, id, &is.field, &value);
                Ok(())
            }
            None => Err(format!(
                "no operation is declared that changes {resource}.{} to that",
                is.field
            )),
        }
    }

    /// A value of the field that is one of these, or none of them. The states of a record have an order of their own.
    fn value_that(&self, resource: &str, is: &FieldIs, wanted: bool) -> Option<Value> {
        let field = self.contract.model.resource(resource).field(&is.field);
        let mut values = match &field.of.kind {
            _ if field.of.has_states => Vec::new(),
            Kind::Enum(name) => self.contract.model.enumeration(name).values.clone(),
            Kind::Boolean => vec!["true".to_owned(), "false".to_owned()],
            _ => vec!["null".to_owned()],
        };
        values.retain(|value| is.holds(value) == wanted);
        let value = values.first()?;
        Some(serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str())))
    }

    /// A record like this one, but with another value of the field: one that only new records can be given.
    fn make_another(
        &self,
        (resource, id): (&'static str, i64),
        is: &FieldIs,
        wanted: bool,
        caller: &Caller,
    ) -> Option<i64> {
        let value = self.value_that(resource, is, wanted)?;
        let ids = self.contract.model.resource(resource).fields.iter();
        let ids = ids.filter(|field| matches!(&field.of.kind, Kind::Id(of) if of != resource));
        let links = ids.filter_map(|field| Some((field.name.as_str(), self.link_of((resource, id), &field.name)?)));
        let links: Vec<Link> = links.collect();
        let operation = self.making(resource, &links, Some(&is.field))?;
        let Some(Fill::Member(member)) = operation.declared.fill(resource, &is.field) else {
            return None;
        };
        let members = vec![(member.clone(), value)];
        Some(self.make_by(operation, resource, Some(caller), &links, members))
    }

    /// The shortest way from one state to one that is wanted: operations, the members of their bodies, and the states.
    fn way(
        &self,
        resource: &str,
        field: &str,
        from: String,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Option<Vec<(&'static Operation, &'static str, &'static str)>> {
        let operations = self
            .contract
            .operations()
            .iter()
            .filter_map(|one| Some((*one, one.transitions.as_ref()?)));
        let of_field = |states: &(String, String)| states.0 == resource && states.1 == field;
        let moves: Vec<_> = operations.filter(|(_, moves)| of_field(&moves.states.of)).collect();
        let (mut seen, mut ways) = (vec![from.clone()], VecDeque::from([(from, Vec::new())]));
        while let Some((state, way)) = ways.pop_front() {
            if is_wanted(&state) {
                return Some(way);
            }
            for (operation, moves) in &moves {
                for to in moves.words.iter().filter(|to| moves.may_become(&state, to)) {
                    if !seen.contains(to) {
                        seen.push(to.clone());
                        let step = (*operation, moves.member, to.as_str());
                        ways.push_back((to.clone(), [way.clone(), vec![step]].concat()));
                    }
                }
            }
        }
        None
    }
}
