//! Makes the items of a list: by the operation that creates them, with members that vary from item to item, and in other states
//! if a filter needs them.

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::lists::bodies::{filled, stored_value};
use crate::lists::description::{Creator, Filter, List, Origin};
use crate::lists::filters::Record;
use crate::lists::rows::{Mark, Row, Rows};
use crate::lists::values::dice;
use crate::stage::Stage;
use crate::world::{Caller, RequestedResources};
use codegen::model::{FilterBy, Source};
use serde_json::json;
use std::collections::HashMap;

/// Items beyond the first page of default size.
const BEYOND: usize = 3;
const FEWEST: usize = 12;
const MOST: usize = 25;

/// Items in another caller's list, or below another parent.
const ELSEWHERE: usize = 3;

/// Items for each named resource, on average.
const NAMED: usize = 3;

pub(crate) struct Maker<'m> {
    /// The request of the list.
    attempt: &'m Attempt,
    list: &'static List,
    mark: Option<Mark>,
    /// Resources that several items name.
    named: HashMap<&'static str, Vec<i64>>,
    rows: Vec<Row>,
}

impl<'m> Maker<'m> {
    pub(crate) fn for_attempt(attempt: &'m Attempt, mark: Option<Mark>) -> Self {
        Self {
            attempt,
            list: attempt.list(),
            mark,
            named: HashMap::new(),
            rows: Vec::new(),
        }
    }

    /// Makes the items.
    #[track_caller]
    pub(crate) fn rows(mut self) -> Rows {
        let (stage, plan) = self.stage();
        self.note_those_before(&stage);
        match &self.list.creator {
            Some(creator) => self.fill(creator, &stage),
            None => {
                let (other, _) = self.stage();
                (0..ELSEWHERE).for_each(|_| self.ask_the_world(&stage));
                (0..ELSEWHERE).for_each(|_| self.ask_the_world(&other));
            }
        }
        let creator = self.list.creator.as_ref();
        Rows {
            world: self.attempt.world,
            are_the_callers: self.list.is_scoped() || creator.is_none(),
            stage,
            plan,
            mark: self.mark,
            rows: self.rows,
        }
    }

    /// The caller whose list it is. The same caller makes the items, if that needs the same kind of credential.
    fn stage(&self) -> (Stage, Option<&'static str>) {
        let creator = self
            .list
            .creator
            .as_ref()
            .filter(|creator| self.shares_callers(creator));
        let plan = self
            .attempt
            .operation
            .plan
            .or(creator.and_then(|one| one.operation.plan));
        let attempt = plan.into_iter().fold(self.attempt.clone(), Attempt::plan);
        let caller = attempt.fresh_caller();
        let arranged = attempt.arrange_for(&caller);
        (Stage { caller, arranged }, plan)
    }

    fn shares_callers(&self, creator: &Creator) -> bool {
        creator.operation.surface.credential == self.attempt.operation.surface.credential
    }

    /// Notes the items that already exist, such as the credential that a caller starts with.
    #[track_caller]
    fn note_those_before(&mut self, stage: &Stage) {
        let answer = self.marked().accepted_on(&stage.caller, &stage.arranged);
        self.expect_what_the_caller_came_with(&answer);
        for item in answer.data().as_array().into_iter().flatten() {
            let mut record = self.scope_of(stage);
            for (member, source) in &self.list.shows {
                if let Source::Stored(field) = source {
                    record.insert(field.clone(), item[*member].clone());
                }
            }
            self.rows.push(Row {
                id: item[self.list.id].as_i64().unwrap_or_default(),
                record,
                made_by: None,
            });
        }
    }

    /// A caller has a credential, and so at least one of each resource that a credential comes with.
    #[track_caller]
    fn expect_what_the_caller_came_with(&self, answer: &Answer) {
        let caller = self.attempt.operation.credential.and_then(|kind| kind.caller.as_ref());
        let is_it = caller.is_some_and(|caller| caller.limited_by == self.list.resource);
        let is_callers = |filter: &Filter| matches!(filter.declared.by, FilterBy::Caller);
        let are_all = matches!(self.list.filters(), [one] if is_callers(one));
        if is_it && are_all && answer.data().as_array().is_some_and(Vec::is_empty) {
            let wanted = format!("the {} that the caller's credential came with", self.list.resource);
            answer.fail(&wanted, "there is none");
        }
    }

    /// The list request for these items alone.
    fn marked(&self) -> Attempt {
        let attempt = self.attempt.clone();
        match &self.mark {
            Some(mark) => attempt.parameter(mark.parameter, &mark.text),
            None => attempt,
        }
    }

    /// The known fields of every item of this list.
    fn scope_of(&self, stage: &Stage) -> Record {
        let fixed = self.list.filters().iter().filter_map(|filter| {
            let value = match &filter.declared.by {
                FilterBy::Caller => json!(stage.caller.id),
                FilterBy::Path(name) => json!(self.in_path(name, stage)?.1),
                FilterBy::Value(_) => filter.value()?,
                FilterBy::Query(..) => return None,
            };
            Some((filter.declared.field.field().to_owned(), value))
        });
        fixed.collect()
    }

    /// The resource and its id for this parameter of the list's path.
    fn in_path(&self, parameter: &str, stage: &Stage) -> Option<(&'static str, i64)> {
        let resource = self.attempt.operation.resource_at(parameter)?;
        Some((resource, stage.arranged.id(resource)))
    }

    /// The id of this resource that an item must name to be in the list.
    fn pinned(&self, resource: &str, stage: &Stage) -> Option<i64> {
        let caller = self.attempt.operation.credential.and_then(|kind| kind.caller.as_ref());
        let is_caller = caller.is_some_and(|caller| caller.resource == resource);
        self.list.filters().iter().find_map(|filter| match &filter.declared.by {
            FilterBy::Caller if is_caller => Some(stage.caller.id),
            FilterBy::Path(name) => self
                .in_path(name, stage)
                .filter(|(of, _)| *of == resource)
                .map(|(_, id)| id),
            _ => None,
        })
    }

    #[track_caller]
    fn fill(&mut self, creator: &'static Creator, stage: &Stage) {
        let wanted = self.wanted(creator);
        let mut number = 0;
        while self.rows.iter().filter(|row| self.may_show(row)).count() < wanted && number < 2 * wanted {
            self.make(creator, stage, number);
            number += 1;
        }
        if self.list.is_scoped() {
            let (other, _) = self.stage();
            for _ in 0..ELSEWHERE.min(wanted) {
                self.make(creator, &other, number);
                number += 1;
            }
        }
    }

    /// Whether an item has the values that all items of the list have.
    fn may_show(&self, row: &Row) -> bool {
        self.list.filters().iter().all(|filter| {
            let (fixed, values) = (filter.value(), filter.values(&row.record));
            fixed.is_none_or(|fixed| values.is_none_or(|values| values.contains(&&fixed)))
        })
    }

    /// The number of items to make, within quotas and limits.
    fn wanted(&self, creator: &Creator) -> usize {
        let whole = |number: i64| usize::try_from(number).unwrap_or(MOST);
        let page = self.attempt.operation.declared.pages.as_ref();
        let page = page.and_then(|pages| self.attempt.number(&pages.size)).map(whole);
        let mut wanted = page.map_or(FEWEST, |page| page + BEYOND).clamp(FEWEST, MOST);
        if let Some(quota) = creator.operation.quota {
            let left = quota.max.saturating_sub(self.attempt.world.quota_usage(&quota.name));
            wanted = wanted.min(usize::try_from(left).unwrap_or(MOST));
        }
        let limit = creator.operation.limit.filter(|_| self.attempt.world.is_limited());
        if let (Some(limit), true) = (limit, self.calls_itself(creator)) {
            let share = if creator.mover.is_some() { 3 } else { 1 };
            wanted = wanted.min(limit.max as usize * 4 / 5 / share);
        }
        wanted
    }

    /// Whether the caller of the list makes its items.
    fn calls_itself(&self, creator: &Creator) -> bool {
        self.list.is_scoped() && self.shares_callers(creator)
    }

    #[track_caller]
    fn make(&mut self, creator: &'static Creator, stage: &Stage, number: usize) {
        let mut attempt = Attempt::new(self.attempt.world, creator.operation);
        let owner = creator.operation.owned.iter().find_map(|resource| {
            let pinned = (*resource, self.pinned(resource, stage)?);
            attempt.world.request_for(creator.operation, pinned)?.0
        });
        let caller = match owner {
            _ if self.calls_itself(creator) => stage.caller.clone(),
            Some(owner) => owner,
            None => attempt.fresh_caller(),
        };
        let arranged = self.arranged(creator, &attempt, &caller, stage, number);
        attempt = filled(attempt, number);
        if let Some(mark) = &self.mark {
            attempt = attempt.with(&mark.place, mark.value());
        }
        let answer = attempt.send(&caller, &arranged);
        answer.expect_success(&attempt.siblings());
        let id = answer.data()[creator.id].as_i64().unwrap_or_default();
        let mut record = Record::new();
        for (field, origin) in &creator.fields {
            let value = match origin {
                Origin::Id => Some(json!(id)),
                Origin::Caller => Some(json!(caller.id)),
                Origin::Named(resource) => Some(json!(arranged.id(resource))),
                Origin::Always(json) => serde_json::from_str(json).ok(),
                Origin::Member(member, otherwise) => stored_value(&attempt, member, *otherwise, &arranged),
            };
            record.extend(value.map(|value| ((*field).to_owned(), value)));
        }
        let mut row = Row {
            id,
            record,
            made_by: Some(answer.request.curl()),
        };
        if let Some(mover) = creator.mover {
            creator.move_on(self.attempt, mover, &mut row, &caller, arranged, number);
        }
        self.rows.push(row);
    }

    /// The resources of an item: those of its list, one of a few, or new ones.
    fn arranged(
        &mut self,
        creator: &Creator,
        attempt: &Attempt,
        caller: &Caller,
        stage: &Stage,
        number: usize,
    ) -> RequestedResources {
        let operation = creator.operation;
        let mut named = std::mem::take(&mut self.named);
        let arranged = attempt.arrange_with(caller, |resource, within| {
            if let Some(id) = self.pinned(resource, stage) {
                return id;
            }
            let make = || attempt.world.create(resource, caller, within);
            let exists = operation.exists.iter().find(|exists| exists.resource.name == resource);
            let is_own = operation.owned.contains(&resource) || exists.is_some_and(|one| one.resource.private);
            if is_own || within.is_some() || !creator.may_repeat {
                return make();
            }
            let known = named.entry(resource).or_default();
            let nth = dice(number, resource) % NAMED;
            while known.len() <= nth {
                known.push(make());
            }
            known[nth]
        });
        self.named = named;
        arranged
    }

    /// Without a creating operation: the world makes one item, of which only the owner is known.
    fn ask_the_world(&mut self, stage: &Stage) {
        let within = self.list.filters().iter().find_map(|filter| match &filter.declared.by {
            FilterBy::Path(name) => self.in_path(name, stage),
            _ => None,
        });
        let id = self.attempt.world.create(self.list.resource, &stage.caller, within);
        let record = self.scope_of(stage);
        self.rows.push(Row {
            id,
            record,
            made_by: None,
        });
    }
}
