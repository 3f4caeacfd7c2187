//! Records that are the distinct items of a list of other records.

use crate::exchange::Exchange;
use crate::mock::{Mock, State};
use crate::value::Value;
use codegen::model::{Distinct, RecordId, Resource};
use std::collections::BTreeSet;

impl Mock {
    /// The numbers of the items that some record has which the caller sees.
    pub(crate) fn items_seen(&self, state: &State, exchange: &Exchange, distinct: &Distinct) -> Vec<RecordId> {
        let Distinct { resource, list, .. } = distinct;
        let mut numbers = state.store.referred(resource, list);
        numbers.retain(|number| {
            let mut with_item = state.store.referring(resource, list, *number);
            with_item.any(|id| self.is_seen(state, exchange, resource, id))
        });
        numbers
    }

    /// How many distinct items of the list in the body no record has.
    pub(crate) fn new_items(&self, state: &State, exchange: &Exchange, distinct: &Distinct) -> u64 {
        let Distinct { resource, list, .. } = distinct;
        let fields = &self.model.resource(resource).fields;
        let of = fields.iter().find(|field| field.name == *list).map(|field| &field.of);
        let items = exchange.input.member(list).map(Value::items).unwrap_or_default();
        let keys = of
            .into_iter()
            .flat_map(|of| items.iter().filter_map(|item| self.key_of_item(of, item)));
        let keys: BTreeSet<String> = keys.collect();
        let is_new = |key: &&String| match state.store.holder(key) {
            Some((_, number, _)) => state.store.referring(resource, list, number).next().is_none(),
            None => true,
        };
        keys.iter().filter(is_new).count() as u64
    }

    /// A field of the item with this number: of its spellings, the one that comes first by code points.
    pub(crate) fn spelling(&self, state: &State, resource: &Resource, number: RecordId, field: &str) -> Value {
        let distinct = resource.distinct.as_ref();
        let texts = distinct.and_then(|of| state.store.spelling(&of.resource, &of.list, number));
        let place = resource.item_members().position(|member| member.name == field);
        let text = texts.zip(place).and_then(|(texts, place)| texts.get(place));
        text.map_or(Value::Null, Value::text)
    }
}
