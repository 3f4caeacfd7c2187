//! Who calls: credentials, and the records that hold their digests.

use crate::exchange::Caller;
use crate::mock::{Digest, Mock, State};
use crate::store::Record;
use crate::value::Value;
use crate::{calendar, random};
use codegen::Model;
use codegen::model::{Credential, CredentialRealm, Origin, RecordId};
use http::{HeaderMap, header};
use sha2::{Digest as _, Sha256};

impl Mock {
    /// The caller with the credential in these headers.
    pub(crate) fn caller(&self, state: &State, credential: &Credential, headers: &HeaderMap) -> Option<Caller> {
        let mut values = headers.get_all(&credential.header).iter();
        let (Some(only), None) = (values.next(), values.next()) else {
            return None;
        };
        let secret = only.to_str().ok()?;
        let Some(declared) = &credential.caller else {
            let known = self.roots.iter().find(|(name, _)| *name == credential.name);
            let is_known = known.is_some_and(|(_, known)| digest(known) == digest(secret));
            return is_known.then_some(Caller {
                record: None,
                limited_by: RecordId::Number(0),
                holder: None,
            });
        };
        let (table, id, field) = state.store.holder(&digest(secret))?;
        let mut digests = self
            .digests
            .iter()
            .filter(|one| one.table == table && one.field == field);
        digests.find(|one| one.credential == credential.name)?;
        let caller = if table == declared.resource {
            id
        } else {
            let owners = &self.model.resource(table).owner;
            let (_, owner) = owners.iter().find(|(resource, _)| *resource == declared.resource)?;
            state.store.get(table, id)?.get(owner)?.as_id()?
        };
        let limited_by = if declared.limited_by == table { id } else { caller };
        Some(Caller {
            record: Some((declared.resource.clone(), caller)),
            limited_by,
            holder: Some((table.to_owned(), id)),
        })
    }

    /// Notes that the caller has used its credential.
    pub(crate) fn note_use(&self, state: &mut State, caller: &Caller, now: u64) {
        let Some((table, id)) = &caller.holder else { return };
        for field in &self.model.resource(table).fields {
            let Some(Origin::LastUse { seconds, .. }) = &field.origin else {
                continue;
            };
            let Some(record) = state.store.get(table, *id) else {
                continue;
            };
            let last = record
                .get(&field.name)
                .and_then(Value::as_text)
                .and_then(calendar::unix);
            if last.is_none_or(|last| now >= last + u64::from(*seconds) && now > last) {
                let mut record = record.clone();
                record.insert(field.name.clone(), Value::text(calendar::timestamp(now)));
                state.store.set(table, *id, Some(record));
            }
        }
    }

    /// A new secret, which no record holds. `holder` is the record that will.
    pub(crate) fn mint(&self, state: &mut State, credential: &str, holder: Option<(&str, &Record)>) -> String {
        let credential = self.model.credential(credential);
        let realm = holder.and_then(|(table, record)| self.realm_of_holder(state, credential, table, record));
        let prefix = credential.prefix_in(&realm.unwrap_or_default());
        if let Some(chosen) = self.chosen_secret(state, credential, prefix) {
            return chosen;
        }
        loop {
            let secret = random::secret(prefix, credential.random, || self.draw(state));
            if state.store.holder(&digest(&secret)).is_none() {
                return secret;
            }
        }
    }
}

impl Mock {
    /// The realm of the caller with the credential that a record holds, as the contract writes it.
    fn realm_of_holder(&self, state: &State, of: &Credential, table: &str, record: &Record) -> Option<String> {
        let caller = &of.caller.as_ref()?.resource;
        let realm = if caller == table {
            self.realm_of(state, table, record)
        } else {
            let mut owners = self.model.resource(table).owner.iter();
            let (_, field) = owners.find(|(resource, _)| resource == caller)?;
            self.realm_of(state, caller, state.store.get(caller, record.get(field)?.as_id()?)?)
        };
        realm.map(|realm| realm.written())
    }

    /// What distinguishes a caller by its realm.
    pub(crate) fn realm_of_caller<'c>(
        &self,
        state: &State,
        credential: &'c Credential,
        caller: &Caller,
    ) -> Option<&'c CredentialRealm> {
        let (resource, id) = caller.record.as_ref()?;
        let realm = self.realm_of(state, resource, state.store.get(resource, *id)?)?;
        credential.realm(&realm.written())
    }
}

/// Where the digests of all credentials are: in the field that the contract declares, or in one beside those.
pub(crate) fn digests(model: &Model) -> Vec<Digest> {
    let of_caller = model.credentials.iter().filter_map(|credential| {
        let table = credential.caller.as_ref()?.limited_by.clone();
        let mut fields = model.resource(&table).fields.iter();
        let field = fields.find(|field| field.origin == Some(Origin::Digest(credential.name.clone())));
        let field = field.map_or_else(|| format!("#{}", credential.name), |field| field.name.clone());
        let credential = credential.name.clone();
        Some(Digest {
            table,
            field,
            credential,
        })
    });
    of_caller.collect()
}

/// The digest of a secret.
pub(crate) fn digest(secret: &str) -> String {
    let digest = Sha256::digest(secret.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why a credential is rejected. Credentials without a caller may have any form.
pub(crate) fn problem(credential: &Credential, headers: &HeaderMap) -> &'static str {
    let values: Vec<_> = headers.get_all(&credential.header).iter().collect();
    let has_form = |text: &str| {
        let is_random = |(_, random): (&str, &str)| random.chars().all(|c| c.is_ascii_alphanumeric());
        credential.caller.is_none() || credential.split(text).is_some_and(is_random)
    };
    let is_in_authorization = || {
        let sent: Vec<_> = headers.get_all(header::AUTHORIZATION).iter().collect();
        let [only] = sent.as_slice() else { return false };
        let (scheme, token) = only.to_str().unwrap_or_default().split_once(' ').unwrap_or_default();
        let mut prefixes = credential.prefixes();
        let is_ours = credential.caller.is_none() || prefixes.any(|prefix| token.trim().starts_with(prefix));
        scheme.eq_ignore_ascii_case("bearer") && is_ours
    };
    match values.as_slice() {
        [] if is_in_authorization() => "missing: send what `Authorization` has there, without `Bearer`",
        [] => "missing",
        [value] if value.to_str().is_ok_and(has_form) => "not accepted",
        [_] => "malformed",
        _ => "sent more than once",
    }
}
