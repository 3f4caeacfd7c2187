//! `sort` of an endpoint: one order, or several of which the client chooses one.

use super::grammar::Form;
use super::read::wrong_form;
use super::reader::Reader;
use super::section::section;
use super::value::Value;
use super::values::{List, Map, SortKey, name};
use crate::span::Word;
use crate::yaml::{Node, Value as Tree};

section! {
    /// `sort` of an endpoint, if the client chooses the order.
    Orders = "`sort`" at "surfaces.NAME.endpoints.NAME.sort" with head;
    doc "Several orders of a list, of which the client chooses one. The parameter is an enum with their names: \
         `BookOrder` for a list of books. Lists of one resource have orders of the same names.";
    example "{ by: sort, orders: { newest: [id desc], title: [title asc] } }";
    keys {
        by: required(name::Parameter), example "sort",
            doc "The query parameter that chooses the order. It is declared here alone, not in `query`.",
            effect "A member of the request with the chosen order; the error response of an enum for an unknown one.";
        orders: required(Map<name::EnumValue, List<SortKey>>), example "{ newest: [id desc], title: [title asc, id asc] }",
            doc "The orders by name. The first one is the default.",
            effect "A function `order` that compares two records in the chosen order, for sorting in handlers; tests \
                    of each order, whole and in pages.";
    }
    aliases {
        "parameter" "name" "param" => "name the query parameter in `by`";
        "keys" "values" "options" => "declare the orders in `orders: { newest: [id desc] }`";
        "default" => "the first of `orders` is the default";
    }
}

/// The order of a list.
#[derive(Clone, Debug, Default)]
pub struct Sort {
    /// The keys of the only order.
    pub keys: Vec<Word>,
    /// Orders of which the client chooses one.
    pub chosen: Option<Orders>,
}

impl Sort {
    /// The keys of each order.
    pub fn orders(&self) -> impl Iterator<Item = &[Word]> {
        let chosen = self.chosen.iter().flat_map(|chosen| &chosen.orders);
        let chosen = chosen.map(|(_, keys)| keys.as_slice());
        std::iter::once(self.keys.as_slice())
            .filter(|keys| !keys.is_empty())
            .chain(chosen)
    }

    /// The keys of the order that a request without a choice gets.
    pub fn default_keys(&self) -> &[Word] {
        self.orders().next().unwrap_or_default()
    }

    /// The first word of it.
    pub fn first(&self) -> Option<&Word> {
        self.chosen.as_ref().map(|chosen| &chosen.by).or(self.keys.first())
    }
}

type Keys = List<SortKey>;

impl Value for Sort {
    const FORM: Form = Form::Either {
        expected: "a list of sort keys, or orders by name",
        of: &[
            Keys::FORM.with_example("[title asc, id desc]"),
            Form::Section(Orders::SECTION),
        ],
    };
    type Out = Self;

    fn read(node: &Node, form: &'static Form, reader: &mut Reader) -> Self {
        match &node.form {
            Tree::Absent => Sort::default(),
            Tree::List(_) => Sort {
                keys: Keys::read(node, form, reader),
                chosen: None,
            },
            Tree::Map(_) => Sort {
                keys: Vec::new(),
                chosen: Some(Orders::read(node, form, reader)),
            },
            _ => {
                wrong_form(node, form, reader);
                Sort::default()
            }
        }
    }
}

/// A sort key: a field, and whether the order descends.
#[derive(Clone, Debug)]
pub struct KeyParts {
    /// The field.
    pub field: Word,
    /// Whether the order descends.
    pub descends: bool,
    /// Where nulls are: first or last.
    pub nulls: Option<Nulls>,
}

/// Where nulls are in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nulls {
    /// Before all values.
    First,
    /// After all values.
    Last,
}

impl KeyParts {
    /// `title asc`, `until desc nulls last`. `None` if the words are something else.
    pub fn parse(key: &Word) -> Option<Self> {
        let words: Vec<&str> = key.text.split(' ').collect();
        let (field, direction, nulls) = match words.as_slice() {
            [field, direction] => (field, direction, None),
            [field, direction, "nulls", "first"] => (field, direction, Some(Nulls::First)),
            [field, direction, "nulls", "last"] => (field, direction, Some(Nulls::Last)),
            _ => return None,
        };
        let is_name = !field.contains(char::is_whitespace);
        (is_name && matches!(*direction, "asc" | "desc")).then(|| Self {
            field: key.part(field),
            descends: *direction == "desc",
            nulls,
        })
    }
}

/// The name of the enum with the names of orders.
pub fn enum_of_orders(resource: &str) -> String {
    format!("{resource}Order")
}
