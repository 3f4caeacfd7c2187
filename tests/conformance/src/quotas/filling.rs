//! Filling a quota that repetitions of one request do not fill: of bytes, of items that no record had, of records that have to
//! end in between, or that count again.

use super::record::Record;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::stage::Stage;
use crate::suite::leave_out;
use crate::types::{Member, Type};
use crate::value::{Value, list, nth_text, word};
use crate::verdict::quota_values;
use codegen::model::{Quota, QuotaOf};
use codegen::step::Step;

/// How a quota is filled, with the number of requests that it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Filling {
    /// Records that the operation makes. Each ends at once if another quota allows fewer.
    Made(u64),
    /// Bytes of bodies, by this operation.
    Bytes(&'static Operation, u64),
    /// Items of this member, a list of at most so many, which no record had.
    NewItems(&'static Member, u64),
    /// Records that another operation makes. Then the operation moves one that did not count to this state.
    Moved(&'static str, u64),
}

/// Fixed tests that need more requests run without limits only, and not among the quick tests.
const FEW: u64 = 20;

/// How many bytes of a quota are left for what a request needs.
const ROOM: u64 = 4_096;

impl Filling {
    /// How requests of this operation reach the quota. `None` if they cannot by themselves.
    pub(crate) fn for_operation(operation: &'static Operation, quota: &Quota) -> Option<Self> {
        if operation.declared.file.is_some() {
            // It takes too many bytes.
            return None;
        }
        let model = operation.contract.model;
        let QuotaOf::Records(of) = &quota.of else {
            return bytes(operation, quota);
        };
        if let Some(distinct) = &model.resource(of).distinct {
            let member = operation.members().iter().find(|member| member.name == distinct.list)?;
            let Type::List { max, .. } = member.of else { return None };
            let most = max.and_then(|max| u64::try_from(max).ok()).unwrap_or(quota.max).max(1);
            return Some(Self::NewItems(member, quota.max.div_ceil(most)));
        }
        if operation.makes(of) || operation.declared.effects.is_empty() && operation.transitions.is_none() {
            return Some(Self::Made(quota.max));
        }
        let (only, moves) = (quota.only.as_ref()?, operation.transitions.as_ref()?);
        let back = moves.words.iter().find(|state| only.holds(state))?;
        Some(Self::Moved(back, quota.max))
    }

    /// Whether it takes many requests.
    pub(crate) fn is_long(self) -> bool {
        let (Self::Made(calls) | Self::Bytes(_, calls) | Self::NewItems(_, calls) | Self::Moved(_, calls)) = self;
        calls > FEW
    }
}

/// The operation that fills a quota of bytes: the one that can be repeated most often.
fn bytes(operation: &'static Operation, quota: &Quota) -> Option<Filling> {
    let is_same = |one: &&&'static Operation| {
        one.declared.counts_towards(&quota.name) && one.plan.is_none() && one.declared.dry_run.is_none()
    };
    let calls = |one: &Operation| quota.max / one.declared.max_bytes.max(1);
    let others = |one: &Operation| {
        let records = one.quotas.iter().filter(|other| other.records().is_some());
        records.map(|other| other.max).min().unwrap_or(u64::MAX)
    };
    let is_free = |one: &&&'static Operation| {
        one.rules().next().is_none() && !one.makes_one_for_each_parent() && others(one) >= calls(one)
    };
    let all = operation.contract.operations().iter();
    let by = all.filter(is_same).filter(is_free).min_by_key(|one| calls(one))?;
    Some(Filling::Bytes(by, calls(by)))
}

impl Attempt {
    /// A body with this member: alone if it may be.
    fn giving(self, member: &str, value: Value) -> Self {
        let attempt = match self.operation.is_partial() {
            true => self.emptied(),
            false => self,
        };
        attempt.with(member, value)
    }

    /// The quota allows its maximum, and not one more.
    #[track_caller]
    pub(crate) fn rejects_more_than(self, quota: &'static Quota, filling: Filling) {
        if filling.is_long() && self.world.is_limited() {
            return leave_out("it needs many requests, without limits");
        }
        let owner = self.new_record(self.operation.contract.model.resource(&quota.per), None);
        match filling {
            Filling::Made(_) => self.after_making(quota, owner),
            Filling::Bytes(by, _) => self.after_bytes(quota, owner, by),
            Filling::NewItems(member, _) => self.after_new_items(quota, owner, member),
            Filling::Moved(back, _) => self.after_moving(quota, owner, back),
        }
    }

    #[track_caller]
    fn over(&self, quota: &Quota, stage: &Stage) {
        let error = self.operation.contract.error(Step::Quota);
        self.clone().unkeyed().rejected_by(error, stage, &quota_values(quota));
    }

    #[track_caller]
    fn after_making(self, quota: &Quota, owner: Record) {
        let model = self.operation.contract.model;
        let of = model.resource(quota.records().expect("it counts records"));
        let ending = |one: &&&'static Operation| one.declared.ends(&of.name);
        let ending = self.operation.contract.operations().iter().find(ending);
        let is_tighter = self.operation.quotas.iter().any(|other| other.max < quota.max);
        let filling = self
            .operation
            .tried()
            .map_or_else(|| self.clone(), |tried| self.anew(tried));
        for index in self.world.quota_usage(&quota.name)..quota.max {
            let Some(stage) = filling.stage_for(owner) else { return };
            let attempt = filling.varied(usize::try_from(index).unwrap_or_default()).unkeyed();
            let made = attempt.done(&stage).made(of);
            let ended = ending.filter(|_| is_tighter).zip(made.first());
            if let Some((ending, record)) = ended {
                let ending = self.anew(ending);
                let Some(stage) = ending.stage_for(*record) else { return };
                ending.done(&stage);
            }
        }
        let Some(stage) = self.stage_for(owner) else { return };
        self.over(quota, &stage);
    }

    #[track_caller]
    fn after_bytes(self, quota: &Quota, owner: Record, by: &'static Operation) {
        let filling = self.anew(by);
        // What it needs may count, too: it is made first, and some room is left for it.
        let Some(stage) = self.stage_for(owner) else { return };
        let room = ROOM.min(quota.max / 2);
        let (mut left, mut index) = (quota.max, 0);
        while left > room {
            let size = by.declared.max_bytes.min(left - room);
            let Some(stage) = filling.stage_for(owner) else { return };
            let attempt = filling.varied(index).unkeyed();
            attempt
                .padded_to(usize::try_from(size).unwrap_or(usize::MAX))
                .done(&stage);
            (left, index) = (left - size, index + 1);
        }
        let one_more = usize::try_from(room + 1).unwrap_or(usize::MAX);
        self.padded_to(one_more).over(quota, &stage);
    }

    #[track_caller]
    fn after_new_items(self, quota: &Quota, owner: Record, member: &'static Member) {
        let Type::List { max, .. } = member.of else { return };
        let most = max.map_or(usize::MAX, |max| max);
        let mut left = usize::try_from(quota.max).unwrap_or(usize::MAX);
        while left > 0 {
            let Some(stage) = self.stage_for(owner) else { return };
            let items = new_items(member.of, left.min(most), owner.id);
            self.clone().giving(member.name, items).done(&stage);
            left -= left.min(most);
        }
        let Some(stage) = self.stage_for(owner) else { return };
        let one_more = self.clone().giving(member.name, new_items(member.of, 1, -owner.id));
        one_more.over(quota, &stage);
    }

    #[track_caller]
    fn after_moving(self, quota: &Quota, owner: Record, back: &'static str) {
        let model = self.operation.contract.model;
        let (of, only) = (quota.records().expect("it counts records"), quota.only.as_ref());
        let mut mover = self.operation.contract.operations().iter().filter_map(|one| {
            let moves = one.transitions.as_ref().filter(|moves| moves.resource.name == of)?;
            let mut words = moves.words.iter();
            let is_out = |word: &&String| only.is_some_and(|only| !only.holds(word));
            let out = words.find(|word| is_out(word) && moves.may_become(&moves.states.initial, word))?;
            Some((*one, moves.member, out))
        });
        let Some((mover, member, out)) = mover.next() else {
            return leave_out("nothing takes a record out of the count");
        };
        let out_of_it = self.new_record(model.resource(of), Some(owner));
        let moving = self.anew(mover).giving(member, word(out));
        let Some(stage) = moving.stage_for(out_of_it) else {
            return;
        };
        moving.done(&stage);
        for _ in self.world.quota_usage(&quota.name)..quota.max {
            self.new_record(model.resource(of), Some(owner));
        }
        let Some(stage) = self.stage_for(out_of_it) else { return };
        let member = self.moves().member;
        self.giving(member, word(back)).over(quota, &stage);
    }
}

/// Items whose texts no record has.
fn new_items(of: &Type, count: usize, salt: i64) -> Value {
    let Value::List(mut items) = list(of, count) else {
        return Value::List(Vec::new());
    };
    for (index, item) in items.iter_mut().enumerate() {
        if let Value::Object(members) = item {
            for (_, value) in members.iter_mut().filter(|(_, value)| matches!(value, Value::Text(_))) {
                *value = word(&format!("{} of {salt}", nth_text(None, index)));
            }
        }
    }
    Value::List(items)
}
