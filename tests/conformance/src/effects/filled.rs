//! A new record shows the values that the contract fixes for it, wherever it is shown.

use super::record::{Record, is_readable};
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::invariants::DataLocation;
use crate::response_data::{as_shown, is_same};
use crate::suite::description::traces;
use crate::types::named;
use codegen::model::{Fill, FilterBy, Kind, Resource};
use serde_json::Value as Json;

impl Attempt {
    /// New records of this resource show the fixed values.
    #[track_caller]
    pub(crate) fn fills_fixed_values(self, resource: &'static Resource) {
        let stage = self.stage(false);
        let answer = self.done(&stage);
        for record in answer.made(resource) {
            self.expect_shown(record, &answer.sent_values(resource), &answer);
        }
    }

    /// The record is shown with these values of its fields, where it is shown.
    #[track_caller]
    pub(crate) fn expect_shown(&self, record: Record, wanted: &[(&'static str, Json)], by: &Answer) {
        let all = traces::showing(self.operation.contract, record.resource);
        for (shows, place) in all.filter_map(|shows| Some((shows, shows.place(record.resource)?))) {
            let is_own = place.location != DataLocation::All || traces::is_narrowed(place.operation.declared);
            if !is_own || !is_readable(place.operation) {
                continue;
            }
            let Some(reading) = self.reading(place, record) else {
                continue;
            };
            let Some(found) = reading.find(Some(record.id)) else {
                if place
                    .operation
                    .declared
                    .filters
                    .iter()
                    .all(|filter| matches!(filter.by, FilterBy::Caller | FilterBy::Path(_)))
                {
                    by.fail(
                        &format!("the new {} {} to be shown", record.resource.noun, record.id),
                        &format!("{} does not show it", place.operation.name),
                    );
                }
                continue;
            };
            for (field, wanted) in wanted {
                let Some(member) = shows.view.member_of(field) else {
                    continue;
                };
                let came = &found.row[&member.shown];
                if !is_same(came, wanted) {
                    found.fail(&format!("`{}` as {wanted}", member.shown), &format!("it is {came}"), by);
                }
            }
        }
    }
}

impl Answer {
    /// The values of a new record's fields that the contract or the sent body decides.
    pub(crate) fn sent_values(&self, resource: &Resource) -> Vec<(&'static str, Json)> {
        let of_one = self.operation.each(&resource.name).is_none();
        let fills = self.operation.declared.fills(&resource.name).filter(|_| of_one);
        let value = |(field, fill): &'static (String, Fill)| {
            let value = match fill {
                Fill::Member(member) => {
                    let of = named(self.operation.members(), member)?.of;
                    as_shown(self.sent(member)?, of)
                }
                Fill::Literal(text) => serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into()),
                _ => return None,
            };
            Some((field.as_str(), value))
        };
        let is_plain = |field: &str| {
            matches!(
                resource.field(field).of.kind,
                Kind::Named(_) | Kind::Enum(_) | Kind::Boolean | Kind::Format(_)
            )
        };
        let all = fills.unwrap_or_default().iter().filter_map(value);
        all.filter(|(field, _)| is_plain(field)).collect()
    }
}
