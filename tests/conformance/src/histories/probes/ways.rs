//! How the probes of each kind are tried.

use super::list::{Also, Edit, Way, elsewhere, with_another_method};
use super::{NotSent, Probing};
use crate::histories::call::Call;
use crate::histories::learn::is_declared;
use crate::histories::queries;
use crate::histories::wish::{Called, Wish};
use crate::histories::wishes::wish_for;
use codegen::Model;
use codegen::model::{Data, Effect, ErrorEntry, Kind, Operation, RecordId};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// How often a probe is tried with other callers, if a limit rejects the first one.
const CALLERS: usize = 3;

/// The numbers of the keys of probes begin here.
const KEYS: u64 = 1_000_000;

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

/// The resource that a field leads to.
pub(super) fn linked<'m>(model: &'m Model, resource: &str, field: &str) -> Option<&'m str> {
    let resource = model.resources.iter().find(|one| one.name == resource)?;
    match &resource.fields.iter().find(|one| one.name == field)?.of.kind {
        Kind::Id(of) => Some(of),
        _ => None,
    }
}

/// How many members of a resource an operation shows.
fn members_shown(model: &Model, operation: &Operation) -> usize {
    match &operation.data {
        Some(Data::One { resource, view } | Data::Many { resource, view }) => model.view(resource, view).members.len(),
        _ => 0,
    }
}

impl Probing<'_> {
    pub(super) fn probe(&mut self, called: Called<'static>, way: &Way) -> Result<(), NotSent> {
        match way {
            Way::Success => {
                let call = self.base(called)?;
                self.edited(called, &|_, _| Ok(()))?;
                // The same again.
                match self.send(&call) {
                    Ok(_) | Err(NotSent::Lacks(_)) => Ok(()),
                    Err(other) => Err(other),
                }
            }
            Way::Edit(edit) => self.edited(called, &**edit),
            Way::KeyAgain => self.key_again(called),
            Way::Filter(name) => self.filtered(called, name),
            Way::LongList => self.long_list(called),
            Way::Error(error, also) => self.error(called, error, *also),
            Way::Reads => self.reads(),
            Way::Events => self.events(called),
            Way::Awaited(wait) => self.awaited(called, wait),
            Way::EndedWait(wait) => self.ended_wait(called, wait),
            Way::Realm(member, other) => self.realm(called, member, other),
            Way::Limit(trial) => self.limit(called, *trial),
            Way::Quota(quota) => self.quota(called, quota),
            Way::AtOnce => self.at_once(called),
            Way::MovesAtOnce => self.moves_at_once(called),
            Way::Held(right) => self.held(called, *right),
            Way::Parts => self.parts(called),
            Way::Deliveries => self.deliveries(called),
            Way::Tool(trial) => self.tool(called, *trial),
        }
    }

    fn edited(&mut self, called: Called<'static>, edit: &Edit) -> Result<(), NotSent> {
        let mut is_limited = None;
        for _ in 0..CALLERS {
            let mut call = self.nearly(called)?;
            edit(&mut call, &self.session.known).map_err(NotSent::Lacks)?;
            self.as_tool(&call)?;
            if self.forecast(&call).0 < 400
                && let Some(what) = undeclared(called.1, &call)
            {
                if is_declared(called.1) || !call.is_read() {
                    return Err(NotSent::Lacks(what));
                }
                // Its form is declared, and its types.
                self.session.skip_data(true);
                let result = self.send(&call);
                self.session.skip_data(false);
                return result.map(|_| ());
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

    /// A call that succeeds, with a new key.
    pub(super) fn keyed(&mut self, called: Called<'static>) -> Result<Call<'static>, NotSent> {
        let base = self.base(called)?;
        undeclared(called.1, &base).map_or(Ok(()), |what| Err(NotSent::Lacks(what)))?;
        self.keys += 1;
        Ok(Call {
            key: Some(KEYS + self.keys),
            ..base
        })
    }

    /// Sends a call with a key, and the same request again: its members in another order, with white space.
    fn key_again(&mut self, called: Called<'static>) -> Result<(), NotSent> {
        let keyed = self.keyed(called)?;
        self.send(&keyed)?;
        // Each value keeps its notation: whether `1e5` and `100000` are the same request is the server's choice.
        let body = keyed.body.as_deref().filter(|_| keyed.has_json());
        let members = body.and_then(|body| serde_json::from_str::<BTreeMap<&str, &RawValue>>(body).ok());
        let again = Call {
            raw: members.map(|members| {
                let members = members.iter().rev();
                let members = members.map(|(name, value)| format!(" \"{name}\" : {value} "));
                format!("{{{}}}\n", members.collect::<Vec<_>>().join(",")).into_bytes()
            }),
            ..keyed.clone()
        };
        self.send(&again).map(|_| ())
    }

    /// Whether a limit rejects the caller for some time.
    fn rests(&self, call: &Call<'static>) -> bool {
        let now = self.run.subject.now();
        call.credential
            .is_some_and(|index| self.session.known.credentials[index].rests_until > now)
    }

    /// Reads what the call has changed or made, and what shows something of that.
    fn read_back(&mut self, called: Called<'static>, call: &Call<'static>) -> Result<(), NotSent> {
        const READS: usize = 3;
        const LARGEST_PAGE: usize = 100;
        let model = self.generator.model;
        let changed = called.1.effects.iter().map(|effect| match effect {
            Effect::Make { resource, .. } | Effect::Change { resource, .. } | Effect::End { resource, .. } => resource,
            Effect::Renew { credential, .. } | Effect::Revoke { credential, .. } => credential,
        });
        let moved = called.1.transitions.as_ref().map(|moved| &moved.resource);
        let mut resources: Vec<&str> = changed.chain(moved).map(String::as_str).collect();
        let mut wish = Wish::valid();
        let mentions = call.mentions(model);
        let mut records: Vec<(&str, RecordId)> = mentions.iter().map(|one| (one.resource, one.id)).collect();
        let own = self.acting(called).zip(call.credential);
        records.extend(own.map(|(acting, index)| (acting, self.session.known.credentials[index].caller)));
        for resource in &resources {
            let Some(last) = self.session.known.records(resource).last() else {
                continue;
            };
            records.push((resource, last.id));
            records.extend(
                last.links
                    .iter()
                    .filter_map(|(field, id)| Some((linked(model, resource, field)?, *id))),
            );
        }
        resources.extend(records.iter().map(|(resource, _)| *resource));
        wish.records = records
            .into_iter()
            .map(|(resource, id)| (resource.to_owned(), id))
            .collect();
        let place = |(_, operation): &Called<'static>| match &operation.data {
            Some(Data::One { resource, .. } | Data::Many { resource, .. }) if operation.method == "GET" => {
                resources.iter().position(|one| one == resource)
            }
            _ => None,
        };
        let all = self.generator.operations.iter();
        let mut reads: Vec<Called<'static>> = all.filter(|read| place(read).is_some()).copied().collect();
        // The one that shows most of each resource, and any other one.
        reads.sort_by_key(|read| (place(read), std::cmp::Reverse(members_shown(model, read.1))));
        let others: Vec<_> = reads
            .windows(2)
            .filter(|two| place(&two[0]) == place(&two[1]))
            .map(|two| two[1])
            .collect();
        reads.dedup_by_key(|read| place(read));
        reads.truncate(READS);
        reads.extend(self.generator.random.of(&others));
        for read in reads {
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
    pub(super) fn aside(&mut self, call: &Call<'static>) -> Result<(), NotSent> {
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
                Also::Method => with_another_method(&mut both, called),
            }
            self.send(&both)?;
            if !matches!(also, Also::Of(_)) {
                break;
            }
        }
        Ok(())
    }

    /// A call that this error rejects, after what must happen before.
    pub(super) fn with_error(
        &mut self,
        called: Called<'static>,
        error: &'static ErrorEntry,
    ) -> Result<Call<'static>, NotSent> {
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
            // Otherwise it may succeed, and what it does then is not declared.
            if is_declared(called.1) {
                self.aims.prepare(&mut self.generator, &self.session.known, goal, wish);
                self.steps_planned()?;
            }
        }
        self.unmet.push(error.name.clone());
        Err(NotSent::Lacks(format!("no call meets {}", error.name)))
    }
}
