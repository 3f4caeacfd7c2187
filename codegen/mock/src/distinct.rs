//! Records that are the distinct items of a list of other records.

use crate::exchange::Exchange;
use crate::mock::{Mock, State};
use crate::value::Value;
use codegen::model::{Distinct, Resource};

impl Mock {
    /// The numbers of the items that some record has which the caller sees.
    pub(crate) fn items_seen(&self, state: &State, exchange: &Exchange, distinct: &Distinct) -> Vec<i64> {
        let Distinct { resource, list, .. } = distinct;
        let mut numbers = state.store.referred(resource, list);
        numbers.retain(|number| {
            let mut with_item = state.store.referring(resource, list, *number);
            with_item.any(|id| self.is_seen(state, exchange, resource, id))
        });
        numbers
    }

    /// A field of the item with this number: of its spellings, the one that comes first by code points.
    pub(crate) fn spelling(&self, state: &State, resource: &Resource, number: i64, field: &str) -> Value {
        let distinct = resource.distinct.as_ref();
        let texts = distinct.and_then(|of| state.store.spelling(&of.resource, &of.list, number));
        let place = resource.item_members().position(|member| member.name == field);
        let text = texts.zip(place).and_then(|(texts, place)| texts.get(place));
        text.map_or(Value::Null, Value::text)
    }
}
