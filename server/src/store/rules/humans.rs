//! Workers, and the identity of skills.

use contract::support::text::fold;
use contract::{Human, HumanId, NewHuman, NewHumanRest, NewSkill, Skill, SkillSeed};

use crate::digest::Digest;
use crate::store::Absent;

/// A skill of the input. Skills with the same key have the same id, whichever worker has them.
pub(in crate::store) struct NamedSkill {
    /// The digest of the folded name and category.
    pub(in crate::store) key: Digest,
    name: String,
    category: String,
}

impl NamedSkill {
    /// The skill, with its id.
    pub(in crate::store) fn with_id(&self, id: i64) -> Skill {
        Skill::from(SkillSeed {
            id,
            name: self.name.clone(),
            category: self.category.clone(),
        })
    }
}

/// A worker to be created.
pub(in crate::store) struct Draft {
    human: NewHuman,
    sandbox: bool,
    /// The worker's skills.
    pub(in crate::store) skills: Vec<NamedSkill>,
}

impl Draft {
    /// Folds the names of the skills, which takes long: call it outside of the transaction.
    pub(in crate::store) fn new(mut human: NewHuman, sandbox: bool) -> Self {
        let skills = named(std::mem::take(&mut human.skills));
        Self { human, sandbox, skills }
    }
}

/// Skills with their keys.
pub(in crate::store) fn named(skills: Vec<NewSkill>) -> Vec<NamedSkill> {
    let with_key = |NewSkill { name, category }| {
        // Texts have no NUL, so other pairs have other digests.
        let key = Digest::from_secret(&format!("{}\0{}", fold(&name), fold(&category)));
        NamedSkill { key, name, category }
    };
    skills.into_iter().map(with_key).collect()
}

/// A new worker with these skills.
pub(in crate::store) fn create(id: HumanId, draft: &Draft, skills: Vec<Skill>) -> Human {
    let mut human = draft.human.clone().into_human(NewHumanRest { id, skills });
    human.sandbox = draft.sandbox;
    human
}

/// The worker after `change`, which affects neither the id, the token nor the realm. `skills`, if present, replace the skills.
pub(in crate::store) fn update(
    human: Option<Human>,
    skills: Option<Vec<Skill>>,
    change: impl Fn(&mut Human),
) -> Result<Human, Absent> {
    let mut human = human.ok_or(Absent)?;
    let (id, token_digest, sandbox) = (human.id, human.token_digest.clone(), human.sandbox);
    change(&mut human);
    (human.id, human.sandbox) = (id, sandbox);
    human.token_digest = token_digest;
    if let Some(skills) = skills {
        human.skills = skills;
    }
    Ok(human)
}

/// The worker with another token.
pub(in crate::store) fn set_token(human: Option<Human>, digest: &Digest) -> Result<Human, Absent> {
    let mut human = human.ok_or(Absent)?;
    human.token_digest = Some(digest.to_hex());
    Ok(human)
}
