//! Follows another server: checks that its choices were allowed, and makes the same.

use crate::caller::digest;
use crate::choices::Choices;
use crate::exchange::Response;
use crate::mock::{Mock, State};
use bytes::Bytes;
use codegen::model::{Credential, Ids, RecordId};
use http::request::Parts;
use std::net::IpAddr;

/// The largest id.
const LARGEST: i64 = (1 << 53) - 1;

impl Mock {
    /// Answers a request as a server that has made these choices. The texts say which were not allowed.
    pub fn follow(
        &self,
        (parts, body): (&Parts, Bytes),
        address: Option<IpAddr>,
        now: u64,
        choices: Choices,
    ) -> (Response, Vec<String>) {
        self.state().choices = choices;
        let response = self.handle(parts, body, address, now);
        let mut state = self.state();
        state.choices = Choices::default();
        let objections = std::mem::take(&mut state.objections);
        (response, objections)
    }

    /// Ids up to this one are used by records that the mock does not know.
    pub fn reserve_ids(&self, resource: &str, last: i64) {
        let mut state = self.state();
        state.store.use_id(resource, RecordId::Number(last));
        state.store.keep();
    }

    /// The id of a new record. `now` is in seconds.
    pub(crate) fn new_id(&self, state: &mut State, resource: &str, now: u64) -> RecordId {
        let form = self.model.ids(resource);
        let ids = &mut state.choices.ids;
        let Some(place) = ids.iter().position(|(known, _)| known == resource) else {
            return self.next_id(state, (resource, form), now);
        };
        let (_, id) = ids.remove(place);
        let has_form = match id {
            RecordId::Number(number) => form == Ids::Numbers && number <= LARGEST,
            RecordId::Uuid(_) => form.version() == id.version(),
        };
        let last = state.followed.get(resource).copied();
        let is_next = form != Ids::UuidV7 || last.is_none_or(|last| last < id);
        if has_form && is_next && state.store.use_id(resource, id) {
            state.followed.insert(resource.to_owned(), id);
            return id;
        }
        let objection = match form.version() {
            None => format!("the id of a new {resource} is not above all former ones"),
            Some(7) => format!("the id of a new {resource} is no UUID of version 7 above all former ones"),
            Some(version) => format!("the id of a new {resource} is no new UUID of version {version}"),
        };
        state.objections.push(objection);
        self.next_id(state, (resource, form), now)
    }

    /// The id that the mock chooses itself.
    fn next_id(&self, state: &mut State, (resource, form): (&str, Ids), now: u64) -> RecordId {
        match form {
            Ids::Numbers => state.store.next_id(resource),
            Ids::UuidV4 => form.from_bits(u128::from(self.draw(state)) << 64 | u128::from(self.draw(state))),
            // The time in milliseconds and five bits, or one more than the last.
            Ids::UuidV7 => {
                let least = i64::try_from((now * 1000) << 5).unwrap_or_default();
                let number = state.store.next_from(resource, least).unsigned_abs();
                Ids::in_order(number, self.draw(state))
            }
        }
    }

    /// The secret that was chosen for this credential, if it has the declared form and is new.
    pub(crate) fn chosen_secret(&self, state: &mut State, credential: &Credential, prefix: &str) -> Option<String> {
        let Credential { name, random, .. } = credential;
        let secrets = &mut state.choices.secrets;
        let place = secrets.iter().position(|(known, _)| known == name)?;
        let (_, secret) = secrets.remove(place);
        let has_form = credential
            .split(&secret)
            .is_some_and(|(of, random)| of == prefix && random.bytes().all(|byte| byte.is_ascii_graphic()));
        if !has_form {
            let objection = format!("a new {name} is not {prefix} and {random} characters");
            state.objections.push(objection);
        }
        if state.store.holder(&digest(&secret)).is_some() {
            state.objections.push(format!("a new {name} is in use"));
            return None;
        }
        Some(secret)
    }
}
