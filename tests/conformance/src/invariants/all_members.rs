//! Requests with every possible member, and their visible effect: rarely given members must be shown, too.

use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::lists::values::{IN_ROWS, item, palette};
use crate::types::{Member, Type};
use crate::value::Value;

/// The number of items of a list, if it may have as many.
const ITEMS: usize = 2;

impl Attempt {
    /// After each of these writes with every possible member, the operation shows all of it.
    #[track_caller]
    pub fn shows_all_that_can_be_written(self, writes: &[&'static Operation]) {
        for write in writes {
            self.anew(write).is_there_whole();
        }
    }

    /// Every given member is visible afterwards.
    #[track_caller]
    pub(crate) fn is_there_whole(&self) {
        let stage = self.stage(false);
        // `accepted_on` also checks that the writes are visible.
        self.whole().accepted_on(&stage.caller, &stage.arranged);
    }

    /// The request with every member, and items in every list.
    fn whole(&self) -> Self {
        let moved = self.operation.transitions.as_ref().map(|moves| moves.member);
        let members = self.operation.members().iter().filter(|_| self.has_json_body());
        let values = members.filter(|member| Some(member.name) != moved);
        values.fold(self.clone(), |attempt, member| {
            attempt.with(member.name, value_of(member.of, 0, member.name))
        })
    }
}

/// A value with every possible part.
fn value_of(of: &Type, nth: usize, place: &str) -> Value {
    match of {
        Type::Object(members) => object(members, nth, place),
        Type::List { of, min, max, unique } => {
            let most = max.unwrap_or(ITEMS).min(palette(of, *unique).min(IN_ROWS));
            let count = of.most_items(*min, ITEMS.min(most));
            let items = (0..count).map(|index| value_of(of, nth + index, place));
            Value::List(items.collect())
        }
        // A boolean gets the value that is not its usual default.
        Type::Boolean => item(of, nth, place, nth, None),
        _ => item(of, nth, place, nth + 1, None),
    }
}

fn object(members: &[Member], nth: usize, place: &str) -> Value {
    let values = members.iter().map(|member| {
        let place = format!("{place}.{}", member.name);
        (member.name.to_owned(), value_of(member.of, nth, &place))
    });
    Value::Object(values.collect())
}
