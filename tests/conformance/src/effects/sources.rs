//! Members that show what is stored elsewhere: the source changes, and each of them shows the new value.

use super::record::Record;
use super::values::json_of;
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::invariants::{Found, Place, Reading};
use crate::response_data::is_same;
use crate::suite::leave_out;
use crate::value::Value;
use codegen::model::{Field, Fill, Kind, Origin, Resource};
use serde_json::{Value as Json, json};

/// Records that a member shows all of.
const MANY: usize = 12;

/// A member that shows what is stored elsewhere, and an operation that changes its source.
pub(crate) struct Derived {
    /// Where records with the member are shown.
    pub(crate) place: Place,
    pub(crate) resource: &'static Resource,
    /// The member as it is shown.
    pub(crate) member: &'static str,
    pub(crate) field: &'static Field,
    pub(crate) by: &'static Operation,
    pub(crate) change: SourceChange,
}

/// How the operation changes the source.
pub(crate) enum SourceChange {
    /// This member of its body sets the field that is followed.
    Sets(&'static str),
    /// It makes a record of this resource, which is counted or shown.
    Makes(&'static Resource),
    /// It ends such a record.
    Ends(&'static Resource),
    /// It gives the record a credential, which it had none of before.
    GivesCredential,
}

impl Attempt {
    /// The member is current.
    #[track_caller]
    pub(crate) fn shows_its_source(self, derived: &'static Derived) {
        let record = self.new_record(derived.resource, None);
        match (&derived.change, &derived.field.origin) {
            (SourceChange::Sets(member), Some(Origin::Follow { ids, .. })) => {
                let Some(end) = self.followed(record, ids) else {
                    return leave_out(&format!("a new {} names no source of it", derived.resource.name));
                };
                self.follows(derived, record, (end, member));
            }
            (SourceChange::Makes(part), Some(origin)) => self.shows_new_parts(derived, record, (part, origin)),
            (SourceChange::Ends(part), _) => self.forgets_ended_parts(derived, record, part),
            (SourceChange::GivesCredential, _) => self.shows_a_credential(derived, record),
            _ => {}
        }
    }

    #[track_caller]
    fn follows(&self, derived: &Derived, record: Record, (end, member): (Record, &'static str)) {
        let by = self.anew(derived.by);
        let Some((reading, stage)) = self.reading(derived.place, record).zip(by.stage_for(end)) else {
            return;
        };
        let Some(before) = reading.find(Some(record.id)) else {
            return leave_out("the list leaves out new records");
        };
        let other = || by.other_value(member, &[before.row[derived.member].clone()]);
        let Some(value) = by.longest(member).or_else(other) else {
            return leave_out("its source has no other value");
        };
        let wanted = json_of(&value);
        let answer = by.giving(member, value).done(&stage);
        // A filter may leave it out now.
        if let Some(after) = reading.find(Some(record.id)) {
            derived.expect(&after, &wanted, &answer);
        }
    }

    #[track_caller]
    fn shows_new_parts(&self, derived: &Derived, record: Record, (part, origin): (&'static Resource, &Origin)) {
        let by = self.anew(derived.by);
        let Some((reading, stage)) = self.reading(derived.place, record).zip(by.stage_for(record)) else {
            return;
        };
        let Some(mut before) = reading.find(Some(record.id)) else {
            return leave_out("the list leaves out new records");
        };
        let times = match origin {
            _ if derived.by.makes_one_for_each_parent() || derived.by.puts() => 1,
            Origin::All { .. } => MANY,
            _ => 2,
        };
        for nth in 1..=times {
            let mut attempt = by.varied(nth);
            if let Some((member, value)) = (nth == times).then(|| by.longest_shown(part, origin)).flatten() {
                attempt = attempt.with(member, value);
            }
            let answer = attempt.done(&stage);
            let after = derived.found(&reading, record, &answer);
            derived.expect_part((&before, &after), (part, origin), &answer);
            before = after;
        }
    }

    #[track_caller]
    fn forgets_ended_parts(&self, derived: &Derived, record: Record, part: &'static Resource) {
        let part = self.new_record(part, Some(record));
        let by = self.anew(derived.by);
        let Some((reading, stage)) = self.reading(derived.place, record).zip(by.stage_for(part)) else {
            return;
        };
        let Some(before) = reading.find(Some(record.id)) else {
            return leave_out("the list leaves out new records");
        };
        let answer = by.done(&stage);
        let after = derived.found(&reading, record, &answer);
        let shown = &before.row[derived.member];
        let wanted = match (shown, shown.as_i64()) {
            (_, Some(count)) => json!(count - 1),
            (Json::Array(rows), _) => rows.iter().filter(|row| !derived.has_id(row, part)).cloned().collect(),
            _ => return,
        };
        derived.expect(&after, &wanted, &answer);
    }

    #[track_caller]
    fn shows_a_credential(&self, derived: &Derived, record: Record) {
        let by = self.anew(derived.by);
        let Some((reading, stage)) = self.reading(derived.place, record).zip(by.stage_for(record)) else {
            return;
        };
        let Some(before) = reading.find(Some(record.id)) else {
            return leave_out("the list leaves out new records");
        };
        derived.expect(&before, &json!(false), &before.answer);
        let answer = by.done(&stage);
        derived.expect(&derived.found(&reading, record, &answer), &json!(true), &answer);
    }
}

impl Derived {
    #[track_caller]
    fn found(&self, reading: &Reading, record: Record, by: &Answer) -> Found {
        reading.find(Some(record.id)).unwrap_or_else(|| {
            let wanted = format!("{} {} to be shown still", self.resource.noun, record.id);
            by.fail(&wanted, &format!("{} does not show it", self.place.operation.name))
        })
    }

    #[track_caller]
    fn expect(&self, found: &Found, wanted: &Json, by: &Answer) {
        let came = &found.row[self.member];
        if !is_same(came, wanted) {
            let origin = self.field.origin.as_ref().map(ToString::to_string).unwrap_or_default();
            let wanted = format!("`{}` ({origin}) as {wanted}", self.member);
            found.fail(&wanted, &format!("it is {came}"), by);
        }
    }

    /// Whether this is the row of a record, in a member that shows several.
    fn has_id(&self, row: &Json, part: Record) -> bool {
        let Kind::View(of, view) = &self.field.of.kind else {
            return false;
        };
        let own = Kind::Id(part.resource.name.clone());
        let mut members = self.place.operation.contract.model.view(of, view).members.iter();
        let id = members.find(|member| member.of.kind == own);
        id.is_some_and(|id| row[&id.shown].as_i64() == Some(part.id))
    }

    /// One more record is counted or shown after the answer than before.
    #[track_caller]
    fn expect_part(
        &self,
        (before, after): (&Found, &Found),
        (part, origin): (&'static Resource, &Origin),
        answer: &Answer,
    ) {
        let made = answer.made(part);
        match origin {
            Origin::Count { only, .. } => {
                let count = before.row[self.member].as_u64().unwrap_or_default();
                let counts = only.as_ref().map(|only| {
                    let value = answer.filled(part, &only.field, made.last().copied());
                    value.and_then(|value| value.as_str().map(|value| only.holds(value)))
                });
                match counts {
                    // What the response does not show may count or not.
                    Some(None) => {}
                    Some(Some(false)) => self.expect(after, &json!(count), answer),
                    None | Some(Some(true)) => self.expect(after, &json!(count + made.len().max(1) as u64), answer),
                }
            }
            Origin::Latest { field, .. } => {
                let latest = made.last().copied();
                if let Some(wanted) = answer.filled(part, field, latest) {
                    self.expect(after, &wanted, answer);
                }
            }
            Origin::All { .. } => {
                let earlier = before.row[self.member].as_array().map_or(&[][..], Vec::as_slice);
                let rows = after.row[self.member].as_array().map_or(&[][..], Vec::as_slice);
                let is_kept = rows.len() == earlier.len() + made.len().max(1) && rows.starts_with(earlier);
                let are_last = made.iter().all(|one| {
                    rows[earlier.len().min(rows.len())..]
                        .iter()
                        .any(|row| self.has_id(row, *one))
                });
                if !is_kept || !are_last {
                    let wanted = format!(
                        "`{}` with the new {} last, and all others as they were",
                        self.member, part.noun
                    );
                    after.fail(&wanted, "it is otherwise", answer);
                }
            }
            _ => {}
        }
    }
}

impl Attempt {
    /// The longest text that the body takes for what is shown of a new record, and its member: all of it must be shown.
    fn longest_shown(&self, part: &Resource, origin: &Origin) -> Option<(&'static str, Value)> {
        let Origin::Latest { field, .. } = origin else {
            return None;
        };
        match self.operation.declared.fill(&part.name, field)? {
            Fill::Member(member) => Some((member, self.longest(member)?)),
            _ => None,
        }
    }
}

impl Answer {
    /// The value of a field of the new record, if the request or the contract decides it.
    fn filled(&self, resource: &Resource, field: &str, made: Option<Record>) -> Option<Json> {
        if self.operation.each(&resource.name).is_some() {
            return None;
        }
        match self.operation.declared.fill(&resource.name, field)? {
            Fill::Id => made.map(|made| json!(made.id)),
            Fill::Member(member) => self.sent(member),
            _ => None,
        }
    }
}
