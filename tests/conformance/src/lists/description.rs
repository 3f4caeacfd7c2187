//! The description of a list: its items, its filters, order and pages, and how items are made.

use crate::contract::Operation;
use crate::types::Type;
use codegen::model::{self, FilterBy, Kind, Nulls, Source};
use serde_json::Value as Json;

/// A list whose items can be made and distinguished.
#[derive(Debug)]
pub struct List {
    /// The resource of its items.
    pub resource: &'static str,
    /// The member of an item that shows its id.
    pub id: &'static str,
    /// The stored values in an item: the member's name and the source of its value.
    pub shows: Vec<(&'static str, &'static Source)>,
    /// The conditions of its items; `None` if the handler decides.
    pub filters: Option<Vec<Filter>>,
    /// How an item is made; `None` if only the world can make one.
    pub creator: Option<Creator>,
}

/// A key of an order.
#[derive(Debug)]
pub struct SortKey {
    /// The stored field.
    pub field: &'static str,
    /// The member of an item that shows it, if one does.
    pub view_member: Option<&'static str>,
    /// Its type.
    pub of: &'static Type,
    /// Whether the order is descending.
    pub is_reversed: bool,
    /// Where nulls are, if the field can be null.
    pub nulls: Option<Nulls>,
}

/// A key of an order that the items show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShownKey {
    /// The member of an item.
    pub(crate) member: &'static str,
    /// Its type.
    pub(crate) of: &'static Type,
    /// Whether the order is descending.
    pub(crate) is_reversed: bool,
    /// Where nulls are.
    pub(crate) nulls: Option<Nulls>,
}

/// The keys of an order up to the first one that the items do not show.
pub(crate) fn shown(order: &[SortKey]) -> Vec<ShownKey> {
    let keys = order.iter().map_while(|key| {
        Some(ShownKey {
            member: key.view_member?,
            of: key.of,
            is_reversed: key.is_reversed,
            nulls: key.nulls,
        })
    });
    keys.collect()
}

/// A condition on the items of a list.
#[derive(Debug)]
pub struct Filter {
    /// Its name in tests.
    pub name: &'static str,
    /// As the contract declares it.
    pub declared: &'static model::Filter,
    /// Texts that mean the same to it, in groups.
    pub synonyms: &'static [Vec<String>],
    /// Whether items can exist that it excludes.
    pub is_tried: bool,
}

impl Filter {
    /// The fixed value that the field has in all items, if the filter is that.
    pub(crate) fn value(&self) -> Option<Json> {
        match (&self.declared.by, &self.declared.of.kind) {
            (FilterBy::Value(word), Kind::Enum(_)) => Some(word.as_str().into()),
            (FilterBy::Value(json), _) => serde_json::from_str(json).ok(),
            _ => None,
        }
    }
}

/// The operation that makes an item.
#[derive(Debug)]
pub struct Creator {
    /// The operation.
    pub operation: &'static Operation,
    /// The member of its `data` that is the new item's id.
    pub id: &'static str,
    /// The origins of the fields, as far as the contract states them.
    pub fields: Vec<(&'static str, Origin)>,
    /// Whether two items may name the same resources: no rule of the operation can reject that.
    pub may_repeat: bool,
    /// The operation that moves an item to another state, if one of the filters needs it.
    pub mover: Option<&'static Operation>,
}

/// The origin of a new item's field.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// The item's own id.
    Id,
    /// This member of the body; without it, this JSON.
    Member(&'static str, Option<&'static str>),
    /// The caller's id.
    Caller,
    /// The id of the named resource of this kind.
    Named(&'static str),
    /// Always this JSON.
    Always(&'static str),
}
