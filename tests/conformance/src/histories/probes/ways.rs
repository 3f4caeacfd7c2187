//! How the probes of each kind are tried.

use super::list::{Also, Edit, Way, elsewhere};
use super::{NotSent, Probing};
use crate::histories::aims::maker;
use crate::histories::call::Call;
use crate::histories::growth::{Growth, growth};
use crate::histories::learn::is_declared;
use crate::histories::queries;
use crate::histories::wish::{Called, Wish};
use crate::histories::wishes::wish_for;
use codegen::model::{Data, Effect, ErrorEntry, Operation};
use codegen::step::Step;
use serde_json::Value;

/// How often a probe is tried with other callers, if a limit rejects the first one.
const CALLERS: usize = 3;

/// What the contract does not declare of a success of the call.
fn undeclared(operation: &Operation, call: &Call<'static>) -> Option<String> {
    if !is_declared(operation) {
        return Some("what a success does is not declared".to_owned());
    }
    let names = call.query.iter().filter_map(|pair| pair.split('=').next());
    let mut known = names.filter(|name| operation.query.iter().any(|field| field.name == *name));
    let silent = known.find(|name| !queries::is_declared(operation, name))?;
    Some(format!("what `{silent}` does is not declared"))
}

impl Probing<'_> {
    pub(super) fn probe(&mut self, called: Called<'static>, way: &Way) -> Result<(), NotSent> {
        match way {
            Way::Edit(edit) => self.edited(called, edit),
            Way::Filter(name) => self.filtered(called, name),
            Way::LongList => self.long_list(called),
            Way::Error(error, also) => self.error(called, error, *also),
            Way::Reads => self.reads(),
            Way::Realm(member) => self.realm(called, member),
        }
    }

    fn edited(&mut self, called: Called<'static>, edit: &Edit) -> Result<(), NotSent> {
        let mut is_limited = None;
        for _ in 0..CALLERS {
            let mut call = self.base(called)?;
            edit(&mut call, &self.session.known).map_err(NotSent::Lacks)?;
            if self.forecast(&call).0 < 400 {
                undeclared(called.1, &call).map_or(Ok(()), |what| Err(NotSent::Lacks(what)))?;
            }
            match self.send(&call) {
                Ok(right) if right.is_success && !call.is_read() => return self.read_back(called, &call),
                Ok(_) => return Ok(()),
                Err(NotSent::Lacks(reason)) if self.rests(&call) => is_limited = Some(reason),
                Err(other) => return Err(other),
            }
        }
        Err(NotSent::Lacks(is_limited.unwrap_or_default()))
    }

    /// Whether a limit rejects the caller for some time.
    fn rests(&self, call: &Call<'static>) -> bool {
        let now = self.run.subject.now();
        call.credential
            .is_some_and(|index| self.session.known.credentials[index].rests_until > now)
    }

    /// Reads what the call has changed or made.
    fn read_back(&mut self, called: Called<'static>, call: &Call<'static>) -> Result<(), NotSent> {
        const READS: usize = 3;
        const LARGEST_PAGE: usize = 100;
        let changed = called.1.effects.iter().map(|effect| match effect {
            Effect::Make { resource, .. } | Effect::Change { resource, .. } | Effect::End { resource, .. } => resource,
            Effect::Renew { credential, .. } | Effect::Revoke { credential, .. } => credential,
        });
        let moved = called.1.transitions.as_ref().map(|moved| &moved.resource);
        let changed: Vec<&str> = changed.chain(moved).map(String::as_str).collect();
        let shows = |read: &&Call<'static>| {
            let data = read.operation.and_then(|(_, operation)| operation.data.as_ref());
            matches!(data, Some(Data::One { resource, .. } | Data::Many { resource, .. }) if changed.contains(&resource.as_str()))
        };
        let mut wish = Wish::valid();
        let mentions = call.mentions(self.generator.model);
        wish.records
            .extend(mentions.iter().map(|one| (one.resource.to_owned(), one.id)));
        if let Some(resource) = changed.first() {
            let last = self.session.known.records(resource).last();
            wish.records
                .extend(last.map(|record| ((*resource).to_owned(), record.id)));
        }
        let mut reads: Vec<Called<'static>> = Vec::new();
        for one in self
            .generator
            .reads
            .iter()
            .filter(shows)
            .filter_map(|read| read.operation)
        {
            if !reads.iter().any(|(_, known)| std::ptr::eq(*known, one.1)) {
                reads.push(one);
            }
        }
        for read in reads.into_iter().take(READS) {
            let Some(mut call) = self.find((read.0, read.1, None), &wish) else {
                continue;
            };
            if let Some(pages) = &read.1.pages {
                let query = std::mem::replace(&mut call.query, vec![format!("{}={LARGEST_PAGE}", pages.size)]);
                if self.forecast(&call).0 >= 400 {
                    call.query = query;
                }
            }
            self.aside(&call)?;
        }
        Ok(())
    }

    /// Sends a call that is not the probe itself: that a limit rejects it is no matter.
    fn aside(&mut self, call: &Call<'static>) -> Result<(), NotSent> {
        match self.send(call) {
            Ok(_) | Err(NotSent::Lacks(_)) => Ok(()),
            Err(differs) => Err(differs),
        }
    }

    /// Each read that has succeeded, once more; at most two of an operation.
    fn reads(&mut self) -> Result<(), NotSent> {
        const EACH: usize = 2;
        let mut reads: Vec<Call<'static>> = Vec::new();
        for read in self.generator.reads.iter().rev() {
            let has_ended = |index: usize| self.session.known.credentials[index].has_ended;
            let count = reads.iter().filter(|one| one.name() == read.name()).count();
            if count < EACH && !read.credential.is_some_and(has_ended) {
                reads.push(read.clone());
            }
        }
        reads.iter().try_for_each(|read| self.aside(read))
    }

    fn filtered(&mut self, called: Called<'static>, name: &str) -> Result<(), NotSent> {
        const TRIES: usize = 30;
        let wish = Wish {
            filters: vec![name.to_owned()],
            ..Wish::valid()
        };
        for _ in 0..TRIES {
            let call = self.generator.call(&self.session.known, called, &wish);
            self.send(&call)?;
        }
        Ok(())
    }

    /// Makes more rows than a page has by default. It is read from then on.
    fn long_list(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        let growth = growth(&mut self.generator, &self.session.known, called);
        let Some(growth) = growth else {
            return Err(NotSent::Lacks("no operation makes enough rows".to_owned()));
        };
        for _ in 0..growth.missing {
            self.row(&growth)?;
        }
        let read = self.find((called.0, called.1, None), &growth.reading);
        let read = read.ok_or_else(|| NotSent::Lacks("the list cannot be read".to_owned()))?;
        self.base = Some(Call {
            query: Vec::new(),
            ..read.clone()
        });
        self.send(&read).map(|_| ())
    }

    /// Makes one more row; by a new caller, if no other one can.
    fn row(&mut self, growth: &Growth<'static>) -> Result<(), NotSent> {
        let goal = (growth.maker.0, growth.maker.1, None);
        let mut found = self.find(goal, &growth.making);
        let credential = self.generator.model.credential_of(growth.maker.0);
        let acting = credential
            .and_then(|one| one.caller.as_ref())
            .map(|caller| caller.resource.as_str());
        if let (None, None, Some(acting)) = (&found, growth.making.caller, acting) {
            if let Some(maker) = maker(&self.generator, acting) {
                self.aims.success(maker, Wish::valid());
                self.steps_planned()?;
            }
            let caller = self.session.known.records(acting).last().map(|record| record.id);
            let making = Wish {
                caller,
                ..growth.making.clone()
            };
            found = self.find(goal, &making);
        }
        let call = found.ok_or_else(|| NotSent::Lacks("the list gets too few rows".to_owned()))?;
        self.send(&call).map(|_| ())
    }

    /// A call with this error, and with another fault.
    fn error(&mut self, called: Called<'static>, error: &'static ErrorEntry, also: Also) -> Result<(), NotSent> {
        /// What is wrong has several forms.
        const FORMS: usize = 2;
        let call = self.with_error(called, error)?;
        for _ in 0..FORMS {
            let mut both = call.clone();
            match also {
                Also::Nothing => {}
                Also::Of(step) => self.generator.spoil(&mut both, &self.session.known, step),
                Also::Path => elsewhere(&mut both, "/"),
                Also::Method => {
                    elsewhere(&mut both, "");
                    let is_free = |method: &&&str| {
                        let offers =
                            |one: &codegen::model::Operation| one.route == called.1.route && one.method == **method;
                        !called.0.operations.iter().any(offers)
                    };
                    let free = ["PUT", "PATCH", "DELETE", "POST", "GET"].iter().find(is_free);
                    (*free.unwrap_or(&"PUT")).clone_into(&mut both.method);
                }
            }
            self.send(&both)?;
            if !matches!(also, Also::Of(_)) {
                break;
            }
        }
        Ok(())
    }

    /// A call that this error rejects, after what must happen before.
    fn with_error(&mut self, called: Called<'static>, error: &'static ErrorEntry) -> Result<Call<'static>, NotSent> {
        const ROUNDS: usize = 4;
        let goal = (called.0, called.1, Some(error));
        let is_it = |met: Option<&ErrorEntry>| met.is_some_and(|met| met.name == error.name);
        if let Some((name, call)) = self.rejected.clone()
            && name == error.name
            && is_it(self.forecast(&call).1)
            && !self.rests(&call)
        {
            return Ok(call);
        }
        if self.unmet.contains(&error.name) {
            return Err(NotSent::Lacks(format!("no call meets {}", error.name)));
        }
        for _ in 0..ROUNDS {
            let wish = wish_for(&mut self.generator, &self.session.known, &goal);
            if let Some(call) = self.find(goal, &wish) {
                self.rejected = Some((error.name.clone(), call.clone()));
                return Ok(call);
            }
            self.aims.prepare(&mut self.generator, &self.session.known, goal, wish);
            self.steps_planned()?;
        }
        self.unmet.push(error.name.clone());
        Err(NotSent::Lacks(format!("no call meets {}", error.name)))
    }

    /// A record in another realm; then what it alone reads. The server may have records of its own there, so nothing else is
    /// asked for.
    fn realm(&mut self, called: Called<'static>, member: &str) -> Result<(), NotSent> {
        let mut call = self.base(called)?;
        let before = self.session.known.credentials.len();
        let model = self.generator.model;
        if let Value::Object(members) = &mut call.json {
            members.insert(member.to_owned(), Value::Bool(true));
            call.body = Some(call.json.to_string());
        }
        self.send(&call)?;
        self.is_over = true;
        let made = self.session.known.credentials.get(before).cloned();
        let Some(made) = made else { return Ok(()) };
        for (surface, operation) in model.operations() {
            let is_own = operation.path.is_empty() && matches!(operation.data, Some(Data::One { .. }));
            if operation.method != "GET" || !is_own || surface.credential.as_ref() != Some(&made.kind) {
                continue;
            }
            let mut read = self
                .generator
                .call(&self.session.known, (surface, operation), &Wish::valid());
            read.credential = Some(before);
            self.send(&read)?;
            self.generator.spoil(&mut read, &self.session.known, Step::Decode);
            self.send(&read)?;
        }
        Ok(())
    }
}
