//! What the filters of a list compare, in a form that an index in memory can evaluate without knowing the fields.

use super::{Date, Id, Number, Timestamp};
use crate::text::Part;

/// A field of a record that filters compare.
pub struct Column<R: 'static> {
    /// Its name. A member of items is written `skills[].name`.
    pub field: &'static str,
    /// Whether a filter compares it alone. If not, it is only searched for words, together with others.
    pub is_alone: bool,
    /// Its value.
    pub values: Values<R>,
}

/// How the value of a field is read from a record. Texts have the form in which they are compared.
pub enum Values<R: 'static> {
    /// A text, or the name of an enum's value.
    Text(fn(&R) -> Option<String>),
    /// A list of texts.
    Texts(fn(&R) -> Vec<String>),
    /// `true` or `false`.
    Flag(fn(&R) -> Option<bool>),
    /// A number.
    Number(fn(&R) -> Option<Number>),
    /// A [`Whole`].
    Whole(fn(&R) -> Option<i64>),
}

/// A value that is no text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(Number),
    /// A [`Whole`].
    Whole(i64),
}

/// The value of a field of one record.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text.
    Text(Option<String>),
    /// A list of texts.
    Texts(Vec<String>),
    /// `true` or `false`.
    Flag(Option<bool>),
    /// A number.
    Number(Option<Number>),
    /// A [`Whole`].
    Whole(Option<i64>),
}

/// A condition that a query sets on records.
#[derive(Clone, Debug)]
pub enum Condition {
    /// The field is this text; of a list, one of its items is.
    Is(&'static str, String),
    /// The field has this part.
    Part(&'static str, Part),
    /// The field is this value.
    Equal(&'static str, Scalar),
    /// The field is at least this value.
    AtLeast(&'static str, Scalar),
    /// The field is at most this value.
    AtMost(&'static str, Scalar),
    /// Each of these words is in one of the fields.
    Words(&'static [&'static str], Vec<String>),
}

impl<R> Clone for Column<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Column<R> {}

impl<R> Clone for Values<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Values<R> {}

impl<R> Column<R> {
    /// The columns of several lists of the same records, each field once.
    pub fn union(lists: &[&[Self]]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for column in lists.iter().copied().flatten() {
            match all.iter_mut().find(|known| known.field == column.field) {
                Some(known) => known.is_alone |= column.is_alone,
                None => all.push(*column),
            }
        }
        all
    }

    /// The value of a record.
    pub fn cell(&self, record: &R) -> Cell {
        match self.values {
            Values::Text(value) => Cell::Text(value(record)),
            Values::Texts(values) => Cell::Texts(values(record)),
            Values::Flag(value) => Cell::Flag(value(record)),
            Values::Number(value) => Cell::Number(value(record)),
            Values::Whole(value) => Cell::Whole(value(record)),
        }
    }
}

/// A value that a whole number stands for: an id, or a time as its number of days or seconds.
pub trait Whole {
    /// The number, in the order of the values.
    fn whole(self) -> i64;
}

impl Whole for i64 {
    fn whole(self) -> i64 {
        self
    }
}

impl<R> Whole for Id<R> {
    fn whole(self) -> i64 {
        self.get()
    }
}

impl Whole for Timestamp {
    fn whole(self) -> i64 {
        self.unix()
    }
}

impl Whole for Date {
    fn whole(self) -> i64 {
        self.number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_several_lists_are_one_each() {
        let text = Values::Text(|record: &String| Some(record.clone()));
        let column = |field, is_alone| Column {
            field,
            is_alone,
            values: text,
        };
        let all = Column::union(&[
            &[column("a", true), column("b", false)],
            &[column("b", true), column("c", false)],
        ]);
        let all: Vec<_> = all.iter().map(|one| (one.field, one.is_alone)).collect();
        assert_eq!(all, [("a", true), ("b", true), ("c", false)]);
        assert_eq!(
            column("a", true).cell(&"x".to_owned()),
            Cell::Text(Some("x".to_owned()))
        );
    }

    #[test]
    fn dates_are_in_the_order_of_their_numbers() {
        let numbers = ["0001-01-01", "1969-12-31", "1970-01-01", "9999-12-31"];
        let numbers = numbers.map(|day| Date::parse(day).expect("a day").number());
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    }
}
