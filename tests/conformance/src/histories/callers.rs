//! Who calls, and the records that the path names.

use super::call::Call;
use super::generate::Generator;
use super::ids::{self, unused};
use super::known::{Knowledge, Record};
use super::wish::{Called, Wish};
use codegen::model::{Exists, IdSource, Ids, RecordId, Surface};

/// Texts that are no ids, with `?` for an unused one. The first three are it in any reading.
const WRONG_IDS: [&str; 8] = ["abc", "?.0", "é", "0?", "+?", "-?", "9223372036854775808", "? "];

/// Ids of nothing. The first two are within the range of ids.
const UNUSED_IDS: [&str; 4] = ["?", "9007199254740991", "0", "9007199254740992"];

/// UUIDs of nothing: also those that are reserved (RFC 9562).
const UNUSED_UUIDS: [&str; 4] = [
    "?",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "FFFFFFFF-FFFF-1FFF-BFFF-FFFFFFFFFFF0",
];

impl<'m> Generator<'m> {
    /// A caller, mostly one of the first ones.
    pub(super) fn caller(&mut self, call: &mut Call<'m>, known: &Knowledge<'m>, surface: &Surface, wish: &Wish) {
        let Some(credential) = self.model.credential_of(surface) else {
            return;
        };
        let all = || {
            known
                .credentials
                .iter()
                .enumerate()
                .filter(|(_, one)| one.kind == credential.name)
        };
        let living: Vec<usize> = all()
            .filter(|(_, one)| one.can_call(self.now))
            .map(|(index, _)| index)
            .collect();
        if wish.is_valid {
            let is_wanted = |index: &&usize| wish.caller.is_none_or(|id| known.credentials[**index].caller == id);
            let mut wanted: Vec<usize> = living.iter().filter(is_wanted).copied().collect();
            if wanted.is_empty() {
                let resting = all().filter(|(_, one)| !one.has_ended).map(|(index, _)| index);
                wanted = resting.filter(|index| is_wanted(&index)).collect();
            }
            let few = &wanted[..wanted.len().min(3)];
            let among = if self.random.percent(50) { few } else { &wanted };
            call.credential = self.random.of(among).copied();
            return;
        }
        let ended: Vec<usize> = all().filter(|(_, one)| one.has_ended).map(|(index, _)| index).collect();
        let among = match self.random.below(100) {
            0 => &[][..],
            1..4 if !ended.is_empty() => &ended,
            4..60 => &living[..living.len().min(3)],
            _ => &living,
        };
        call.credential = self.random.of(among).copied();
        if call.credential.is_none() || self.random.percent(1) {
            let wrong = self.random.word(&["", "x", "0000000000000000000000000000000000000000"]);
            if self.random.percent(70) {
                call.other_secret = Some((credential.header.clone(), wrong.to_owned()));
            }
        }
    }

    /// The values of the path's parameters, mostly ids of records that the guards accept.
    pub(super) fn path(
        &mut self,
        call: &mut Call<'m>,
        known: &Knowledge<'m>,
        (surface, operation): Called<'m>,
        caller: Option<RecordId>,
        wish: &Wish,
    ) {
        let acting = self
            .model
            .credential_of(surface)
            .and_then(|credential| credential.caller.as_ref());
        for parameter in &operation.path {
            let from_path = IdSource::Path(parameter.name.clone());
            let Some(guard) = operation.exists().find(|guard| guard.id == from_path) else {
                let unused = ids::unused_of(self.model, parameter);
                call.path.push((&parameter.name, unused.to_string()));
                continue;
            };
            let resource = self.model.resource(&guard.resource);
            let parent = guard.parent.as_ref().and_then(|(parent, field)| {
                let of_parent = operation.exists().find(|guard| guard.resource == *parent)?;
                let IdSource::Path(name) = &of_parent.id else {
                    return None;
                };
                let sent = call.path.iter().find(|(known, _)| known == name)?;
                Some((field, ids::of_text(&sent.1)?))
            });
            let owner = acting.and_then(|acting| resource.owner.iter().find(|(owner, _)| *owner == acting.resource));
            if let Some(id) = wish.record(&guard.resource) {
                call.path.push((&parameter.name, id.to_string()));
                continue;
            }
            let prefers_own = wish.is_valid || self.random.percent(80);
            let prefers_child = wish.is_valid || self.random.percent(92);
            let fits = |record: &&Record| {
                let is_own = owner.is_none_or(|(_, field)| (record.link(field) == caller) != wish.is_of_others);
                let is_child = parent.is_none_or(|(field, id)| record.link(field) == Some(id));
                (is_own || !prefers_own) && (is_child || !prefers_child)
            };
            let all = known.records(&guard.resource);
            // A parent without such a record leads nowhere: one that has some is preferred.
            let children = operation.exists().filter_map(|child| match &child.parent {
                Some((of, field)) if *of == guard.resource => Some((&child.resource, field)),
                _ => None,
            });
            let children: Vec<_> = children.collect();
            let has_children = |record: &&Record| {
                children.iter().all(|(child, field)| {
                    known
                        .records(child)
                        .iter()
                        .any(|one| one.link(field) == Some(record.id))
                })
            };
            let fitting: Vec<RecordId> = all
                .iter()
                .filter(fits)
                .filter(has_children)
                .map(|record| record.id)
                .collect();
            // A quota is reached sooner if it is always the same one's.
            let quota = operation.quotas.iter().map(|quota| self.model.quota(quota));
            let is_counted = quota.clone().any(|quota| quota.per == guard.resource);
            let nothing = unused(resource.ids);
            let unused = nothing.to_string();
            let is_strict = self.style.is_strict;
            let any = if wish.is_valid { 100 } else { self.random.below(100) };
            let text = match any {
                0 => self
                    .random
                    .word(if is_strict { &WRONG_IDS } else { &WRONG_IDS[..3] })
                    .replace('?', &unused),
                1 => self
                    .random
                    .word(match resource.ids {
                        Ids::Numbers if is_strict => &UNUSED_IDS,
                        Ids::Numbers => &UNUSED_IDS[..2],
                        Ids::UuidV4 | Ids::UuidV7 => &UNUSED_UUIDS,
                    })
                    .replace('?', &unused),
                2 => self
                    .random
                    .of(known.ended(&guard.resource))
                    .copied()
                    .unwrap_or(nothing)
                    .to_string(),
                3..8 => self.random.of(all).map_or(nothing, |record| record.id).to_string(),
                8..50 if is_counted => fitting.first().copied().unwrap_or(nothing).to_string(),
                _ => self.random.recent(&fitting).copied().unwrap_or(nothing).to_string(),
            };
            // Upper and lower case are alike.
            let is_shouted = resource.ids.format().is_some() && self.random.percent(10);
            let text = if is_shouted { text.to_uppercase() } else { text };
            call.path.push((&parameter.name, text));
        }
    }

    /// The wish with records that the caller owns, mostly, where the body names some that it must own. Without one, a valid body
    /// lacks an id that it may lack.
    pub(super) fn with_own_records(&mut self, call: &Call<'m>, known: &Knowledge<'m>, wish: &Wish) -> Wish {
        let mut wish = wish.clone();
        let caller = call.credential.map(|index| known.credentials[index].caller);
        let Some((surface, operation)) = call.operation else {
            return wish;
        };
        let is_owned = |guard: &&Exists| {
            let is_in_body = matches!(guard.id, IdSource::Body(_));
            is_in_body && operation.claims(&guard.resource)
        };
        for guard in operation.exists().filter(is_owned) {
            let resource = self.model.resource(&guard.resource);
            let owner = self.model.owner_field(surface, resource);
            let Some(field) = owner.filter(|_| wish.record(&resource.name).is_none()) else {
                continue;
            };
            if wish.is_valid || self.random.percent(70) {
                let is_meant = |record: &&Record| (record.link(field) == caller) != wish.is_of_others;
                let all = known.records(&resource.name).iter().filter(is_meant);
                let all: Vec<RecordId> = all.map(|record| record.id).collect();
                match self.random.recent(&all) {
                    Some(id) => wish.records.push((resource.name.clone(), *id)),
                    None if guard.is_optional => wish.absent.push(guard.id.name().to_owned()),
                    None => {}
                }
            }
        }
        wish
    }
}
