//! What the answer to an accepted request must show beside its shape: pages of the right length, and lists in order.

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::lists::description::{ShownKey, SortKey, shown};
use crate::types::{Member, Type};
use codegen::model::{Nulls, Word};
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::collections::HashSet;

impl Attempt {
    /// The length of a page follows from its size, the total, and the number of items before it.
    #[track_caller]
    pub(crate) fn expect_page(&self, answer: &Answer) {
        let Some(pages) = &self.operation.declared.pages else {
            return;
        };
        let Some(size) = self.number(&pages.size) else { return };
        let data = answer.data();
        let Some(rows) = data.as_array().and_then(|rows| i64::try_from(rows.len()).ok()) else {
            return;
        };
        let total = pages.total.as_ref().and_then(|name| answer.total(name).as_i64());
        let number = |name: &Option<Word>| self.number(name.as_ref()?);
        let (offset, number) = (number(&pages.offset), number(&pages.number).unwrap_or(1));
        let before = offset.unwrap_or_else(|| number.saturating_sub(1).saturating_mul(size));
        let wanted = total.map(|total| total.saturating_sub(before).clamp(0, size));
        if rows > size || wanted.is_some_and(|wanted| wanted != rows) {
            answer.fail(
                &format!(
                    "a page of the right length, by `pages` ({})",
                    self.operation.contract.at(pages.at)
                ),
                &format!(
                    "it has {rows} rows; a page holds {size}, and this one begins behind {before}{}",
                    total.map_or(String::new(), |total| format!(" of the {total} that it tells of"))
                ),
            );
        }
    }

    /// No item is shown twice; without pages, the total is the number of shown items.
    #[track_caller]
    pub(crate) fn expect_rows_once(&self, answer: &Answer) {
        let (Some(list), data) = (self.operation.list(), answer.data()) else {
            return;
        };
        let rows = data.as_array().map_or(&[][..], Vec::as_slice);
        let mut ids = HashSet::new();
        let again = rows
            .iter()
            .find(|row| row[list.id].is_i64() && !ids.insert(row[list.id].as_i64()));
        if let Some(row) = again {
            answer.fail("each row once", &format!("{} comes twice", row[list.id]));
        }
        let is_total = |name: &&String| self.operation.query(name).is_none();
        let siblings = self.operation.declared.siblings.iter().find(is_total);
        let total = siblings.map(String::as_str);
        let total = total.or(self.operation.declared.total_header().map(|_| "total"));
        if let (Some(total), None) = (total, &self.operation.declared.pages) {
            let returned = answer.total(total);
            if returned.as_u64() != Some(rows.len() as u64) {
                answer.fail(
                    &format!("`{total}` as {}, since there are no pages", rows.len()),
                    &format!("it is {returned}"),
                );
            }
        }
    }

    /// A member of the answer with the name of a member of the body has the given value or the default.
    #[track_caller]
    pub(crate) fn expect_sent_values(&self, answer: &Answer) {
        let Some(data) = self.operation.data else { return };
        for member in self.operation.members().iter().filter(|_| self.has_json_body()) {
            let returned = data.member(member.name);
            if returned.is_none_or(|returned| returned.of != member.of) {
                continue;
            }
            let sent = answer.sent(member.name).filter(|sent| !sent.is_null());
            let default = || serde_json::from_str(member.default?).ok();
            let Some(wanted) = sent.or_else(default) else {
                continue;
            };
            let returned = &answer.data()[member.name];
            if !is_same(returned, &as_shown(wanted.clone(), member.of)) {
                let wanted = format!("`{}` as it was given: {wanted}", member.name);
                answer.fail(&wanted, &format!("it is {returned}"));
            }
        }
    }

    /// Items come in the order that the request chooses.
    #[track_caller]
    pub(crate) fn expect_order(&self, answer: &Answer) {
        let sent = |name: &str| {
            let mut sent = self.query.iter();
            sent.find(|(known, _)| known == name).map(|(_, text)| text.clone())
        };
        let (data, sort) = (answer.data(), shown(self.operation.order_by(sent)));
        let Some(rows) = data.as_array().filter(|_| !sort.is_empty()) else {
            return;
        };
        for pair in rows.windows(2) {
            if ordered(&sort, &pair[0], &pair[1]) == Ordering::Greater {
                let keys: Vec<String> = self.operation.order_by(sent).iter().map(SortKey::render).collect();
                answer.fail(
                    &format!("the order {}", keys.join(", ")),
                    &format!("{} before {}", pair[0], pair[1]),
                );
            }
        }
    }
}

/// How a value that was given is shown: with the defaults of members that were not given, and texts of a format in their canonical
/// form.
pub(crate) fn as_shown(value: Json, of: &Type) -> Json {
    match (value, of) {
        (Json::Array(items), Type::List { of, .. }) => {
            Json::Array(items.into_iter().map(|item| as_shown(item, of)).collect())
        }
        (Json::Object(mut sent), Type::Object(members)) => {
            let complete = |member: &Member| {
                let value = sent.remove(member.name).filter(|value| !value.is_null());
                let otherwise = || serde_json::from_str(member.default.unwrap_or("null")).expect("defaults are JSON");
                let value = value.map_or_else(otherwise, |value| as_shown(value, member.of));
                (member.name.to_owned(), value)
            };
            Json::Object(members.iter().map(complete).collect())
        }
        (Json::String(text), Type::Format(format)) => {
            let shown = format.edges.iter().find(|(sent, _)| *sent == text);
            shown.map_or(text.as_str(), |(_, shown)| *shown).into()
        }
        (value, _) => value,
    }
}

/// Compares two items by these members.
pub(crate) fn ordered(keys: &[ShownKey], one: &Json, other: &Json) -> Ordering {
    let by = |key: &ShownKey| {
        let [one, other] = [one, other].map(|item| &item[key.member]);
        compare_by(key.of, (key.is_reversed, key.nulls), one, other)
    };
    keys.iter().map(by).fold(Ordering::Equal, Ordering::then)
}

/// Compares two values by a key of an order.
pub(crate) fn compare_by(of: &Type, (is_reversed, nulls): (bool, Option<Nulls>), one: &Json, other: &Json) -> Ordering {
    let order = compare(of, one, other);
    let order = if is_reversed { order.reverse() } else { order };
    match nulls {
        Some(Nulls::First) => other.is_null().cmp(&one.is_null()).then(order),
        Some(Nulls::Last) => one.is_null().cmp(&other.is_null()).then(order),
        None => order,
    }
}

/// Compares two values of a list: null comes first, words are in the contract's order, `false` comes before `true`.
pub(crate) fn compare(of: &Type, one: &Json, other: &Json) -> Ordering {
    match (one, other) {
        (Json::Null, _) | (_, Json::Null) => one.is_null().cmp(&other.is_null()).reverse(),
        (Json::Bool(one), Json::Bool(other)) => one.cmp(other),
        (Json::String(one), Json::String(other)) => match of {
            Type::Word(words) => place(words, one).cmp(&place(words, other)),
            Type::Format(format) => format.compare(one, other),
            _ => one.cmp(other),
        },
        _ => match (one.as_i64(), other.as_i64()) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => one.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal),
        },
    }
}

/// The index of the word in its enumeration. (The shape check reports an unknown word.)
fn place(words: &[&str], word: &str) -> Option<usize> {
    words.iter().position(|known| *known == word)
}

/// Whether two values are equal; 1 and 1.0 are. (The shape check is about how a number is written.)
pub(crate) fn is_same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Checks that the values have exactly this order.
    #[track_caller]
    fn check_order(of: &Type, values: &[Json]) {
        for (at, one) in values.iter().enumerate() {
            for (behind, other) in values.iter().enumerate() {
                assert_eq!(compare(of, one, other), at.cmp(&behind), "{one} and {other}");
            }
        }
    }

    #[test]
    fn values_have_the_order_of_generated_code() {
        let number = Type::Number {
            min: None,
            exclusive_min: None,
            max: None,
            decimals: None,
        };
        let word = Type::Word(&["small", "medium", "large"]);
        check_order(&word, &[json!(null), json!("small"), json!("medium"), json!("large")]);
        check_order(&Type::Boolean, &[json!(null), json!(false), json!(true)]);
        check_order(&Type::Stored, &[json!(null), json!("large"), json!("small")]);
        check_order(
            &Type::Format(codegen::formats::ALL[0]),
            &[json!(null), json!("2024-12-31"), json!("2025-01-01")],
        );
        check_order(&number, &[json!(null), json!(-1), json!(0.5), json!(1), json!(10)]);
        check_order(&Type::Id("Cat"), &[json!(i64::MAX - 1), json!(i64::MAX)]);
    }

    #[test]
    fn an_object_has_the_defaults_of_absent_members() {
        static NAME: Type = Type::Text {
            min: 1,
            max: None,
            chars: None,
            bidi_controls: true,
        };
        static ITEM: Type = Type::Object(&[
            Member::required("what", &NAME),
            Member::optional("pieces", &Type::Integer { min: None, max: None }).or("1"),
            Member::optional("place", &Type::Object(&[Member::optional("floor", &NAME)])),
        ]);
        let of = Type::List {
            of: &ITEM,
            min: 0,
            max: None,
            unique: None,
        };
        let sent = json!([{ "what": "tea" }, { "what": "cup", "pieces": null, "place": {} }]);
        let expected = json!([
            { "what": "tea", "pieces": 1, "place": null },
            { "what": "cup", "pieces": 1, "place": { "floor": null } },
        ]);
        assert_eq!(as_shown(sent, &of), expected);
    }
}
