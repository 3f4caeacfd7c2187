//! Moves an item to another state.

use crate::attempt::Attempt;
use crate::lists::description::{Creator, Filter, Mover};
use crate::lists::rows::Row;
use crate::lists::values::dice;
use crate::value::word;
use crate::world::{Caller, RequestedResources};
use codegen::model::FilterBy;
use serde_json::json;

impl Mover {
    /// Moves an item: most items if a parameter filters by state, few if all listed items have one state.
    #[track_caller]
    pub(crate) fn move_on(
        &self,
        attempt: &Attempt,
        creator: &Creator,
        row: &mut Row,
        caller: &Caller,
        mut arranged: RequestedResources,
        number: usize,
    ) {
        let list = attempt.list();
        let about = |filter: &&Filter| filter.declared.field.field() == self.field;
        let is_fixed = list
            .filters()
            .iter()
            .filter(about)
            .any(|filter| matches!(filter.declared.by, FilterBy::Value(_)));
        let stays = if is_fixed {
            number % 4 != 1
        } else {
            dice(number, "stays").is_multiple_of(4)
        };
        if stays {
            return;
        }
        let way = &self.ways[dice(number, "way") % self.ways.len()];
        let moving = Attempt::new(attempt.world, self.operation);
        let is_same = self.operation.surface.credential == creator.operation.surface.credential;
        let caller = if is_same { caller.clone() } else { moving.fresh_caller() };
        arranged.0.retain(|(resource, _)| *resource != list.resource);
        arranged.0.push((list.resource, row.id));
        for state in way {
            let answer = moving.clone().with(self.member, word(state)).send(&caller, &arranged);
            answer.expect_success(&moving.siblings());
            row.record.insert(self.field.to_owned(), json!(state));
        }
    }
}
