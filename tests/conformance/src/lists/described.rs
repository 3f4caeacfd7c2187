//! What the library is told of a list: what its rows are, which of them it shows, in which order and pages, and how they come
//! to be.

use crate::contract::Operation;
use crate::types::Type;

/// A list whose rows can be made and told apart.
#[derive(Debug)]
pub struct List {
    /// The resource of its rows.
    pub resource: &'static str,
    /// The member of a row that shows its id.
    pub id: &'static str,
    /// What rows show of what is stored: the member's name and where its value comes from.
    pub shows: &'static [(&'static str, Source)],
    /// Its order, every key.
    pub order: &'static [SortKey],
    /// What holds for each row that it shows; `None` where that is its handler's own matter.
    pub filters: Option<&'static [Filter]>,
    /// How a row is made; `None` where only the world can make one.
    pub creator: Option<Creator>,
}

/// A stored field, or a member of each of its items.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The field.
    pub field: &'static str,
    /// The member that is picked of each item.
    pub pick: Option<&'static str>,
}

impl Source {
    /// This field.
    pub const fn of(field: &'static str) -> Self {
        Self { field, pick: None }
    }

    /// This member of each item of the field.
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
    /// The member of a row that shows it, if one does.
    pub shown: Option<&'static str>,
    /// What it may be.
    pub of: &'static Type,
    /// Whether the greatest comes first.
    pub is_reversed: bool,
}

/// A condition on the rows that a list shows.
#[derive(Debug)]
pub struct Filter {
    /// As tests call it.
    pub name: &'static str,
    /// As it is written.
    pub rule: &'static str,
    /// Where it stands in the contract.
    pub at: &'static str,
    /// What the field is compared with.
    pub by: FilterBy,
    /// The field.
    pub source: Source,
}

/// What a [`Filter`] compares its field with.
#[derive(Clone, Copy, Debug)]
pub enum FilterBy {
    /// A query parameter. One without a value restricts nothing.
    Query(&'static str, Matching),
    /// The id that is in the path as this parameter.
    Path(&'static str),
    /// The id of whoever calls.
    Caller,
    /// This JSON.
    Value(&'static str),
}

/// When a field matches the value of a parameter. Of several values one must; null never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// It is that value.
    Equal,
    /// It is that value, or above it.
    AtLeast,
    /// It is that value, or below it.
    AtMost,
    /// The value is a part of it.
    Part,
    /// It is true where the value is; false restricts nothing.
    Implied,
}

/// How a list is paged.
#[derive(Debug)]
pub struct Pages {
    /// The parameter that says how many rows a page has at most.
    pub size: &'static str,
    /// The parameter that says how many rows stand before a page.
    pub offset: Option<&'static str>,
    /// The parameter that says which page it is, from 1; never beside `offset`. With neither there is only the first one.
    pub number: Option<&'static str>,
    /// The member beside `data` that counts all rows.
    pub total: Option<&'static str>,
    /// Where this stands in the contract.
    pub at: &'static str,
}

impl Pages {
    /// Whether there is no page but the first one.
    pub(crate) fn is_one(&self) -> bool {
        self.offset.is_none() && self.number.is_none()
    }

    /// What asks for the page of this size behind so many rows, which are whole pages.
    pub(crate) fn query(&self, size: i64, from: i64) -> Vec<(&'static str, String)> {
        let mut query = vec![(self.size, size.to_string())];
        query.extend(self.offset.map(|name| (name, from.to_string())));
        let number = from / size.max(1) + 1;
        query.extend(self.number.map(|name| (name, number.to_string())));
        query
    }
}

/// The operation that makes a row.
#[derive(Debug)]
pub struct Creator {
    /// The operation.
    pub operation: &'static Operation,
    /// The member of its `data` that is the new row's id.
    pub id: &'static str,
    /// What it makes of the fields, as far as the contract tells.
    pub fields: &'static [(&'static str, Origin)],
    /// Whether two rows may name the same resources: no rule of its own can reject that.
    pub may_repeat: bool,
    /// How a row comes into another state, where one of the filters asks for it.
    pub mover: Option<Mover>,
}

/// Where the value of a new row's field comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// It is the row's own id.
    Id,
    /// This member of the body; without it, this JSON.
    Member(&'static str, Option<&'static str>),
    /// The id of whoever calls.
    Caller,
    /// The id of the resource of this kind that the request names.
    Named(&'static str),
    /// It is always this JSON.
    Always(&'static str),
}

/// The operation that moves a row to another state.
#[derive(Debug)]
pub struct Mover {
    /// The operation.
    pub operation: &'static Operation,
    /// The member of its body that names the new state.
    pub member: &'static str,
    /// The field that holds the state.
    pub field: &'static str,
    /// How every state but the first is reached.
    pub ways: &'static [&'static [&'static str]],
}
