//! The dictionary of skills: one id for each, and what workers have is in it.

use std::collections::HashMap;

use contract::Skill;
use contract::support::text::fold;

use super::finding::{Finding, Hex};
use super::reading::Reading;
use crate::store::sled::record::decode;
use crate::store::sled::trees::Tree;

/// The skills of the dictionary.
pub(super) struct Skills(HashMap<i64, Skill>);

impl Skills {
    /// Whether the dictionary has this skill, be it in other letters. Whether it has it under the key that a search
    /// would look for is not asked: keys are made of folded names, and a later edition of Unicode may fold letters
    /// of which this one knows nothing. That must not keep a store from starting.
    pub(super) fn has(&self, skill: &Skill) -> bool {
        let same = |one: &str, other: &str| one == other || fold(one) == fold(other);
        self.0
            .get(&skill.id)
            .is_some_and(|known| same(&known.name, &skill.name) && same(&known.category, &skill.category))
    }
}

/// Reads the dictionary.
pub(super) fn skills(reading: &mut Reading<'_>) -> sled::Result<Skills> {
    let mut skills = HashMap::new();
    reading.entries(Tree::Skills, |reading, key, value| {
        match decode::<Skill>(&value) {
            Ok(skill) => {
                let id = skill.id;
                if skills.insert(id, skill).is_some() {
                    reading.findings.push(Finding::SameSkill { id });
                }
            }
            Err(misread) => {
                let of = format!("the skill {}", Hex(&key));
                reading.findings.push(Finding::misread(of, misread));
            }
        }
        Ok(())
    })?;
    let highest = skills.keys().max().copied().unwrap_or_default();
    reading.last_id(Tree::Skills, highest)?;
    Ok(Skills(skills))
}
