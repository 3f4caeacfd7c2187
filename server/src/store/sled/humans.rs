//! The writes on workers, and the dictionary, which gives a skill the same id for all workers.

use contract::support::text::fold;
use contract::{Human, HumanId, NewHuman, NewHumanRest, NewSkill, Skill, SkillSeed};
use sled::IVec;

use super::transaction::{Abort, TransactionError, Tx};
use super::trees::Tree;
use crate::digest::Digest;
use crate::store::Absent;

/// A skill of the input, with its key in the dictionary.
pub(super) struct Named {
    key: Digest,
    name: String,
    category: String,
}

/// A worker to be created.
pub(super) struct Draft {
    human: NewHuman,
    skills: Vec<Named>,
}

impl Draft {
    /// Prepares the worker outside of the transaction.
    pub(super) fn new(mut human: NewHuman) -> Self {
        let skills = named(std::mem::take(&mut human.skills));
        Self { human, skills }
    }
}

/// Skills with their keys. All keys have the same length.
pub(super) fn named(skills: Vec<NewSkill>) -> Vec<Named> {
    let with_key = |NewSkill { name, category }| {
        let key = Digest::of_texts(&[&fold(&name), &fold(&category)]);
        Named { key, name, category }
    };
    skills.into_iter().map(with_key).collect()
}

/// Creates workers, in the given order.
pub(super) fn create<D>(tx: &mut Tx<'_>, drafts: &[Draft]) -> Result<Vec<HumanId>, Abort<D>> {
    let mut ids = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let id = tx.next_id::<Human>()?;
        let skills = with_ids(tx, &draft.skills)?;
        tx.create(&draft.human.clone().into_human(NewHumanRest { id, skills }))?;
        ids.push(id);
    }
    Ok(ids)
}

/// Changes a worker, except the id and the token.
pub(super) fn update(
    tx: &mut Tx<'_>,
    id: HumanId,
    skills: Option<&[Named]>,
    change: &impl Fn(&mut Human),
) -> Result<(), Abort<Absent>> {
    let mut human: Human = tx.get(id)?.ok_or(Abort::Rejected(Absent))?;
    let token_digest = human.token_digest.clone();
    change(&mut human);
    human.id = id;
    human.token_digest = token_digest;
    if let Some(skills) = skills {
        human.skills = with_ids(tx, skills)?;
    }
    Ok(tx.put(&human)?)
}

/// Replaces a worker's token.
pub(super) fn set_token(tx: &mut Tx<'_>, id: HumanId, digest: &Digest) -> Result<(), Abort<Absent>> {
    let mut human: Human = tx.get(id)?.ok_or(Abort::Rejected(Absent))?;
    human.token_digest = Some(digest.to_hex());
    Ok(tx.put(&human)?)
}

fn with_ids(tx: &mut Tx<'_>, skills: &[Named]) -> Result<Vec<Skill>, TransactionError> {
    skills
        .iter()
        .map(|skill| Ok(with_id(skill, skill_id(tx, skill)?)))
        .collect()
}

fn skill_id(tx: &mut Tx<'_>, skill: &Named) -> Result<i64, TransactionError> {
    if let Some(known) = tx.read(Tree::Skills, skill.key.bytes())? {
        let known: Result<Skill, _> = serde_json::from_slice(&known);
        return known
            .map(|known| known.id)
            .map_err(|error| TransactionError::Broken(format!("a skill: {error}")));
    }
    let id = tx.next(Tree::Skills)?;
    let value = serde_json::to_vec(&with_id(skill, id)).expect("skills have text keys");
    tx.write(Tree::Skills, skill.key.bytes(), Some(IVec::from(value)));
    Ok(id)
}

fn with_id(skill: &Named, id: i64) -> Skill {
    Skill::from(SkillSeed {
        id,
        name: skill.name.clone(),
        category: skill.category.clone(),
    })
}
