//! The description of a list: its items, its filters, order and pages, and how items are made.

use crate::contract::Operation;
use crate::types::Type;

pub use codegen::model::Matching;

/// A list whose items can be made and distinguished.
#[derive(Debug)]
pub struct List {
    /// The resource of its items.
    pub resource: &'static str,
    /// The member of an item that shows its id.
    pub id: &'static str,
    /// The stored values in an item: the member's name and the source of its value.
    pub shows: &'static [(&'static str, Source)],
    /// Its order, with every key.
    pub order: &'static [SortKey],
    /// The conditions of its items; `None` if the handler decides.
    pub filters: Option<&'static [Filter]>,
    /// How an item is made; `None` if only the world can make one.
    pub creator: Option<Creator>,
}

/// A stored field, or a member of each of its items.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The field.
    pub field: &'static str,
    /// The member that is picked from each item.
    pub pick: Option<&'static str>,
}

impl Source {
    /// The source is this field.
    pub const fn of(field: &'static str) -> Self {
        Self { field, pick: None }
    }

    /// The source is this member of each item of the field.
    pub const fn each(field: &'static str, member: &'static str) -> Self {
        Self {
            field,
            pick: Some(member),
        }
    }
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
}

/// A condition on the items of a list.
#[derive(Debug)]
pub struct Filter {
    /// Its name in tests.
    pub name: &'static str,
    /// Its text in the contract.
    pub rule: &'static str,
    /// Its position in the contract.
    pub at: &'static str,
    /// The operand that the field is compared with.
    pub by: FilterBy,
    /// The field.
    pub source: Source,
    /// Whether items can exist that it excludes.
    pub is_tried: bool,
}

/// The operand of a [`Filter`].
#[derive(Clone, Copy, Debug)]
pub enum FilterBy {
    /// A query parameter. One without a value restricts nothing.
    Query(&'static str, Matching),
    /// The id in the path with this parameter.
    Path(&'static str),
    /// The caller's id.
    Caller,
    /// This JSON.
    Value(&'static str),
}

/// How a list is paged.
#[derive(Debug)]
pub struct Pages {
    /// The parameter with the largest number of items of a page.
    pub size: &'static str,
    /// The parameter with the number of items before a page.
    pub offset: Option<&'static str>,
    /// The parameter with the number of the page, from 1; never together with `offset`. With neither there is only the first
    /// page.
    pub number: Option<&'static str>,
    /// The member beside `data` that counts all items.
    pub total: Option<&'static str>,
    /// Its position in the contract.
    pub at: &'static str,
}

impl Pages {
    /// Whether there is only the first page.
    pub(crate) fn is_one(&self) -> bool {
        self.offset.is_none() && self.number.is_none()
    }

    /// The query for the page of this size after `from` items, which are whole pages.
    pub(crate) fn query(&self, size: i64, from: i64) -> Vec<(&'static str, String)> {
        let mut query = vec![(self.size, size.to_string())];
        query.extend(self.offset.map(|name| (name, from.to_string())));
        let number = from / size.max(1) + 1;
        query.extend(self.number.map(|name| (name, number.to_string())));
        query
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
    pub fields: &'static [(&'static str, Origin)],
    /// Whether two items may name the same resources: no rule of the operation can reject that.
    pub may_repeat: bool,
    /// How an item reaches another state, if one of the filters needs it.
    pub mover: Option<Mover>,
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

/// The operation that moves an item to another state.
#[derive(Debug)]
pub struct Mover {
    /// The operation.
    pub operation: &'static Operation,
    /// The member of its body that names the new state.
    pub member: &'static str,
    /// The field that holds the state.
    pub field: &'static str,
    /// The ways from the initial state to every other state.
    pub ways: &'static [&'static [&'static str]],
}
