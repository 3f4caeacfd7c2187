//! Lists go by the values that records have now: their order, and filters that read other records.

use super::record::Record;
use super::values::json_of;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::lists::description::List;
use crate::lists::rows::Mark;
use crate::suite::description::traces;
use crate::suite::leave_out;
use crate::types::{Type, named};
use crate::value::{Value, raw};
use codegen::model::{Filter, FilterBy};

impl Attempt {
    /// Of two rows that an operation gives other values of the first key of the order, the one that belongs first comes first.
    /// The values differ in their last decimal place.
    #[track_caller]
    pub(crate) fn lists_by_present_values(self, by: &'static Operation, member: &'static str) {
        let mark = self.list().filters().iter().find_map(|filter| self.mark(filter));
        let (Some(creator), Some(mark)) = (&self.list().creator, mark) else {
            return leave_out("no filter tells its rows from those of others");
        };
        let Some(values) = neighbours(named(by.members(), member).map(|one| one.of)) else {
            return leave_out("the key has too few values");
        };
        let resource = self.operation.contract.model.resource(self.list().resource);
        let rows = [(); 2].map(|()| self.row(creator, &[(&mark.place, &mark.text)]));
        let [Some((stage, one)), Some((_, other))] = rows else {
            return;
        };
        let changing = self.anew(by);
        let is_reversed = self.operation.order[0].is_reversed;
        for ids in [[one, other], [other, one]] {
            for (id, value) in ids.into_iter().zip(&values) {
                let Some(writer) = changing.stage_for(Record { resource, id }) else {
                    return;
                };
                changing.clone().giving(member, value.clone()).done(&writer);
            }
            let answer = self.marked_with(&mark).accepted_on(&stage.caller, &stage.arranged);
            let data = answer.data();
            let rows = data.as_array().into_iter().flatten();
            let mut came: Vec<i64> = rows.filter_map(|row| row[self.list().id].as_i64()).collect();
            came.retain(|id| ids.contains(id));
            let wanted = if is_reversed { [ids[1], ids[0]] } else { ids };
            if came != wanted {
                let why = format!("the order is {came:?} after `{member}` was set to {values:?}");
                answer.fail(&format!("the rows with the ids {wanted:?} in this order"), &why);
            }
        }
    }

    fn marked_with(&self, mark: &Mark) -> Self {
        self.clone().parameter(mark.parameter, &mark.text)
    }

    /// A list does not show a record while the record that the filter reads has another value.
    #[track_caller]
    pub(crate) fn hides_by_its_source(
        self,
        list: &'static List,
        filter: &'static Filter,
        (by, member): (&'static Operation, &'static str),
    ) {
        let resource = self.operation.contract.model.resource(list.resource);
        let record = self.new_record(resource, None);
        let all = traces::showing(self.operation.contract, resource);
        let place = all.filter(|shows| std::ptr::eq(shows.operation, self.operation));
        let Some(place) = place.filter_map(|shows| shows.place(resource)).next() else {
            return;
        };
        let end = filter.through.clone().and_then(|link| self.followed(record, &[link]));
        let changing = self.anew(by);
        let Some((reading, stage)) = self
            .reading(place, record)
            .zip(end.and_then(|end| changing.stage_for(end)))
        else {
            return;
        };
        if reading.find(Some(record.id)).is_none() {
            return leave_out("the list leaves out new records");
        }
        let is_true = filter.by == FilterBy::Value("true".to_owned());
        for is_shown in [true, false, true] {
            let value = raw(if is_shown == is_true { "true" } else { "false" });
            let set = json_of(&value);
            let answer = changing.clone().giving(member, value).done(&stage);
            if reading.find(Some(record.id)).is_some() != is_shown {
                let wanted = format!(
                    "`{filter}` to decide whether {} shows {} {}",
                    self.operation.name, resource.noun, record.id
                );
                answer.fail(
                    &wanted,
                    &format!("after {set} it is {}shown", if is_shown { "not " } else { "" }),
                );
            }
        }
    }
}

/// Two values of a number that differ in its last decimal place, the lower one first.
fn neighbours(of: Option<&Type>) -> Option<[Value; 2]> {
    let Type::Number {
        min,
        exclusive_min,
        max,
        decimals,
    } = of?
    else {
        return None;
    };
    let places = usize::try_from(decimals.unwrap_or(2).min(6)).ok()?;
    let step = 10_f64.powi(-i32::try_from(places).ok()?);
    let low = min.or(*exclusive_min).unwrap_or(0.0) + step;
    let fits = max.is_none_or(|max| low + step <= max);
    fits.then(|| [low, low + step].map(|number| raw(&format!("{number:.places$}"))))
}
