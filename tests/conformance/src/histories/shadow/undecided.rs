//! Answers that the interpreter cannot know.

use crate::contract::Contract;
use crate::histories::call::Call;
use crate::histories::learn::is_declared;
use crate::world::Response;
use codegen::model::FilterBy;
use serde_json::Value;
use std::collections::HashSet;

/// Records that undeclared operations have changed: the interpreter does not know how.
#[derive(Default)]
pub(super) struct Spoiled(HashSet<(String, i64)>);

impl Spoiled {
    /// Whether the call is a success of which the contract does not say what it does. Then the records that it names are spoiled.
    pub(super) fn spoils(&mut self, call: &Call<'static>, response: &Response) -> bool {
        let Some((_, operation)) = call.operation.filter(|_| response.status < 400) else {
            return false;
        };
        if is_declared(operation) {
            return false;
        }
        if !call.is_read() {
            let named = operation
                .exists()
                .filter_map(|guard| Some((guard.resource.clone(), call.id_of(&guard.id)?)));
            self.0.extend(named);
        }
        true
    }

    /// Whether a call names such a record, or shows one.
    pub(super) fn shows(&self, call: &Call<'static>, response: &Response) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let Some((_, operation)) = call.operation else {
            return false;
        };
        let is_spoiled = |resource: &str, id: i64| self.0.contains(&(resource.to_owned(), id));
        let mut named = operation
            .exists()
            .filter_map(|guard| Some((guard, call.id_of(&guard.id)?)));
        if named.any(|(guard, id)| is_spoiled(&guard.resource, id)) {
            return true;
        }
        let Some(resource) = operation.listed() else {
            return false;
        };
        // The bytes are parsed for such lists only.
        let body: Value = serde_json::from_slice(&response.body).unwrap_or(Value::Null);
        let mut ids = Vec::new();
        ids_in(&body, &mut ids);
        ids.into_iter().any(|id| is_spoiled(resource, id))
    }
}

/// The ids of the objects in an answer.
fn ids_in(of: &Value, ids: &mut Vec<i64>) {
    match of {
        Value::Array(items) => items.iter().for_each(|item| ids_in(item, ids)),
        Value::Object(members) => {
            ids.extend(members.get("id").and_then(Value::as_i64));
            members.values().for_each(|member| ids_in(member, ids));
        }
        _ => {}
    }
}

/// Whether a call lists records of another realm, where the server may have records of its own.
pub(super) fn reads_other_realm(contract: &Contract, call: &Call, response: &Response) -> bool {
    let Some((_, operation)) = call.operation else {
        return false;
    };
    let Some(resource) = operation.listed() else {
        return false;
    };
    let realms = contract
        .model
        .credentials
        .iter()
        .flat_map(|credential| &credential.realms);
    let mut headers = realms.flat_map(|realm| &realm.headers);
    let field = contract
        .model
        .resource(resource)
        .realm
        .as_ref()
        .map(|realm| &realm.field);
    let mut filters = operation.filters.iter();
    let by_query = filters.any(|filter| match &filter.by {
        FilterBy::Query(name, _) => {
            let is_sent = call.query.iter().any(|pair| pair.starts_with(&format!("{name}=")));
            is_sent && Some(filter.field.field()) == field.map(String::as_str)
        }
        _ => false,
    });
    by_query || headers.any(|(name, _)| response.header(name).is_some())
}
