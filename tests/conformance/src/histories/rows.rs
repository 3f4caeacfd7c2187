//! The rows of two lists and their totals. A list that all callers share may have rows of others, which the model does not
//! know: their ids are below those that this history has made.

use super::compare::{Answers, Comparer};
use super::found::{Placed, Verdict, describe_list, differ, same};
use super::ids::of_json;
use crate::exchange::Response;
use crate::times;
use codegen::model::{Data, Distinct, Kind, RecordId};
use serde_json::Value;

impl<'m> Comparer<'m> {
    pub(super) fn rows(
        &mut self,
        answers: Answers<'_, 'm>,
        resource: &'m str,
        view: &'m str,
        of: [&Value; 2],
    ) -> Verdict {
        let (Some(a), Some(b)) = (of[0].as_array(), of[1].as_array()) else {
            return same(&format!("list of {resource}"), of[0], of[1]);
        };
        let Some((_, operation)) = answers.call.operation else {
            return Ok(());
        };
        if let Some(distinct) = &self.model.resource(resource).distinct {
            return self.items(answers, (resource, view), distinct, [a, b]);
        }
        let has_ids = b.iter().chain(a).all(|row| of_json(&row["id"]).is_some());
        if !has_ids || self.undeclared.contains(&(resource, "id")) {
            same("number of rows", &a.len(), &b.len())?;
            return self.pairs(answers, resource, view, a.iter().zip(b));
        }
        let is_shared = self.is_shared(answers.call);
        let is_foreign =
            |row: &&Value| is_shared && of_json(&row["id"]).is_some_and(|id| answers.known.is_foreign(resource, id));
        let own: Vec<&Value> = b.iter().filter(|row| !is_foreign(row)).collect();
        let can_be_moved = is_shared && super::queries::skipped(answers.call) > 0;
        let has_others =
            own.len() < b.len() || self.others(answers, resource).map_or(can_be_moved, |others| others > 0);
        let verdict = match has_others {
            false if ids(a) == ids(&own) => Ok(()),
            false if self.slack > 0 && time_order(self.model, resource, answers.call).is_some() => {
                self.rows_by_time(answers, resource, a, b)
            }
            false => rows_differ(&ids(a), &ids(&own)),
            true => {
                let all = (answers.unpaged)();
                let all = ids(all.as_array().map_or(&[][..], Vec::as_slice));
                let wanted = ids(&own);
                let start = wanted
                    .first()
                    .and_then(|first| all.iter().position(|id| id == first))
                    .unwrap_or(0);
                let part: Vec<RecordId> = all.into_iter().skip(start).take(wanted.len()).collect();
                rows_differ(&part, &wanted)
            }
        };
        if self.has_values() {
            let verdict = verdict.at(operation.at, || describe_list(operation));
            self.unless_known(verdict)?;
        }
        let all = if has_others { (answers.unpaged)() } else { of[0].clone() };
        let by_id = |row: &Value| {
            let all = all.as_array().map_or(&[][..], Vec::as_slice);
            all.iter()
                .find(|one| of_json(&one["id"]) == of_json(&row["id"]))
                .cloned()
        };
        for row in own {
            if let Some(wanted) = by_id(row) {
                self.pairs(answers, resource, view, [(&wanted, row)].into_iter())?;
            }
        }
        Ok(())
    }

    fn pairs<'v>(
        &mut self,
        answers: Answers<'_, 'm>,
        resource: &'m str,
        view: &'m str,
        mut pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
    ) -> Verdict {
        pairs.try_for_each(|(a, b)| self.view(answers, resource, view, [a, b]))
    }

    /// Distinct items of the records of a resource. Those of others cannot be told apart.
    fn items(
        &mut self,
        answers: Answers<'_, 'm>,
        (resource, view): (&'m str, &'m str),
        distinct: &'m Distinct,
        [a, b]: [&Vec<Value>; 2],
    ) -> Verdict {
        if !answers.known.has_all(&distinct.resource) {
            return Ok(());
        }
        same("number of rows", &a.len(), &b.len())?;
        let list = self.model.resource(&distinct.resource).field(&distinct.list);
        let object = self.model.items(&list.of).map(|object| object.name.as_str());
        for (a, b) in a.iter().zip(b) {
            let mut row = b.clone();
            if let (Some(object), [Some(own), Some(other)]) = (object, [a, b].map(|row| row["id"].as_i64())) {
                self.number("id", object, [own, other], false)?;
                row["id"] = own.into();
            }
            self.view(answers, resource, view, [a, &row])?;
        }
        Ok(())
    }

    /// Rows in the order of a time, which both servers know only within the slack.
    fn rows_by_time(&self, answers: Answers<'_, 'm>, resource: &str, a: &[Value], b: &[Value]) -> Verdict {
        let all = (answers.unpaged)();
        let all = all.as_array().map_or(&[][..], Vec::as_slice);
        let Some((shown, is_descending, then)) = time_order(self.model, resource, answers.call) else {
            return Ok(());
        };
        // By the times that it shows, its order is exact: equal ones leave it to the ids.
        let own = |row: &Value| Some((times::unix(row[&shown].as_str()?)?, of_json(&row["id"])?));
        let is_exact = b.windows(2).all(|pair| match (own(&pair[0]), own(&pair[1])) {
            (Some(a), Some(b)) if a.0 != b.0 => (a.0 > b.0) == is_descending,
            (Some(a), Some(b)) => then.is_none_or(|is_descending| (a.1 > b.1) == is_descending),
            _ => true,
        });
        if !is_exact {
            return differ(
                "order of rows",
                format!("ids {:?}", ids(b)),
                "the order of the times in it",
            );
        }
        let time = |id: RecordId| {
            let row = all.iter().find(|row| of_json(&row["id"]) == Some(id))?;
            times::unix(row[&shown].as_str()?)
        };
        let times: Vec<Option<u64>> = ids(b).into_iter().map(time).collect();
        let is_ordered = times.windows(2).all(|pair| match (pair[0], pair[1]) {
            (Some(a), Some(b)) if is_descending => a + self.slack >= b,
            (Some(a), Some(b)) => a <= b + self.slack,
            _ => false,
        });
        let left_out = ids(a).into_iter().filter(|id| !ids(b).contains(id));
        // A row that is on another page stands next to one end of this page.
        let is_first_page = super::queries::skipped(answers.call) == 0;
        let ends = [times.first().filter(|_| !is_first_page), times.last()];
        let ends: Vec<u64> = ends.into_iter().flatten().copied().flatten().collect();
        let is_near = |time: u64| ends.iter().any(|end| time.abs_diff(*end) <= self.slack);
        let is_whole = left_out.filter_map(time).all(is_near);
        match is_ordered && is_whole && a.len() == b.len() {
            true => Ok(()),
            false => rows_differ(&ids(a), &ids(b)),
        }
    }

    /// The member that shows how many rows there are.
    pub(super) fn total_member<'c>(&self, call: &super::call::Call<'c>) -> Option<&'c str>
    where
        'm: 'c,
    {
        let (_, operation) = call.operation?;
        let pages = operation.pages.as_ref().and_then(|pages| pages.total.as_ref());
        let name = pages.map_or("total", |total| total.as_str());
        let mut siblings = operation.siblings.iter();
        siblings.find(|sibling| *sibling == name).map(String::as_str)
    }

    /// The total: that of the model and the rows of others, which stay as many as they are.
    pub(super) fn total(&mut self, answers: Answers<'_, 'm>, of: [&Value; 2]) -> Verdict {
        let data = answers
            .call
            .operation
            .and_then(|(_, operation)| operation.data.as_ref());
        let resource = match data {
            Some(Data::Many { resource, .. }) => resource.as_str(),
            _ => return Ok(()),
        };
        let [Some(a), Some(b)] = of.map(Value::as_u64) else {
            return same("total", of[0], of[1]);
        };
        let distinct = self.model.resource(resource).distinct.as_ref();
        let has_others = distinct.is_some_and(|distinct| !answers.known.has_all(&distinct.resource));
        if !self.has_values() || has_others {
            return Ok(());
        }
        if distinct.is_some() {
            return same("total", &a, &b);
        }
        let Some(key) = self.list_key(answers) else {
            return same("total", &a, &b);
        };
        let wanted = match self.foreign.get(&key) {
            Some(others) => a + others,
            None if self.others(answers, resource) == Some(0) => a,
            None => b.max(a),
        };
        if b != wanted {
            return differ("total", b, wanted);
        }
        self.foreign.insert(key, b - a);
        let shown = super::envelope::body(answers.subject);
        let shown = super::envelope::data(self.model, answers.call, &shown)
            .as_array()
            .map_or(0, |rows| rows.len() as u64);
        let before = super::queries::skipped(answers.call);
        let most = super::queries::page_size(answers.call);
        let expected = b.saturating_sub(before).min(most.unwrap_or(u64::MAX));
        match shown == expected {
            true => Ok(()),
            false => differ("number of rows on a page", shown, expected),
        }
    }

    /// The number of rows of others in this list, if it is known.
    fn others(&self, answers: Answers<'_, 'm>, resource: &str) -> Option<u64> {
        let key = self.list_key(answers)?;
        if answers.known.has_all(resource) || answers.call.is_marked(&answers.known.mark) {
            return Some(0);
        }
        let shown = |response: &Response| {
            let body = super::envelope::body(response);
            body[self.total_member(answers.call)?].as_u64()
        };
        let of_totals = || Some(shown(answers.subject)?.saturating_sub(shown(answers.model)?));
        self.foreign.get(&key).copied().or_else(of_totals)
    }

    /// The list with its filters, without its pages.
    fn list_key(&self, answers: Answers<'_, 'm>) -> Option<String> {
        let (_, operation) = answers.call.operation.filter(|_| self.is_shared(answers.call))?;
        let named = operation.pages.iter().flat_map(|pages| pages.named());
        let of_pages: Vec<&str> = named.filter_map(|(_, name)| name).collect();
        let filters = answers.call.query.iter().filter(|pair| {
            let name = pair.split('=').next().unwrap_or_default();
            !of_pages.contains(&name)
        });
        let filters: Vec<&str> = filters.map(String::as_str).collect();
        let path: String = answers.call.path.iter().map(|(_, id)| format!("/{id}")).collect();
        Some(format!("{}{path}?{}", answers.call.name(), filters.join("&")))
    }
}

/// Which rows a list has, or their order, is another.
fn rows_differ(wanted: &[RecordId], got: &[RecordId]) -> Verdict {
    if wanted == got {
        return Ok(());
    }
    let has_more = got.iter().any(|id| !wanted.contains(id));
    let lacks = wanted.iter().any(|id| !got.contains(id));
    let cause = match (lacks, has_more) {
        (false, false) => "order of rows",
        (true, false) => "rows are missing",
        (false, true) => "rows that should not be there",
        (true, true) => "other rows",
    };
    let shown = |ids: &[RecordId]| {
        format!(
            "ids [{}]",
            ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        )
    };
    differ(cause, shown(got), shown(wanted))
}

fn ids<V: std::borrow::Borrow<Value>>(rows: &[V]) -> Vec<RecordId> {
    rows.iter().filter_map(|row| of_json(&row.borrow()["id"])).collect()
}

/// The member by whose time a list is sorted first, and whether the last one comes first; the same of ids, if they are next.
fn time_order(
    model: &codegen::Model,
    resource: &str,
    call: &super::call::Call<'_>,
) -> Option<(String, bool, Option<bool>)> {
    let (_, operation) = call.operation?;
    let chosen = operation.orders.as_ref().and_then(|orders| {
        let mut values = call.query.iter().filter_map(|pair| pair.split_once('='));
        let (_, name) = values.find(|(name, _)| *name == orders.by)?;
        orders.all.iter().find(|order| order.name == name)
    });
    let keys = chosen.map_or(&operation.sort, |order| &order.keys);
    let key = keys.first()?;
    let declared = model.resource(resource);
    let mut fields = declared.fields.iter().chain(&declared.joined);
    fields.find(|one| one.name == key.field && one.of.kind == Kind::Timestamp)?;
    let Some(Data::Many { view, .. }) = &operation.data else {
        return None;
    };
    let shown = model.view(resource, view).member_of(&key.field)?;
    let then = keys.get(1).filter(|next| next.field == "id");
    Some((shown.shown.clone(), key.descends, then.map(|next| next.descends)))
}
