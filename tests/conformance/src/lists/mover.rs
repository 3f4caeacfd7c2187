//! Moves an item to another state.

use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::lists::description::{Creator, Filter};
use crate::lists::rows::Row;
use crate::lists::values::dice;
use crate::world::{Caller, RequestedResources};
use codegen::model::FilterBy;
use serde_json::json;

impl Creator {
    /// Moves an item: most items if a parameter filters by state, few if all listed items have one state.
    #[track_caller]
    pub(crate) fn move_on(
        &self,
        attempt: &Attempt,
        mover: &'static Operation,
        row: &mut Row,
        caller: &Caller,
        mut arranged: RequestedResources,
        number: usize,
    ) {
        let list = attempt.list();
        let moving = Attempt::new(attempt.world, mover);
        let moves = moving.moves();
        let field = &moves.states.of.1;
        let about = |filter: &&Filter| filter.declared.field.field() == field;
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
        let ways = moves.ways().split_off(1);
        let way = &ways[dice(number, "way") % ways.len()];
        let is_same = mover.surface.credential == self.operation.surface.credential;
        let caller = if is_same { caller.clone() } else { moving.fresh_caller() };
        arranged.0.retain(|(resource, _)| *resource != list.resource);
        arranged.0.push((list.resource, row.id));
        for state in way {
            let answer = moving.clone().moving_to(state).send(&caller, &arranged);
            answer.expect_success(&moving.siblings());
            row.record.insert(field.clone(), json!(state));
        }
    }
}
