//! Values to change records to.

use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::lists::values::{IN_ROWS, item};
use crate::response_data::is_same;
use crate::types::{Type, named};
use crate::value::{Value, word};
use codegen::model::Effect;
use serde_json::Value as Json;

/// The member of a body that sets this stored field of a record that the operation finds.
pub(crate) fn changed_member(operation: &Operation, resource: &str, field: &str) -> Option<&'static str> {
    if let Some(moves) = &operation.transitions
        && moves.resource.name == resource
        && moves.states.of.1 == field
    {
        return Some(moves.member);
    }
    let changes = |effect: &Effect| matches!(effect, Effect::Change { resource: of, .. } if of == resource);
    operation.declared.effects.iter().find(|effect| changes(effect))?;
    named(operation.members(), field).map(|member| member.name)
}

impl Attempt {
    /// A body with this member: alone if it may be.
    pub(crate) fn giving(self, member: &str, value: Value) -> Self {
        self.without_others().with(member, value)
    }

    /// A body without the members that a partial one need not have.
    pub(crate) fn without_others(self) -> Self {
        match self.operation.is_partial() {
            true => self.emptied(),
            false => self,
        }
    }

    /// A text of the member that is one character shorter than its bound, which has tests of its own. `None` if it has no bound,
    /// or certain characters only.
    pub(crate) fn longest(&self, member: &str) -> Option<Value> {
        let Type::Text {
            min,
            max: Some(max),
            chars: None,
            ..
        } = named(self.operation.members(), member)?.of
        else {
            return None;
        };
        let room = usize::try_from(self.operation.declared.max_bytes / 2).ok()?;
        let length = (max - 1).min(room).max(*min).max(1);
        let text = "text ".chars().cycle().take(length - 1);
        Some(word(&text.chain(['.']).collect::<String>()))
    }

    /// How many values of the member to try: each word may have an effect of its own, and a list may be replaced or added to.
    pub(crate) fn values_to_try(&self, member: &str) -> usize {
        const WORDS: usize = 4;
        match named(self.operation.members(), member).map(|one| one.of) {
            Some(Type::Word(_) | Type::Boolean) => WORDS,
            Some(Type::List { .. }) => 2,
            _ => 1,
        }
    }

    /// A value that the member can be given after the last of these, and that is none of them.
    pub(crate) fn other_value(&self, member: &str, seen: &[Json]) -> Option<Value> {
        if let Some(moves) = self
            .operation
            .transitions
            .as_ref()
            .filter(|moves| moves.member == member)
        {
            let from = seen.last().and_then(Json::as_str).unwrap_or(&moves.states.initial);
            let mut words = moves.words.iter();
            let to = words.find(|to| !seen.contains(&Json::from(to.as_str())) && moves.may_become(from, to))?;
            return Some(word(to));
        }
        let of = named(self.operation.members(), member)?.of;
        let is_other = |value: &Value| !seen.iter().any(|one| is_same(&json_of(value), one));
        let value = |nth| item(of, nth, member, nth, None);
        let is_id = matches!(of, Type::Id(_));
        (0..2 * IN_ROWS).filter(|_| !is_id).map(value).find(is_other)
    }
}

/// The value as JSON; without ids of resources.
pub(crate) fn json_of(value: &Value) -> Json {
    serde_json::from_str(&value.render(&|_| "0".to_owned())).unwrap_or_default()
}
