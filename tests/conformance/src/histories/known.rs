//! What is known of the server: credentials, records and the values of their fields.

use codegen::Model;
use codegen::model::RecordId;
use serde_json::Value;
use std::collections::HashMap;

/// In place of the id of the only caller.
pub(super) const NOBODY: RecordId = RecordId::Number(0);

/// A credential.
#[derive(Clone)]
pub(super) struct Known {
    /// The name of its kind.
    pub(super) kind: String,
    pub(super) secret: String,
    /// The id of the caller; 0 if there is only one.
    pub(super) caller: RecordId,
    /// The id of the record that it is kept for.
    pub(super) holder: RecordId,
    pub(super) has_ended: bool,
    /// How many requests with it have succeeded.
    pub(super) uses: usize,
    /// Until when a limit rejects its requests, in milliseconds since 1970.
    pub(super) rests_until: u64,
}

impl Known {
    /// One that no operation makes.
    pub(super) fn root(kind: &str, secret: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            secret: secret.to_owned(),
            caller: NOBODY,
            holder: NOBODY,
            has_ended: false,
            uses: 0,
            rests_until: 0,
        }
    }

    /// Whether a request with it can succeed.
    pub(super) fn can_call(&self, now: u64) -> bool {
        !self.has_ended && self.rests_until <= now
    }
}

/// A record: its id, the ids in its fields, and other values that they had last.
pub(super) struct Record<'m> {
    pub(super) id: RecordId,
    pub(super) links: Vec<(&'m str, RecordId)>,
    pub(super) values: HashMap<String, Value>,
}

impl Record<'_> {
    pub(super) fn link(&self, field: &str) -> Option<RecordId> {
        let found = self.links.iter().find(|(known, _)| *known == field);
        found.map(|(_, id)| *id)
    }
}

/// All that is known.
#[derive(Default)]
pub(super) struct Knowledge<'m> {
    pub(super) credentials: Vec<Known>,
    records: HashMap<&'m str, Vec<Record<'m>>>,
    /// Ids of records that are gone.
    ended: HashMap<&'m str, Vec<RecordId>>,
    /// The first id that this history has made of each resource. Those below belong to others.
    firsts: HashMap<&'m str, RecordId>,
    /// Values that fields have had, by resource and field; of members of items by `field[].member`.
    values: HashMap<(&'m str, String), Vec<Value>>,
    /// The number of rows of others in a list without filters, by `surface::operation?`.
    pub(super) others: HashMap<String, u64>,
    /// Letters that no text of others has.
    pub(super) mark: String,
    /// Whether the server was empty before this history.
    pub(super) is_first: bool,
}

impl<'m> Knowledge<'m> {
    /// Only these credentials are known.
    pub(super) fn new(credentials: Vec<Known>, mark: String) -> Self {
        Self {
            credentials,
            mark,
            ..Self::default()
        }
    }

    pub(super) fn records(&self, resource: &str) -> &[Record<'m>] {
        self.records.get(resource).map_or(&[], Vec::as_slice)
    }

    pub(super) fn ended(&self, resource: &str) -> &[RecordId] {
        self.ended.get(resource).map_or(&[], Vec::as_slice)
    }

    pub(super) fn record(&self, resource: &str, id: RecordId) -> Option<&Record<'m>> {
        self.records(resource).iter().find(|record| record.id == id)
    }

    pub(super) fn record_mut(&mut self, resource: &str, id: RecordId) -> Option<&mut Record<'m>> {
        let mut records = self.records.get_mut(resource)?.iter_mut();
        records.find(|record| record.id == id)
    }

    /// Whether a record was there before this history, and is not known. One with a UUID is, unless it has ended.
    pub(super) fn is_foreign(&self, resource: &str, id: RecordId) -> bool {
        let is_earlier = match id {
            RecordId::Number(_) => self.firsts.get(resource).is_none_or(|first| id < *first),
            RecordId::Uuid(_) => !self.has_all(resource) && !self.ended(resource).contains(&id),
        };
        is_earlier && self.record(resource, id).is_none()
    }

    /// Whether the first record of all is of this history.
    pub(super) fn has_all(&self, resource: &str) -> bool {
        match self.firsts.get(resource) {
            Some(RecordId::Number(first)) => *first == 1,
            Some(RecordId::Uuid(_)) => self.is_first,
            None => false,
        }
    }

    /// Adds a record that was there before this history.
    pub(super) fn enter(&mut self, resource: &'m str, record: Record<'m>) {
        self.records.entry(resource).or_default().push(record);
    }

    pub(super) fn add(&mut self, resource: &'m str, record: Record<'m>) {
        self.firsts.entry(resource).or_insert(record.id);
        self.records.entry(resource).or_default().push(record);
    }

    /// A record is gone, and with it its credentials.
    pub(super) fn end(&mut self, model: &Model, resource: &'m str, id: RecordId) {
        if let Some(records) = self.records.get_mut(resource) {
            records.retain(|record| record.id != id);
        }
        self.ended.entry(resource).or_default().push(id);
        for one in &mut self.credentials {
            let caller = &model.credential(&one.kind).caller;
            one.has_ended |= caller.as_ref().is_some_and(|caller| {
                caller.limited_by == resource && one.holder == id || caller.resource == resource && one.caller == id
            });
        }
    }

    /// The last values of a field.
    pub(super) fn values(&self, resource: &str, field: &str) -> &[Value] {
        let mut all = self.values.iter();
        let found = all.find(|((of, known), _)| *of == resource && known == field);
        found.map_or(&[], |(_, values)| values.as_slice())
    }

    /// A field has had this value.
    pub(super) fn note(&mut self, resource: &'m str, field: &str, value: &Value) {
        const KEPT: usize = 40;
        match value {
            Value::Null => {}
            Value::Array(items) => items.iter().for_each(|item| match item {
                Value::Object(members) => members
                    .iter()
                    .for_each(|(member, value)| self.note(resource, &format!("{field}[].{member}"), value)),
                item => self.note(resource, field, item),
            }),
            value => {
                let values = self.values.entry((resource, field.to_owned())).or_default();
                values.push(value.clone());
                if values.len() > KEPT {
                    values.remove(0);
                }
            }
        }
    }
}
