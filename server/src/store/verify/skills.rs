//! The dictionary of skills: each skill has one id, and it has the skills of all workers. It may have others, which earlier
//! versions left behind.

use std::any::Any;
use std::collections::HashMap;

use codegen_store::verify::Name;
use codegen_store::{EngineError, Findings, Hex, decode};
use contract::support::text::fold;
use contract::{Human, Skill};

use crate::store::market::Verification;
use crate::store::tables;

/// The skills of the dictionary.
pub(super) struct Skills(HashMap<i64, Skill>);

impl Skills {
    /// Checks that the dictionary has the skills of a worker.
    pub(super) fn check(&self, record: &dyn Any, of: &Name, findings: &mut Findings) {
        let Some(worker) = record.downcast_ref::<Human>() else {
            return;
        };
        for skill in worker.skills.iter().filter(|skill| !self.has(skill)) {
            let (id, name) = (skill.id, &skill.name);
            findings.push(&format!("{of} has skill {id} as {name:?}, but `skills` does not"));
        }
    }

    /// Whether the dictionary has this skill, ignoring case. Does not check its key: keys are made of folded names,
    /// and a later version of Unicode may fold letters that this one does not know. That must not prevent a start.
    fn has(&self, skill: &Skill) -> bool {
        let same = |one: &str, other: &str| one == other || fold(one) == fold(other);
        self.0
            .get(&skill.id)
            .is_some_and(|known| same(&known.name, &skill.name) && same(&known.category, &skill.category))
    }
}

/// Reads the dictionary.
pub(super) fn skills(reading: &mut Verification<'_, '_>) -> Result<Skills, EngineError> {
    let mut skills = HashMap::new();
    reading.values(tables::SKILLS, |reading, key, value| match decode::<Skill>(&value) {
        Ok(skill) => {
            let id = skill.id;
            if skills.insert(id, skill).is_some() {
                reading.findings.push(&format!("two skills have the id {id}"));
            }
        }
        Err(misread) => {
            let of = format!("the skill {}", Hex(&key));
            reading.misread(of, misread);
        }
    })?;
    let highest = skills.keys().max().copied().unwrap_or_default();
    reading.last_id(tables::SKILLS, highest)?;
    Ok(Skills(skills))
}
