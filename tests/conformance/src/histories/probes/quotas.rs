//! Probes of quotas that repetitions of a random call do not fill: of many records, of bytes, of items that no record had, of records
//! that count again.

use super::at_once::Moves;
use super::list::{Lister, Way};
use super::{NotSent, Probing};
use crate::description::type_of;
use crate::histories::aims::maker;
use crate::histories::call::Call;
use crate::histories::outcomes::reachable_quota;
use crate::histories::wish::{Called, Wish};
use crate::types::Type;
use crate::value::{Value, list, nth_text, word};
use codegen::Model;
use codegen::model::{Operation, Quota, QuotaOf, RecordId, Surface};
use codegen::step::Step;
use serde_json::Value as Json;

/// The most records of a quota that is filled.
const MOST: u64 = 5000;

/// After so many records the history ends: lists get slow.
const MANY: usize = 100;

impl Lister {
    /// The quotas that the operation's error alone does not reach. A file takes too many bytes.
    pub(super) fn quotas(&mut self) {
        let (model, operation) = (self.model, self.called.1);
        let reached = reachable_quota(model, operation).filter(|_| !model.has_own_rule(operation));
        let reached = reached.map(|quota| &quota.name);
        if operation.file.is_some() {
            return;
        }
        for quota in operation.quotas.iter().map(|name| model.quota(name)) {
            if reached != Some(&quota.name) && !matches!(quota.of, QuotaOf::FileBytes) {
                self.add(format!("quota {}", quota.name), Way::Quota(quota));
                self.is_rejected_at(Step::Quota);
            }
        }
    }
}

/// How a quota is filled.
enum Filling {
    /// By requests that make a record.
    Records,
    /// By bodies that are as long as they may be.
    Bytes,
    /// By lists of this member, of at most so many items.
    Items(&'static str, &'static Type, usize),
}

impl Probing<'_> {
    /// A quota allows its maximum, and not one more.
    pub(super) fn quota(&mut self, called: Called<'static>, quota: &'static Quota) -> Result<(), NotSent> {
        let lacks = |what: &str| NotSent::Lacks(what.to_owned());
        let model = self.generator.model;
        let subject = self.run.subject;
        if subject.is_real() && subject.options.is_limited {
            return Err(lacks("it needs many requests, without limits"));
        }
        if quota.records().is_some() && quota.max > MOST {
            return Err(lacks("it needs thousands of requests"));
        }
        let owner = self.new_owner(quota)?;
        let owner = owner.ok_or_else(|| lacks("nothing makes whom it is counted for"))?;
        let (filler, filling) = filling(model, called, quota).ok_or_else(|| lacks("no operation fills it alone"))?;
        self.prepare_for(called, quota, owner)?;
        let back = moves_back(model, called.1, quota);
        let moved = match &back {
            Some((moves, _)) => Some(self.moved_out(filler, moves.resource, (quota, owner))?),
            None => None,
        };
        let mut wish = self.wish_of(filler, quota, owner);
        if matches!(filling, Filling::Bytes) {
            // New items may count towards another quota.
            let distinct = model.resources.iter().filter_map(|one| one.distinct.as_ref());
            wish.absent.extend(distinct.map(|distinct| distinct.list.clone()));
        }
        let mut count = 0;
        while count <= usize::try_from(quota.max).unwrap_or(usize::MAX) {
            let Some(call) = self.filling_call(filler, &filling, &wish, quota)? else {
                break;
            };
            self.send(&call)?;
            count += 1;
        }
        self.is_over |= count > MANY;
        let mut wish = self.wish_of(called, quota, owner);
        if let (Some(id), Some((moves, state))) = (moved, back) {
            wish.records.push((moves.resource.to_owned(), id));
            wish.values.push((moves.member.to_owned(), state.into()));
        }
        if let Filling::Items(member, of, _) = filling {
            wish.values.push((member.to_owned(), self.new_items(of, 1)));
        }
        let more = match filling {
            Filling::Bytes => self.one_byte_more(called, &wish)?,
            _ => None,
        };
        let goal = (called.0, called.1, model.error_at(Step::Quota));
        let found = more.or_else(|| self.find(goal, &wish));
        let call = found.ok_or_else(|| lacks("no call meets it"))?;
        self.send(&call).map(|_| ())
    }

    /// A new record for which the quota is counted.
    fn new_owner(&mut self, quota: &Quota) -> Result<Option<RecordId>, NotSent> {
        let model = self.generator.model;
        let is_acting = |surface: &&Surface| {
            let caller = model
                .credential_of(surface)
                .and_then(|credential| credential.caller.as_ref());
            caller.is_some_and(|caller| caller.resource == quota.per)
        };
        if let Some(surface) = model.surfaces.iter().find(is_acting) {
            return self.new_caller(surface);
        }
        self.make(&quota.per);
        self.steps_planned()?;
        Ok(self.session.known.records(&quota.per).last().map(|record| record.id))
    }

    /// Makes the records that the operation needs. What makes them may count, too.
    fn prepare_for(&mut self, called: Called<'static>, quota: &Quota, owner: RecordId) -> Result<(), NotSent> {
        let wish = self.wish_of(called, quota, owner);
        if self.find((called.0, called.1, None), &wish).is_some() {
            return Ok(());
        }
        for guard in called.1.exists().filter(|guard| guard.resource != quota.per) {
            if let Some(maker) = maker(&self.generator, &guard.resource) {
                let wish = self.wish_of(maker, quota, owner);
                self.aims.success(maker, wish);
            }
        }
        self.steps_planned()
    }

    /// A call by whom, or about what, the quota is counted for.
    fn wish_of(&self, called: Called<'static>, quota: &Quota, owner: RecordId) -> Wish {
        match self.acting(called) == Some(quota.per.as_str()) {
            true => Wish {
                caller: Some(owner),
                ..Wish::valid()
            },
            false => Wish::naming(&quota.per, owner),
        }
    }

    /// The next call that counts; `None` if the quota rejects it.
    fn filling_call(
        &mut self,
        filler: Called<'static>,
        filling: &Filling,
        wish: &Wish,
        quota: &Quota,
    ) -> Result<Option<Call<'static>>, NotSent> {
        let mut wish = wish.clone();
        if let Filling::Items(member, of, most) = filling {
            let most = (*most).min(usize::try_from(quota.max).unwrap_or(usize::MAX));
            wish.values.push(((*member).to_owned(), self.new_items(of, most)));
        }
        let goal = (filler.0, filler.1, None);
        let mut found = self.find(goal, &wish);
        if found.is_none()
            && let Some(resource) = quota.records()
        {
            // Another quota allows fewer: one of them ends.
            let ends = |called: &&Called<'static>| called.1.ends(resource);
            let ending = self.generator.operations.iter().find(ends).copied();
            let of_owner = |ending| Wish {
                caller: wish.caller.filter(|_| self.acting(ending) == self.acting(filler)),
                ..Wish::valid()
            };
            let wished = ending.map(|ending| (ending, of_owner(ending)));
            if let Some(((surface, operation), of_owner)) = wished
                && let Some(ending) = self.find((surface, operation, None), &of_owner)
            {
                self.aside(&ending)?;
                found = self.find(goal, &wish);
            }
        }
        let Some(call) = found.map(|found| Call { key: None, ..found }) else {
            return Ok(None);
        };
        Ok(match filling {
            Filling::Bytes => {
                let call = call.padded(usize::try_from(filler.1.max_bytes).unwrap_or(usize::MAX));
                (self.forecast(&call).0 < 400).then_some(call)
            }
            _ => Some(call),
        })
    }

    /// The longest body that the quota still allows is sent. One byte more is what it rejects.
    fn one_byte_more(&mut self, called: Called<'static>, wish: &Wish) -> Result<Option<Call<'static>>, NotSent> {
        let Some(call) = self.find((called.0, called.1, None), wish) else {
            return Ok(None);
        };
        let call = Call { key: None, ..call };
        let (mut least, mut most) = (0, usize::try_from(called.1.max_bytes).unwrap_or(usize::MAX));
        while least < most {
            let size = least + (most - least).div_ceil(2);
            match self.forecast(&call.padded(size)).0 < 400 {
                true => least = size,
                false => most = size - 1,
            }
        }
        if self
            .forecast(&call.padded(least + 1))
            .1
            .is_none_or(|error| error.step != Step::Quota)
        {
            return Ok(None);
        }
        if called.1.dry_run.is_none() {
            self.send(&call.padded(least))?;
        }
        Ok(Some(call.padded(least + 1)))
    }

    /// A record of the owner that does not count, and can count again.
    fn moved_out(
        &mut self,
        filler: Called<'static>,
        of: &'static str,
        (quota, owner): (&'static Quota, RecordId),
    ) -> Result<RecordId, NotSent> {
        let lacks = || NotSent::Lacks("nothing takes a record out of the count".to_owned());
        let wish = self.wish_of(filler, quota, owner);
        let call = self.find((filler.0, filler.1, None), &wish).ok_or_else(lacks)?;
        self.send(&call)?;
        let made = self
            .all
            .last()
            .and_then(|sent| sent.made.iter().find(|(resource, _)| *resource == of));
        let id = *made.and_then(|(_, ids)| ids.first()).ok_or_else(lacks)?;
        let model = self.generator.model;
        for (surface, operation) in model.operations() {
            let moves = Moves::of(model, operation).filter(|moves| moves.resource == of);
            let (Some(moves), Some(only)) = (moves, &quota.only) else {
                continue;
            };
            for word in moves.words.iter().filter(|word| !only.holds(word)) {
                let mut wish = self.wish_of((surface, operation), quota, owner);
                wish.records.push((of.to_owned(), id));
                wish.values.push((moves.member.to_owned(), word.as_str().into()));
                if let Some(moving) = self.find((surface, operation, None), &wish) {
                    self.send(&Call { key: None, ..moving })?;
                    return Ok(id);
                }
            }
        }
        Err(lacks())
    }

    /// Items whose texts no record has.
    fn new_items(&mut self, of: &Type, count: usize) -> Json {
        self.items += 1;
        let Value::List(mut items) = list(of, count) else {
            return Json::Null;
        };
        for (index, item) in items.iter_mut().enumerate() {
            if let Value::Object(members) = item {
                for (_, value) in members.iter_mut().filter(|(_, value)| matches!(value, Value::Text(_))) {
                    let text = format!(
                        "{} of {} {}",
                        nth_text(None, index),
                        self.session.known.mark,
                        self.items
                    );
                    *value = word(&text);
                }
            }
        }
        serde_json::from_str(&Value::List(items).render(&|_| String::new())).unwrap_or(Json::Null)
    }
}

/// The operation that fills a quota with the fewest requests, and how.
fn filling(
    model: &'static Model,
    called: Called<'static>,
    quota: &'static Quota,
) -> Option<(Called<'static>, Filling)> {
    let counts = |(_, operation): &Called<'static>| {
        operation.quotas.iter().any(|name| *name == *quota.name)
            && operation.dry_run.is_none()
            && operation.file.is_none()
    };
    let mut all: Vec<Called<'static>> = model.operations().filter(counts).collect();
    // That of the same surface first.
    all.sort_by_key(|(surface, _)| surface.name != called.0.name);
    let Some(of) = quota.records() else {
        let calls = |(_, operation): &&Called<'static>| quota.max / operation.max_bytes.max(1);
        let others = |operation: &Operation| {
            let others = operation.quotas.iter().map(|name| model.quota(name));
            others
                .filter(|other| other.records().is_some())
                .map(|other| other.max)
                .min()
        };
        // What another quota or a rule rejects first is the last choice.
        let cost = |called: &&Called<'static>| {
            let is_full_first = others(called.1).is_some_and(|most| most < calls(called));
            (!called.1.rules.is_empty(), is_full_first, calls(called))
        };
        return Some((*all.iter().min_by_key(cost)?, Filling::Bytes));
    };
    if let Some(distinct) = &model.resource(of).distinct {
        let own = all.iter().find(|one| one.1.at == called.1.at)?;
        let members = &model.body(called.1)?.members;
        let member = members.iter().find(|member| member.field.name == distinct.list)?;
        let of = type_of(model, &member.field.of);
        let Type::List { max, .. } = of else { return None };
        return Some((*own, Filling::Items(&member.field.name, of, max.unwrap_or(usize::MAX))));
    }
    let maker = all.into_iter().find(|(_, operation)| operation.makes(of))?;
    Some((maker, Filling::Records))
}

/// How an operation moves a record back to a state that counts, and to which.
fn moves_back(model: &'static Model, operation: &'static Operation, quota: &Quota) -> Option<(Moves, &'static str)> {
    let moves = Moves::of(model, operation).filter(|moves| quota.records() == Some(moves.resource))?;
    let counting = moves
        .words
        .iter()
        .find(|word| quota.only.as_ref().is_some_and(|only| only.holds(word)))?;
    Some((moves, counting))
}
