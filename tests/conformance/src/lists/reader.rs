//! Requests of a list, and the comparison of the answers with the model.

use super::Query;
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::lists::description::{Filter, SortKey};
use crate::lists::filters::ListRequest;
use crate::lists::rows::{Row, Rows};
use crate::response_data::compare_by;
use crate::world::{Caller, shortened};
use codegen::model::FilterBy;
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::sync::Arc;

/// Most pairs of values for two filters.
const PAIRS: usize = 4;

/// The requests of a list.
pub(super) struct ListReader {
    pub(super) attempt: Attempt,
    rows: Arc<Rows>,
    caller: Caller,
}

impl ListReader {
    /// `None` if its items cannot be distinguished from others.
    #[track_caller]
    pub(super) fn for_attempt(attempt: &Attempt, tried: &[&str]) -> Option<Self> {
        let rows = attempt.rows(tried)?;
        let attempt = attempt.clone().in_world(rows.world);
        let attempt = rows.plan.into_iter().fold(attempt, Attempt::plan);
        // Limits count each caller: if any caller may ask, each test has its own.
        let caller = if attempt.world.is_limited() && !rows.are_the_callers {
            attempt.fresh_caller()
        } else {
            rows.stage.caller.clone()
        };
        Some(Self { attempt, rows, caller })
    }

    #[track_caller]
    pub(super) fn ask(&self, query: &Query<'_>) -> Answer {
        self.ask_with(self.attempt.clone(), query)
    }

    /// The answer of another operation that takes the parameters of the list, for the same caller.
    #[track_caller]
    pub(super) fn ask_with(&self, attempt: Attempt, query: &Query<'_>) -> Answer {
        let attempt = attempt.in_world(self.rows.world);
        let attempt = self.rows.plan.into_iter().fold(attempt, Attempt::plan);
        let mark = self.rows.mark.as_ref().map(|mark| (mark.parameter, mark.text.clone()));
        let marked = mark
            .iter()
            .filter(|(name, _)| !query.iter().any(|(known, _)| known == name));
        let parameters = query.iter().chain(marked);
        let attempt = parameters.fold(attempt, |attempt, (name, text)| attempt.parameter(name, text));
        attempt.accepted_on(&self.caller, &self.rows.stage.arranged)
    }

    /// The record of a received item.
    pub(super) fn row(&self, item: &Json) -> Option<&Row> {
        let id = self.id(item)?;
        self.rows.rows.iter().find(|row| row.id == id)
    }

    pub(super) fn id(&self, item: &Json) -> Option<i64> {
        item[self.attempt.list().id].as_i64()
    }

    pub(super) fn describe(&self, item: &Json) -> String {
        shortened(&item.to_string())
    }

    /// Whether an item matches, and the filter that it fails; `None` if that is unknown.
    fn verdict(&self, row: &Row, query: &Query<'_>) -> (Option<bool>, Option<&'static Filter>) {
        let Some(filters) = &self.attempt.list().filters else {
            return (None, None);
        };
        let operation = self.attempt.operation;
        let in_path = |name: &str| {
            let resource = operation.resource_at(name);
            resource.map_or(0, |resource| self.rows.stage.arranged.id(resource))
        };
        let in_query = |name: &str| {
            let sent = query
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, text)| text.clone());
            let declared = || operation.query(name)?.default;
            sent.or_else(|| declared().map(|json| json.trim_matches('"').to_owned()))
        };
        let request = ListRequest {
            caller: self.rows.stage.caller.id,
            path: &in_path,
            query: &in_query,
        };
        let verdicts = filters
            .iter()
            .map(|filter| (filter, filter.lets_through(&row.record, request)));
        let mut all = Some(true);
        for (filter, verdict) in verdicts {
            match verdict {
                Some(false) => return (Some(false), Some(filter)),
                Some(true) => {}
                None => all = None,
            }
        }
        (all, None)
    }

    /// Requests all items and compares them with the model.
    #[track_caller]
    pub(super) fn check(&self, query: &Query<'_>) {
        let (came, answer) = self.whole(query);
        let wanted = self.wanted(query);
        let mut sure = 0;
        let mut unsure = 0;
        for row in &self.rows.rows {
            let is_there = came.iter().any(|item| self.id(item) == Some(row.id));
            match self.verdict(row, query) {
                (Some(true), _) if !is_there && !self.is_cut(came.len()) => {
                    answer.fail(
                        &wanted,
                        &format!("the row with the id {} is missing: {}", row.id, row.describe()),
                    );
                }
                (Some(false), Some(filter)) if is_there => answer.fail(
                    &wanted,
                    &format!(
                        "the row with the id {} is there, and should not be by `{}` ({}): {}",
                        row.id,
                        filter.declared,
                        self.attempt.operation.contract.at(filter.declared.at),
                        row.describe()
                    ),
                ),
                (Some(true), _) => sure += 1,
                (Some(false), _) => {}
                (None, _) => unsure += 1,
            }
        }
        if let Some(other) = came.iter().find(|item| self.row(item).is_none())
            && self.attempt.list().filters.is_some()
        {
            answer.fail(
                &wanted,
                &format!("nobody has put this row there: {}", self.describe(other)),
            );
        }
        self.expect_total(&answer, &wanted, sure..=sure + unsure);
    }

    #[track_caller]
    fn expect_total(&self, answer: &Answer, wanted: &str, count: std::ops::RangeInclusive<i64>) {
        let Some(name) = self
            .attempt
            .operation
            .declared
            .pages
            .as_ref()
            .and_then(|pages| pages.total.as_ref())
        else {
            return;
        };
        let total = answer.total(name).as_i64();
        if self.attempt.list().filters.is_some() && !total.is_some_and(|total| count.contains(&total)) {
            answer.fail(
                wanted,
                &format!(
                    "`{name}` is {}, there are {} such rows",
                    answer.total(name),
                    count.start()
                ),
            );
        }
    }

    /// Describes the expected items in the contract's words.
    fn wanted(&self, query: &Query<'_>) -> String {
        let filters = self.attempt.list().filters().iter().map(|filter| filter.declared);
        let rules = filters.filter(|filter| match &filter.by {
            FilterBy::Query(name, _) => query.iter().any(|(known, _)| *known == name),
            _ => true,
        });
        let rules: Vec<String> = rules
            .map(|filter| format!("`{filter}` ({})", self.attempt.operation.contract.at(filter.at)))
            .collect();
        match rules.as_slice() {
            [] => "every row that there is, and no other".to_owned(),
            rules => format!("every row of which these are so, and no other: {}", rules.join(", ")),
        }
    }

    /// The queries for these filters: values that some items have, that none has, and that are at a bound.
    pub(super) fn queries(&self, filters: &[&Filter]) -> Vec<Vec<(&'static str, String)>> {
        let of_one = |filter: &&Filter| -> Vec<(&'static str, String)> {
            let FilterBy::Query(name, _) = &filter.declared.by else {
                return Vec::new();
            };
            let member = self.attempt.operation.query(name);
            let of = member.expect("a filter names a parameter").of;
            let here = self
                .rows
                .rows
                .iter()
                .filter(|row| self.verdict(row, &[]).0 != Some(false));
            let records: Vec<_> = here.map(|row| &row.record).collect();
            filter
                .candidates(of, &records)
                .into_iter()
                .map(|text| (name.as_str(), text))
                .collect()
        };
        match filters.iter().map(of_one).collect::<Vec<_>>().as_slice() {
            [one] if one.is_empty() => vec![Vec::new()],
            [one] => one.iter().map(|value| vec![value.clone()]).collect(),
            [one, other] => {
                let pairs = one
                    .iter()
                    .flat_map(|value| other.iter().map(move |next| vec![value.clone(), next.clone()]));
                let mut pairs: Vec<_> = pairs.filter(|pair| self.is_allowed(pair)).collect();
                pairs.sort_by_key(|pair| std::cmp::Reverse(self.discrimination(pair)));
                pairs.truncate(PAIRS);
                pairs
            }
            _ => panic!("filters are tried alone or in pairs"),
        }
    }

    /// How well a pair of values shows that one of them is ignored: the number of items that only one of them excludes.
    fn discrimination(&self, pair: &Query<'_>) -> (bool, usize) {
        let count = |query: &Query<'_>| {
            let rows = self.rows.rows.iter();
            rows.filter(|row| self.verdict(row, query).0 == Some(true)).count()
        };
        let (both, one, other) = (count(pair), count(&pair[..1]), count(&pair[1..]));
        (both > 0, (one - both.min(one)).min(other - both.min(other)))
    }

    /// Whether no parameter exceeds one that it may not exceed.
    fn is_allowed(&self, query: &Query<'_>) -> bool {
        let number = |name: &str| {
            let found = query.iter().find(|(known, _)| *known == name);
            found.map(|(_, text)| text.as_str())
        };
        self.attempt
            .operation
            .declared
            .constraints
            .iter()
            .all(|(lower, upper)| {
                let (Some(lower), Some(upper)) = (number(lower), number(upper)) else {
                    return true;
                };
                match (lower.parse::<f64>(), upper.parse::<f64>()) {
                    (Ok(lower), Ok(upper)) => lower <= upper,
                    _ => lower <= upper,
                }
            })
    }

    /// The order of two items: by what was written, else by what is shown.
    pub(super) fn order(&self, keys: &[SortKey], one: &Json, other: &Json) -> Ordering {
        for key in keys {
            let value = |item: &Json| {
                let stored = self.row(item).and_then(|row| row.record.get(key.field)).cloned();
                stored.or_else(|| key.view_member.and_then(|member| item.get(member)).cloned())
            };
            let (Some(one), Some(other)) = (value(one), value(other)) else {
                return Ordering::Equal;
            };
            let order = compare_by(key.of, (key.is_reversed, key.nulls), &one, &other);
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}
