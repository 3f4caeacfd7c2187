//! A change has its declared effect and no other: all else that can be read of the record and of those around it stays.

use super::record::{Record, is_readable};
use super::values::{changed_member, json_of};
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::declared::can_link;
use crate::invariants::{DataLocation, Found, Place, Reading};
use crate::response_data::is_same;
use crate::suite::description::traces::{self, Shows};
use crate::value::Value;
use crate::world::Caller;
use codegen::model::{Effect, Field, FilterBy, Kind, Origin, Resource, Source, ViewMember};

/// What may change.
struct Change {
    operation: &'static Operation,
    /// The record that the operation is about.
    of: Record,
    /// The stored fields that it sets.
    fields: Vec<&'static str>,
}

/// A record in one place, as it was before.
struct Watched {
    record: Record,
    shows: Shows,
    reading: Reading,
    before: Option<Found>,
}

impl Attempt {
    /// The operation changes its record of this resource, by this member if it has a body that sets fields, and nothing else:
    /// neither other members, nor other records of the same owners, nor those of others.
    #[track_caller]
    pub(crate) fn changes_nothing_else(self, resource: &'static Resource, field: Option<&'static str>) {
        let of = self.new_record(resource, None);
        let change = Change {
            operation: self.operation,
            of,
            fields: self.fields_set(resource, field),
        };
        let records = self.around(of);
        let Some(stage) = self.stage_for(of) else { return };
        let watched: Vec<Watched> = records.iter().flat_map(|one| self.watch(*one, &change)).collect();
        for attempt in self.steps(of, field, &watched) {
            let answer = attempt.done(&stage);
            for one in &watched {
                one.expect_unchanged(&change, &answer);
                one.expect_length(&change, &attempt, &answer);
            }
        }
    }

    /// The fields that a request to change this one sets. A body that is not partial may set others.
    fn fields_set(&self, resource: &'static Resource, field: Option<&'static str>) -> Vec<&'static str> {
        let is_set = |one: &&'static str| match self.operation.is_partial() {
            true => Some(*one) == field,
            false => changed_member(self.operation, &resource.name, one).is_some(),
        };
        let names = resource.fields.iter().map(|one| one.name.as_str());
        names.filter(is_set).collect()
    }

    /// The requests: one, or one for each value of the field to try.
    fn steps(&self, of: Record, field: Option<&'static str>, watched: &[Watched]) -> Vec<Attempt> {
        let Some((field, member)) =
            field.and_then(|field| Some((field, changed_member(self.operation, &of.resource.name, field)?)))
        else {
            return vec![self.clone()];
        };
        let shown = watched.iter().filter(|one| one.record.is(of)).find_map(|one| {
            let member = one.shows.view.member_of(field)?;
            Some(one.before.as_ref()?.row[&member.shown].clone())
        });
        let mut seen = vec![shown.unwrap_or_default()];
        let mut steps = Vec::new();
        let most = self.values_to_try(member);
        while steps.len() < most {
            // The first value may come back.
            let Some(value) = self.other_value(member, &seen[usize::from(seen.len() > 1)..]) else {
                break;
            };
            seen.push(json_of(&value));
            steps.push(self.clone().giving(member, value));
        }
        steps
    }

    /// The record, others with the same links, one of others, those that it names, and some that name it.
    fn around(&self, of: Record) -> Vec<Record> {
        let contract = self.operation.contract;
        let links = of.resource.fields.iter().filter_map(|field| match &field.of.kind {
            Kind::Id(resource) if *resource != of.resource.name && !field.of.list => {
                Some((field.name.clone(), resource.clone()))
            }
            _ => None,
        });
        let parents: Vec<Record> = links.filter_map(|link| self.followed(of, &[link])).collect();
        let mut all = vec![of, self.new_record(of.resource, None)];
        for parent in &parents {
            if self.can_make_within(of.resource, parent.resource) {
                all.push(self.new_record(of.resource, Some(*parent)));
            }
        }
        all.extend(&parents);
        for part in contract.model.resources.iter() {
            if self.can_make_within(part, of.resource) {
                all.push(self.new_record(part, Some(of)));
            }
        }
        all
    }

    /// Whether an operation makes records of a resource that name a given record of another one, several of them.
    fn can_make_within(&self, part: &Resource, whole: &Resource) -> bool {
        let whole = Kind::Id(whole.name.clone());
        let link = part
            .fields
            .iter()
            .find(|field| field.of.kind == whole && !field.of.list);
        let mut operations = self.operation.contract.operations().iter();
        link.is_some_and(|link| {
            let several = |one: &Operation| one.permits_one(&part.name) != Some(vec![link.name.as_str()]);
            operations.any(|one| one.makes(&part.name) && can_link(one, &part.name, &[(&link.name, 0)]) && several(one))
        })
    }

    /// The record in each place that shows it and that can be read before and after the change.
    fn watch(&self, record: Record, change: &Change) -> Vec<Watched> {
        let all = traces::showing(self.operation.contract, record.resource);
        let places: Vec<(Shows, Place)> = all
            .filter_map(|shows| Some((shows, shows.place(record.resource)?)))
            .filter(|(_, place)| is_readable(place.operation))
            .collect();
        // Lists that all callers share are long: they are read if nothing else shows the record.
        let is_short =
            |place: &Place| place.location != DataLocation::All || traces::is_narrowed(place.operation.declared);
        let has_short = places.iter().any(|(_, place)| is_short(place));
        let places = places.into_iter().filter(|(_, place)| is_short(place) || !has_short);
        let watched = places.filter_map(|(shows, place)| {
            let reading = self.reading(place, record)?;
            if change.affects_rights(reading.reader()) || change.may_hide_from(&reading) {
                return None;
            }
            let before = reading.find(Some(record.id));
            Some(Watched {
                record,
                shows,
                reading,
                before,
            })
        });
        watched.collect()
    }
}

impl Watched {
    /// A list that was sent replaces the former one.
    #[track_caller]
    fn expect_length(&self, change: &Change, attempt: &Attempt, by: &Answer) {
        for field in change.fields.iter().filter(|_| self.record.is(change.of)) {
            let (Some(member), Some(Value::List(sent))) = (self.shows.view.member_of(field), attempt.sent(field))
            else {
                continue;
            };
            let Some(found) = self.reading.find(Some(self.record.id)) else {
                return;
            };
            let count = found.row[&member.shown].as_array().map_or(0, Vec::len);
            if count != sent.len() {
                let wanted = format!("`{}` with the {} items that were sent", member.shown, sent.len());
                found.fail(&wanted, &format!("it has {count}"), by);
            }
        }
    }

    #[track_caller]
    fn expect_unchanged(&self, change: &Change, by: &Answer) {
        let Some(before) = &self.before else { return };
        if change.ends(self.record) {
            return;
        }
        let after = self.reading.find(Some(self.record.id));
        if after.is_none() && change.decides_rows_of(self.shows.operation) {
            return;
        }
        let what = format!(
            "{} {} in {}",
            self.record.resource.noun, self.record.id, self.shows.operation.name
        );
        let Some(after) = after else {
            by.fail(&format!("{what} as before"), "it is not shown any more");
        };
        for member in &self.shows.view.members {
            let [before, now] = [&before.row, &after.row].map(|row| &row[&member.shown]);
            let is_it = self.record.is(change.of);
            if !is_same(before, now) && !change.may_change((self.record.resource, is_it), member) {
                let wanted = format!("`{}` of {what} as before: {before}", member.shown);
                after.fail(&wanted, &format!("it is {now}"), by);
            }
        }
    }
}

impl Change {
    fn sets(&self, field: &str) -> bool {
        self.fields.contains(&field)
    }

    /// Whether the operation makes or ends records of this resource.
    fn makes_or_ends(&self, resource: &str) -> bool {
        self.operation.declared.effects.iter().any(|effect| match effect {
            Effect::Make { resource: of, .. } | Effect::End { resource: of, .. } => of == resource,
            Effect::Change { .. } | Effect::Renew { .. } | Effect::Revoke { .. } => false,
        })
    }

    fn ends(&self, record: Record) -> bool {
        record.is(self.of) && self.operation.declared.ends(&self.of.resource.name)
    }

    /// Whether the caller's own rights may change.
    fn affects_rights(&self, caller: &Caller) -> bool {
        let model = self.operation.contract.model;
        let Some(acting) = model
            .credentials
            .iter()
            .find(|kind| kind.name == caller.kind)
            .and_then(|kind| kind.caller.as_ref())
        else {
            return false;
        };
        let is_it = acting.resource == self.of.resource.name && caller.id == self.of.id;
        let is_suspended = acting.suspended.as_deref().is_some_and(|field| self.sets(field));
        is_it && (is_suspended || self.ends(self.of) || self.operation.ends_credential(caller.kind).is_some())
    }

    /// Whether the record may not exist afterwards for this reader, who names it or does not own it.
    fn may_hide_from(&self, reading: &Reading) -> bool {
        let operation = reading.operation();
        let model = operation.contract.model;
        let hidden = model.hidden_from(operation.surface, &self.of.resource.name);
        let can_own = model.owner_field(operation.surface, self.of.resource).is_some();
        let is_hidden = hidden.is_some_and(|hidden| self.sets(&hidden.when.field)) && !can_own;
        is_hidden || (self.ends(self.of) && reading.names(&self.of.resource.name, self.of.id))
    }

    /// Whether a filter of the list reads the field.
    fn decides_rows_of(&self, list: &Operation) -> bool {
        list.declared.filters.iter().any(|filter| {
            let through = filter.through.as_ref().map(|(_, resource)| resource.as_str());
            let is_of = through.is_none_or(|resource| resource == self.of.resource.name);
            is_of && self.sets(filter.field.field()) && !matches!(filter.by, FilterBy::Caller | FilterBy::Path(_))
        })
    }

    /// Whether a field that shows a mean may change. `None` if it shows none. `is_it`: the record may be that of the operation.
    fn changes_mean(&self, resource: &Resource, is_it: bool, field: &str) -> Option<bool> {
        let average = resource.average.as_ref().filter(|average| average.shows(field))?;
        let is_given = is_it && (self.sets(&average.field) || self.sets(&average.count));
        let mut only = average.only.iter();
        let is_counted = self.of.resource.name == average.resource
            && (self.sets(&average.value) || only.any(|only| self.sets(&only.field)));
        Some(is_given || is_counted || self.makes_or_ends(&average.resource))
    }

    /// Whether a member of a record of this resource may change. `is_it`: the record may be that of the operation.
    fn may_change(&self, (resource, is_it): (&Resource, bool), member: &ViewMember) -> bool {
        let name = member.source.field();
        if is_it && self.sets(name) && !matches!(member.source, Source::Joined(_)) {
            return true;
        }
        if let Some(changes) = self.changes_mean(resource, is_it, name) {
            return changes;
        }
        let fields = resource.fields.iter().chain(&resource.joined);
        let field: Option<&Field> = fields.into_iter().find(|field| field.name == name);
        let is_of = |resource: &str| resource == self.of.resource.name;
        if let Some(Kind::View(of, view)) = field.map(|field| &field.of.kind) {
            let model = self.operation.contract.model;
            let mut members = model.view(of, view).members.iter();
            if members.any(|member| self.may_change((model.resource(of), is_of(of)), member)) {
                return true;
            }
        }
        match field.and_then(|field| field.origin.as_ref()) {
            Some(Origin::Follow { ids, field }) => {
                let is_ended = self.ends(self.of) && ids.iter().any(|(_, resource)| is_of(resource));
                let end = ids.last().map(|(_, end)| end);
                let is_mean = end.is_some_and(|end| {
                    self.changes_mean(self.operation.contract.model.resource(end), is_of(end), field) == Some(true)
                });
                is_ended || is_mean || (end.is_some_and(|end| is_of(end)) && self.sets(field))
            }
            Some(Origin::Count { resource, only, .. }) => {
                let field = only.as_ref().map(|only| &only.field);
                self.makes_or_ends(resource) || field.is_some_and(|field| is_of(resource) && self.sets(field))
            }
            Some(Origin::Latest { resource, field, .. }) => {
                self.makes_or_ends(resource) || (is_of(resource) && self.sets(field))
            }
            Some(Origin::All { resource, .. } | Origin::Left { resource, .. }) => {
                self.makes_or_ends(resource) || is_of(resource)
            }
            Some(Origin::Has(kind) | Origin::Digest(kind) | Origin::Start(kind)) => {
                is_it && self.operation.ends_credential(kind).is_some()
            }
            Some(Origin::LastUse { .. }) => true,
            Some(Origin::Now | Origin::NumberOf(_) | Origin::Rate { .. } | Origin::File(_)) => false,
            // What is looked up without a declared source is the service's own matter.
            None => matches!(member.source, Source::Joined(_)),
        }
    }
}
