//! Values as they are stored, and how texts of a type are compared.

use crate::decode::default;
use crate::mock::{Mock, State};
use crate::store::numbers_of;
use crate::text::form;
use crate::value::Value;
use codegen::model::{Alike, Object, Origin, Type};

impl Mock {
    /// A value as it is stored: objects have all members of their type, also those that no request carries.
    pub(crate) fn stored(&self, state: &mut State, of: &Type, value: Value) -> Value {
        let Some(object) = self.model.items(of) else {
            return value;
        };
        match value {
            Value::List(items) => Value::List(
                items
                    .into_iter()
                    .map(|item| self.stored_object(state, object, item))
                    .collect(),
            ),
            Value::Object(_) => self.stored_object(state, object, value),
            other => other,
        }
    }

    fn stored_object(&self, state: &mut State, object: &Object, value: Value) -> Value {
        let members = object.members.iter().map(|field| {
            let member = match (value.member(&field.name), &field.origin) {
                (_, Some(Origin::NumberOf(members))) => self.number_of(state, &object.name, members, &value),
                (Some(member), _) => self.stored(state, &field.of, member.clone()),
                (None, _) => default(self.model, &field.of).unwrap_or(Value::Null),
            };
            (field.name.clone(), member)
        });
        Value::Object(members.collect())
    }

    /// The number of a tuple: one for each that a record has, whatever its notation.
    fn number_of(&self, state: &mut State, object: &str, members: &[String], value: &Value) -> Value {
        let key = self.key(object, members, value);
        if let Some((_, id, _)) = state.store.holder(&key) {
            return Value::id(id);
        }
        let table = numbers_of(object);
        let id = state.store.next_id(&table);
        let record = [("key".to_owned(), Value::Text(key))];
        state.store.set(&table, id, Some(record.into()));
        Value::id(id)
    }

    /// The key by which the number of a tuple is stored.
    fn key(&self, object: &str, members: &[String], value: &Value) -> String {
        let forms = members.iter().map(|name| {
            let text = value.member(name).and_then(Value::as_text).unwrap_or_default();
            let alike = self.alike(object, name);
            Value::Text(form(text, alike))
        });
        numbers_of(object) + &Value::List(forms.collect()).to_string()
    }

    /// The key by which the number of an item of a list is stored, if its items are numbered.
    pub(crate) fn key_of_item(&self, list: &Type, item: &Value) -> Option<String> {
        let object = self.model.items(list)?;
        let mut members = object.members.iter();
        members.find_map(|field| match &field.origin {
            Some(Origin::NumberOf(members)) => Some(self.key(&object.name, members, item)),
            _ => None,
        })
    }

    /// How texts of a member of an object are compared.
    fn alike(&self, object: &str, member: &str) -> Alike {
        let fields = self.model.object(object).members.iter();
        let of = fields
            .into_iter()
            .find(|field| field.name == member)
            .map(|field| &field.of);
        of.map_or(Alike::Exact, |of| self.model.alike(&of.kind))
    }
}
