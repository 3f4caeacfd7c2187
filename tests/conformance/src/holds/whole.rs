//! Requests that give all that they may, and what shows it: members that are seldom given are shown as they were, too.

use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::lists::values::{IN_ROWS, item, palette};
use crate::types::{Member, Type};
use crate::value::Value;

/// How many items a list has, where it may have so many.
const ITEMS: usize = 2;

impl Attempt {
    /// The operation shows what each of these has written when it was given all that it takes.
    #[track_caller]
    pub fn shows_all_that_can_be_written(self, writes: &[&'static Operation]) {
        for write in writes {
            self.anew(write).is_there_whole();
        }
    }

    /// All that can be given is there afterwards.
    #[track_caller]
    pub(crate) fn is_there_whole(&self) {
        let stage = self.stage(false);
        // Accepting looks for what was written.
        self.whole().accepted_on(&stage.caller, &stage.arranged);
    }

    /// The request with every member, and items in every list.
    fn whole(&self) -> Self {
        let moved = self.operation.transitions.as_ref().map(|moves| moves.member);
        let members = match self.operation.body {
            Some(Type::Object(members)) if self.has_made_body() => *members,
            _ => return self.clone(),
        };
        let given = members.iter().filter(|member| Some(member.name) != moved);
        given.fold(self.clone(), |attempt, member| {
            attempt.with(member.name, filled(member.of, 0, member.name))
        })
    }
}

/// A value with all that it may have in it.
fn filled(of: &Type, nth: usize, place: &str) -> Value {
    match of {
        Type::Object(members) => object(members, nth, place),
        Type::List { of, min, max, unique } => {
            let most = max.unwrap_or(ITEMS).min(palette(of, *unique).min(IN_ROWS));
            let count = ITEMS.min(most).max(*min);
            let items = (0..count).map(|index| filled(of, nth + index, place));
            Value::List(items.collect())
        }
        // Booleans are given as what they seldom are by themselves.
        Type::Boolean => item(of, nth, place, nth, None),
        _ => item(of, nth, place, nth + 1, None),
    }
}

fn object(members: &[Member], nth: usize, place: &str) -> Value {
    let given = members.iter().map(|member| {
        let place = format!("{place}.{}", member.name);
        (member.name.to_owned(), filled(member.of, nth, &place))
    });
    Value::Object(given.collect())
}
