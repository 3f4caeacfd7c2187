//! Probes across realms: to callers of one, nothing of another exists.

use super::{NotSent, Probing};
use crate::histories::call::Call;
use crate::histories::learn::is_declared;
use crate::histories::wish::{Called, Wish};
use codegen::Model;
use codegen::model::{Data, Effect, Kind, Operation, RecordId, Surface};
use codegen::step::Step;
use serde_json::Value;
use std::collections::HashMap;

/// The value that puts a record into another realm, if this member of the body decides its realm.
pub(super) fn other_realm(model: &Model, operation: &Operation, member: &str) -> Option<Value> {
    let makes = |resource: &&codegen::model::Resource| operation.makes(&resource.name);
    let mut made = model.resources.iter().filter(makes);
    let realm = made.find_map(|resource| resource.realm.as_ref().filter(|_| model.sets_realm(operation, member)))?;
    Some(match &realm.of.kind {
        Kind::Enum(name) => model.enumeration(name).values.last()?.as_str().into(),
        _ => (realm.of.default.as_deref() != Some("true")).into(),
    })
}

impl Probing<'_> {
    /// A record of another realm. If it is a caller: its own reads, what it makes, and calls about records of this realm. Then
    /// callers of this realm name what is there, and read their lists.
    ///
    /// The server may have records of its own in the other realm: lists of it are not read, and the history ends.
    pub(super) fn realm(&mut self, called: Called<'static>, member: &str, other: &Value) -> Result<(), NotSent> {
        let mut call = self.base(called)?;
        let calls = self.calls_of_realms();
        let model = self.generator.model;
        let (before, sent) = (self.session.known.credentials.len(), self.all.len());
        if let Value::Object(members) = &mut call.json {
            members.insert(member.to_owned(), other.clone());
            call.body = Some(call.json.to_string());
        }
        self.send(&call)?;
        self.is_over = true;
        let made = self.session.known.credentials.get(before).cloned();
        if let Some(made) = made {
            let is_theirs = |surface: &Surface| surface.credential.as_ref() == Some(&made.kind);
            for called in model.operations().filter(|(surface, _)| is_theirs(surface)) {
                self.own_read(called, before)?;
                let wish = Wish {
                    caller: Some(made.caller),
                    ..Wish::valid()
                };
                let makes = |effect: &Effect| matches!(effect, Effect::Make { .. });
                if called.1.effects.iter().any(makes)
                    && let Some(call) = self.find((called.0, called.1, None), &wish)
                {
                    self.aside(&call)?;
                }
            }
            for call in calls
                .iter()
                .filter(|call| call.operation.is_some_and(|(surface, _)| is_theirs(surface)))
            {
                let credential = Some(before);
                self.rejected_across(Call {
                    credential,
                    ..call.clone()
                })?;
            }
        }
        let there = self.all[sent..].iter().flat_map(|sent| sent.made.clone());
        let there: HashMap<&str, RecordId> = there
            .filter_map(|(resource, ids)| Some((resource, *ids.first()?)))
            .collect();
        for call in &calls {
            for mention in call.mentions(model) {
                if let Some(id) = there.get(mention.resource) {
                    let mut across = call.clone();
                    across.replace(&mention, &id.to_string());
                    self.rejected_across(across)?;
                }
            }
        }
        let is_compared = |call: &&Call<'static>| call.operation.is_some_and(|(_, one)| is_declared(one));
        let mut reads = calls.iter().filter(|call| call.is_read()).filter(is_compared);
        reads.try_for_each(|read| self.aside(read))
    }

    /// Calls that succeed of each operation whose callers see one realm, with and without what they need not name.
    fn calls_of_realms(&mut self) -> Vec<Call<'static>> {
        let model = self.generator.model;
        let all = model
            .operations()
            .filter(|(surface, _)| model.realm_of_callers(surface).is_some());
        let mut calls = Vec::new();
        for (surface, operation) in all {
            let optional = operation.exists().filter(|guard| guard.is_optional);
            let optional: Vec<String> = optional.map(|guard| guard.id.name().to_owned()).collect();
            let with = Wish {
                members: optional.clone(),
                ..Wish::valid()
            };
            let without = Wish {
                absent: optional,
                ..Wish::valid()
            };
            for wish in [with, without] {
                let call = self.find((surface, operation, None), &wish);
                calls.extend(call.map(|call| Call { key: None, ..call }));
            }
        }
        calls
    }

    /// Sends a call that names something of another realm than the caller's, unless the contract lets it succeed.
    fn rejected_across(&mut self, call: Call<'static>) -> Result<(), NotSent> {
        match self.forecast(&call).0 {
            0..400 => Ok(()),
            _ => self.aside(&call),
        }
    }

    /// What a caller reads of itself, and the same call with a parameter that is not known.
    fn own_read(&mut self, called: Called<'static>, credential: usize) -> Result<(), NotSent> {
        let is_own = called.1.path.is_empty() && matches!(called.1.data, Some(Data::One { .. }));
        if called.1.method != "GET" || !is_own {
            return Ok(());
        }
        let mut read = self.generator.call(&self.session.known, called, &Wish::valid());
        read.credential = Some(credential);
        self.aside(&read)?;
        self.generator.spoil(&mut read, &self.session.known, Step::Decode);
        self.aside(&read)
    }
}
