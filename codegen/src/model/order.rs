//! Orders of lists.

use super::Nulls;
use std::fmt;

/// A key of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The field of the listed resource.
    pub field: String,
    /// Whether the order descends.
    pub descends: bool,
    /// Where nulls are, if the field can be null.
    pub nulls: Option<Nulls>,
}

/// Orders of a list, of which the client chooses one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// The query parameter, an enum with the names of the orders.
    pub by: String,
    /// The orders. The first one is the default.
    pub all: Vec<Order>,
}

/// One of several orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its name.
    pub name: String,
    /// Its keys, the most significant first.
    pub keys: Vec<SortKey>,
}

impl SortKey {
    /// A key of a field that is never null.
    pub fn new(field: &str, descends: bool) -> Self {
        Self {
            field: field.to_owned(),
            descends,
            nulls: None,
        }
    }

    /// Whether nulls are not where comparing optional values puts them: before all values, or after them if the order descends.
    pub fn moves_nulls(&self) -> bool {
        match self.nulls {
            Some(Nulls::First) => self.descends,
            Some(Nulls::Last) => !self.descends,
            None => false,
        }
    }

    /// The key in the opposite order.
    pub fn opposite(&self) -> Self {
        let nulls = self.nulls.map(|nulls| match nulls {
            Nulls::First => Nulls::Last,
            Nulls::Last => Nulls::First,
        });
        Self {
            field: self.field.clone(),
            descends: !self.descends,
            nulls,
        }
    }

    /// The key in words: `` `deadline` ascending, nulls last ``.
    pub fn in_words(&self) -> String {
        let direction = if self.descends { "descending" } else { "ascending" };
        format!("`{}` {direction}{}", self.field, nulls(self.nulls, ", "))
    }
}

/// As in a contract: `deadline asc nulls last`.
impl fmt::Display for SortKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.descends { "desc" } else { "asc" };
        write!(f, "{} {direction}{}", self.field, nulls(self.nulls, " "))
    }
}

/// The keys of an order, with the id that decides at last.
pub fn with_id(mut keys: Vec<SortKey>) -> Vec<SortKey> {
    if keys.iter().all(|key| key.field != "id") {
        keys.push(SortKey::new("id", false));
    }
    keys
}

/// `nulls first` or `nulls last` behind `before`, if it is stated where they are.
pub(super) fn nulls(nulls: Option<Nulls>, before: &str) -> String {
    match nulls {
        Some(Nulls::First) => format!("{before}nulls first"),
        Some(Nulls::Last) => format!("{before}nulls last"),
        None => String::new(),
    }
}
