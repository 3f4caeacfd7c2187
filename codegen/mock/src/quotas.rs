//! Quotas: how many records there are, and what requests have made within a period.

use crate::envelope::{Rejection, reject};
use crate::exchange::{Exchange, Use};
use crate::mock::{Mock, State};
use crate::value::Value;
use bytes::Bytes;
use codegen::model::{Effect, Quota, QuotaOf, RecordId};
use codegen::step::Step;

/// The members of the record of what was counted for an owner.
const PERIOD: &str = "period";
const COUNT: &str = "count";

impl Mock {
    /// Rejects a request that would exceed one of its quotas. `now` is in seconds.
    pub(crate) fn check_quotas(
        &self,
        state: &State,
        exchange: &mut Exchange,
        body: &Bytes,
        now: u64,
    ) -> Result<(), Rejection> {
        for quota in exchange.operation.quotas.iter().map(|name| self.model.quota(name)) {
            let owner = exchange.found(&quota.per).or_else(|| exchange.caller_as(&quota.per));
            let Some(owner) = owner else { continue };
            let is_exceeded = match quota.period_seconds() {
                None => self.is_full(state, exchange, quota, owner),
                Some(seconds) => {
                    let amount = self.amount(state, exchange, quota, body);
                    let counted = usage(state, quota, owner, (amount, now / seconds));
                    let is_exceeded = amount > 0 && counted.1 > quota.max;
                    exchange.uses.push(Use {
                        table: table(quota),
                        owner,
                        record: [(PERIOD, counted.0), (COUNT, counted.1)]
                            .map(|(name, number)| (name.to_owned(), Value::integer(number as i64)))
                            .into(),
                    });
                    is_exceeded
                }
            };
            if is_exceeded {
                let values = [("max", quota.max.to_string()), ("noun", quota.noun.clone())];
                let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
                return Err(reject(self.model, Step::Quota, &values));
            }
        }
        Ok(())
    }

    /// Counts an accepted request.
    pub(crate) fn count_uses(state: &mut State, exchange: &Exchange) {
        for counted in &exchange.uses {
            state
                .store
                .set(&counted.table, counted.owner, Some(counted.record.clone()));
        }
    }

    /// Takes back what the content of a deleted record counts towards quotas.
    pub(crate) fn take_back_file(&self, state: &mut State, resource: &str, id: RecordId) {
        let Some(content) = state.files.get(&(resource.to_owned(), id)).cloned() else {
            return;
        };
        let quotas = self.model.quotas.iter().filter(|quota| quota.of == QuotaOf::FileBytes);
        for quota in quotas {
            let owners = self.model.resource(resource).owner.iter();
            for (_, field) in owners.filter(|(owner, _)| *owner == quota.per) {
                let Some(owner) = self.field(state, resource, id, field).as_id() else {
                    continue;
                };
                let (period, count) = usage(state, quota, owner, (0, 0));
                let left = count.saturating_sub(content.bytes.len() as u64);
                let record = [(PERIOD, period), (COUNT, left)];
                let record = record.map(|(name, number)| (name.to_owned(), Value::integer(number as i64)));
                state.store.set(&table(quota), owner, Some(record.into()));
            }
        }
    }

    /// Whether one more record would exceed the quota, and the request makes one count.
    fn is_full(&self, state: &State, exchange: &Exchange, quota: &Quota, owner: RecordId) -> bool {
        let QuotaOf::Records(of) = &quota.of else { return false };
        let owners = self.model.resource(of).owner.iter();
        let mut owners = owners.filter(|(resource, _)| *resource == quota.per);
        let Some((_, field)) = owners.next() else { return false };
        self.counted(state, quota, field, owner) >= quota.max && self.makes_count(state, exchange, quota, of)
    }

    /// Whether the request makes a record, or makes one count that did not.
    fn makes_count(&self, state: &State, exchange: &Exchange, quota: &Quota, of: &str) -> bool {
        let Some(only) = &quota.only else { return true };
        let mut effects = exchange.operation.decisive_effects().iter();
        if effects.any(|effect| effect.makes(of)) {
            return true;
        }
        let Some(id) = exchange.found(of) else { return true };
        if self.forbidden_transition(state, exchange).is_some() {
            return false;
        }
        let moved = self.transition(exchange).filter(|(resource, ..)| *resource == of);
        let moved = moved.filter(|(_, field, _)| *field == only.field).map(|(.., to)| to);
        let changed = || exchange.input.member(&only.field).map(Value::written);
        let after = moved.or_else(changed);
        after.is_some_and(|after| only.holds(&after)) && !self.is_so(state, of, id, only)
    }

    /// How much the request counts towards a quota over time.
    fn amount(&self, state: &State, exchange: &Exchange, quota: &Quota, body: &Bytes) -> u64 {
        let QuotaOf::Records(of) = &quota.of else {
            return body.len() as u64;
        };
        if let Some(distinct) = &self.model.resource(of).distinct {
            return self.new_items(state, exchange, distinct);
        }
        let made = exchange.operation.decisive_effects().iter().map(|effect| match effect {
            Effect::Make { resource, each, .. } if resource == of => match each {
                None => 1,
                Some(member) => exchange.input.member(member).map_or(0, |list| list.items().len()),
            },
            _ => 0,
        });
        made.sum::<usize>() as u64
    }

    /// The number of records that a quota counts for this owner, whose id is in `field`.
    pub(crate) fn counted(&self, state: &State, quota: &Quota, field: &str, owner: RecordId) -> u64 {
        let Some(of) = quota.records() else { return 0 };
        let counts = |id: &RecordId| {
            let mut only = quota.only.iter();
            only.all(|only| self.is_so(state, of, *id, only))
        };
        state.store.referring(of, field, owner).filter(counts).count() as u64
    }
}

/// The table of what was counted.
fn table(quota: &Quota) -> String {
    format!("%{}", quota.name)
}

/// The period and the count after so much more in this period. A clock that was set back begins no earlier period again.
fn usage(state: &State, quota: &Quota, owner: RecordId, (more, now): (u64, u64)) -> (u64, u64) {
    let former = state.store.get(&table(quota), owner);
    let number = |name| former.and_then(|record| record.get(name)).and_then(Value::as_integer);
    let (period, count) = (number(PERIOD).unwrap_or(-1), number(COUNT).unwrap_or(0));
    match u64::try_from(period) {
        Ok(period) if period >= now => (period, count as u64 + more),
        _ => (now, more),
    }
}
