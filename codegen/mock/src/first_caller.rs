//! What a new mock begins with: a caller for each credential that no operation creates, so that a contract whose callers
//! come from elsewhere can be called, and texts that are made once.

use crate::calendar;
use crate::caller::digest;
use crate::decode::default;
use crate::mock::{Mock, State};
use crate::store::Record;
use crate::value::{Value, parse};
use codegen::Model;
use codegen::model::{AnswerFrom, Caller, Credential, Kind, Origin, RecordId};
use std::time::{SystemTime, UNIX_EPOCH};

/// Whether an operation returns new credentials of this kind.
pub fn is_created(model: &Model, credential: &str) -> bool {
    let secret = AnswerFrom::Secret(credential.to_owned());
    model
        .operations()
        .any(|(_, operation)| operation.answers.contains(&secret))
}

impl Mock {
    /// Makes up a caller with this secret, unless there is one.
    pub(crate) fn admit(&self, credential: &Credential, secret: &str) {
        let Some(caller) = &credential.caller else { return };
        let mut state = self.state();
        if state.store.holder(&digest(secret)).is_some() {
            return;
        }
        let id = self.invent(&mut state, caller, &caller.resource, None);
        let holder = match caller.limited_by == caller.resource {
            true => id,
            false => self.invent(&mut state, caller, &caller.limited_by, Some(id)),
        };
        let mut record = state.store.get(&caller.limited_by, holder).cloned().unwrap_or_default();
        record.extend(self.of_credential(&caller.limited_by, &credential.name, secret));
        state.store.set(&caller.limited_by, holder, Some(record));
        // If it cannot be written, another one is made up at the next start.
        let _ = self.keep(&mut state, true);
    }

    /// A record with made-up fields: of the caller, or of `owner`.
    fn invent(&self, state: &mut State, caller: &Caller, resource: &str, owner: Option<RecordId>) -> RecordId {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        let id = self.new_id(state, resource, now);
        let mut record = Record::new();
        for field in self
            .model
            .resource(resource)
            .fields
            .iter()
            .filter(|field| field.name != "id")
        {
            let value = match (&field.of.kind, &field.origin, owner) {
                (_, Some(Origin::Now), _) => Value::Text(calendar::timestamp(now)),
                (_, Some(_), _) => continue,
                (Kind::Id(of), None, Some(owner)) if *of == caller.resource => Value::id(owner),
                _ if caller.suspended.as_ref() == Some(&field.name) => Value::Bool(false),
                _ => self.made_up(state, &field.of, &[resource, &field.name], id.seed(), now),
            };
            record.insert(field.name.clone(), value);
        }
        state.store.set(resource, id, Some(record));
        id
    }

    /// Enters a record that comes from elsewhere, with these values of its fields. What is not among them is the default, or
    /// null.
    pub fn enter(&self, resource: &str, id: RecordId, values: &serde_json::Map<String, serde_json::Value>) {
        let mut state = self.state();
        state.store.use_id(resource, id);
        let mut record = Record::new();
        let fields = self.model.resource(resource).fields.iter();
        for field in fields.filter(|field| field.name != "id") {
            let given = values.get(&field.name).map(ToString::to_string);
            let value = match given.and_then(|text| parse(text.as_bytes()).ok()) {
                Some(value) => self.stored(&mut state, &field.of, value),
                None if field.origin.is_some() => continue,
                None => default(self.model, &field.of).unwrap_or(Value::Null),
            };
            record.insert(field.name.clone(), value);
        }
        state.store.set(resource, id, Some(record));
        state.store.keep();
    }

    /// A text that is made once and kept with the state.
    pub(crate) fn setting(&self, name: &str, make: impl FnOnce() -> String) -> String {
        const SETTINGS: &str = "#settings";
        let of_name =
            |state: &State, id: RecordId| state.store.get(SETTINGS, id)?.get(name)?.as_text().map(str::to_owned);
        let mut state = self.state();
        let known = state.store.ids(SETTINGS).into_iter().find_map(|id| of_name(&state, id));
        known.unwrap_or_else(|| {
            let text = make();
            let id = state.store.next_id(SETTINGS);
            let record = [(name.to_owned(), Value::text(&text))];
            state.store.set(SETTINGS, id, Some(record.into()));
            // If it cannot be written, another one is made at the next start.
            let _ = self.keep(&mut state, true);
            text
        })
    }
}
