//! The dictionary of skills: an entry with the id of each skill that a worker has. The write that takes a skill from its last
//! worker removes the entry, so the skill gets a new id when it returns.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Bound;

use codegen_store::kind::{Column, read, remove_entry};
use codegen_store::{Abort, Bytes, Engine, Job, StoreError, StoreResult, TransactionError, decode, job, scan};
use contract::support::Key;
use contract::support::text::fold;
use contract::{NewSkill, Skill, SkillSeed};

use super::market::{Kind, Market, Tx};
use super::mirror::Mirror;
use super::tables;
use crate::digest::Digest;

/// Their kind.
pub(crate) const SKILLS: Kind = Kind {
    tree: tables::SKILLS,
    noun: "skill",
    text: None,
    key: &[&[Column::Bytes("digest")]],
    comes_last: false,
    is_numbered: true,
    line: |_, value| Some(Cow::Borrowed(value)),
    enter: |tx, _, json, _| {
        let Skill { name, category, .. } = read(json)?;
        for skill in named(vec![NewSkill { name, category }]) {
            tx.write(tables::SKILLS, skill.key.bytes(), Some(json.get().as_bytes().into()));
        }
        Ok(())
    },
    remove: Some(remove_entry),
};

/// A skill of the input. Skills with the same key have the same id, whichever worker has them.
pub(crate) struct NamedSkill {
    /// The digest of the folded name and category.
    pub(super) key: Digest,
    name: String,
    category: String,
}

impl NamedSkill {
    /// The skill, with its id.
    pub(super) fn with_id(&self, id: i64) -> Skill {
        Skill::from(SkillSeed {
            id,
            name: self.name.clone(),
            category: self.category.clone(),
        })
    }
}

/// Skills with their keys.
pub(crate) fn named(skills: Vec<NewSkill>) -> Vec<NamedSkill> {
    let with_key = |NewSkill { name, category }| {
        // Texts have no NUL, so other pairs have other digests.
        let key = Digest::from_secret(&format!("{}\0{}", fold(&name), fold(&category)));
        NamedSkill { key, name, category }
    };
    skills.into_iter().map(with_key).collect()
}

/// Skills with their ids. One that the dictionary lacks gets a new id.
pub(crate) fn with_ids(tx: &mut Tx<'_>, skills: &[NamedSkill]) -> Result<Vec<Skill>, TransactionError> {
    let with_id = |skill: &NamedSkill| {
        if let Some(id) = id_at(tx, skill.key.bytes())? {
            return Ok(skill.with_id(id));
        }
        let skill_with_id = skill.with_id(tx.next(tables::SKILLS)?);
        let value = serde_json::to_vec(&skill_with_id).expect("skills have text keys");
        tx.write(tables::SKILLS, skill.key.bytes(), Some(Bytes::from(value)));
        Ok(skill_with_id)
    };
    skills.iter().map(with_id).collect()
}

/// A worker who had the skills `former` has the skills `now`. Those that no worker has any more are removed.
pub(crate) fn replaced(tx: &mut Tx<'_>, former: &[Skill], now: &[Skill]) -> Result<(), TransactionError> {
    let by_id = |skills: &'_ [Skill]| -> BTreeMap<i64, NewSkill> {
        let skills = skills.iter().map(|skill| {
            let (name, category) = (skill.name.clone(), skill.category.clone());
            (skill.id, NewSkill { name, category })
        });
        skills.collect()
    };
    let (former, now) = (by_id(former), by_id(now));
    for id in now.keys().filter(|id| !former.contains_key(id)) {
        users(tx, *id, 1)?;
    }
    for (id, skill) in former.into_iter().filter(|(id, _)| !now.contains_key(id)) {
        if users(tx, id, -1)? == 0 {
            for NamedSkill { key, .. } in named(vec![skill]) {
                remove(tx, key.bytes(), id)?;
            }
        }
    }
    Ok(())
}

/// `more` workers have this skill. Returns how many have it now.
fn users(tx: &mut Tx<'_>, id: i64, more: i64) -> Result<i64, TransactionError> {
    let beyond = tx.count_beyond_view(id.bytes(), more);
    Ok(tx.view()?.skill_users(id) + beyond)
}

/// Removes the entry of a skill, unless another skill has this key: a version of Unicode may fold the name in another way than
/// the one before. An entry that stays for this reason is removed after the next start.
fn remove(tx: &mut Tx<'_>, key: &[u8], id: i64) -> Result<(), TransactionError> {
    if tx.has_latest_layout() && id_at(tx, key)? == Some(id) {
        tx.write(tables::SKILLS, key, None);
    }
    Ok(())
}

/// The id in the entry with this key.
fn id_at(tx: &Tx<'_>, key: &[u8]) -> Result<Option<i64>, TransactionError> {
    let known = tx.read(tables::SKILLS, key)?;
    let known = known.map(|known| decode::<Skill>(&known)).transpose();
    let known = known.map_err(|misread| TransactionError::Broken(format!("a skill: {misread}")))?;
    Ok(known.map(|known| known.id))
}

/// How many unused entries are removed with a group of writes.
const AT_ONCE: usize = 1_000;

/// The entries of skills that no worker has, with their ids. Earlier versions left them behind. They are removed with the next
/// writes: a start writes nothing. All records are in the mirror.
pub(super) fn unused(engine: &dyn Engine, mirror: &Mirror) -> StoreResult<Vec<(Bytes, i64)>> {
    let mut unused = Vec::new();
    for entry in scan(engine, tables::SKILLS, (Bound::Unbounded, Bound::Unbounded), 256) {
        let (key, value) = entry?;
        let skill: Skill = decode(&value).map_err(StoreError::damaged)?;
        if mirror.skill_users(skill.id) == 0 {
            unused.push((key, skill.id));
        }
    }
    Ok(unused)
}

/// A write that removes the next ones which still have no worker. `None` if there are none.
pub(super) fn removal(unused: &[(Bytes, i64)]) -> Option<Box<dyn Job<Market>>> {
    let next = unused[rest(unused)..].to_vec();
    let remove_all = move |tx: &mut Tx<'_>| {
        for (key, id) in &next {
            if users(tx, *id, 0)? == 0 {
                remove(tx, key, *id)?;
            }
        }
        Ok::<_, Abort<Infallible>>(())
    };
    (!unused.is_empty()).then(|| job(None, remove_all).0)
}

/// The last removal was committed.
pub(super) fn removed(unused: &mut Vec<(Bytes, i64)>) {
    unused.truncate(rest(unused));
}

/// How many there are beside the next ones.
fn rest(unused: &[(Bytes, i64)]) -> usize {
    unused.len().saturating_sub(AT_ONCE)
}
