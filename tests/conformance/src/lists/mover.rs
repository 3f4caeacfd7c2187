//! Moves an item to another state.

use crate::attempt::Attempt;
use crate::contract::Credential;
use crate::lists::description::{Creator, Filter, FilterBy, Mover};
use crate::lists::rows::Row;
use crate::lists::values::dice;
use crate::value::word;
use crate::world::{Caller, RequestedResources};
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
        let about = |filter: &&Filter| filter.source.field == self.field;
        let is_fixed = list
            .filters()
            .iter()
            .filter(about)
            .any(|filter| matches!(filter.by, FilterBy::Value(_)));
        let stays = if is_fixed {
            number % 4 != 1
        } else {
            dice(number, "stays").is_multiple_of(4)
        };
        if stays {
            return;
        }
        let way = self.ways[dice(number, "way") % self.ways.len()];
        let moving = Attempt::new(attempt.world, attempt.contract, self.operation);
        let name = |credential: Option<&'static Credential>| credential.map(|kind| kind.name);
        let is_same = name(self.operation.credential) == name(creator.operation.credential);
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
