//! Lists, and rules about several values.

use std::collections::HashSet;

use super::{length, mismatch};
use crate::fault::{Code, Fault};
use crate::json;
use crate::text;
use crate::validation_errors::ValidationErrors;
use crate::value::Value;

/// The bounds on the length of a list.
#[derive(Clone, Copy, Debug)]
pub struct ListRule {
    /// The minimum.
    pub min: usize,
    /// The maximum.
    pub max: Option<usize>,
}

/// A list, each item decoded by `item`. Of a list that is too long, only the first items up to the maximum are
/// decoded.
pub fn list<T>(
    value: Value,
    errors: &mut ValidationErrors,
    rule: &ListRule,
    mut item: impl FnMut(Value, &mut ValidationErrors) -> Option<T>,
) -> Option<Vec<T>> {
    let count = match &value {
        Value::List(values) => values.len(),
        Value::LongList(text) => json::each_item(text, 0, drop),
        other => return mismatch(errors, "a list", other),
    };
    let most = rule.max.unwrap_or(usize::MAX);
    let mut right = (rule.min..=most).contains(&count);
    if !right {
        errors.report(&length(Code::Items, (rule.min, rule.max), count));
    }
    let mut items = Vec::new();
    let mut index = 0;
    let decode = |value| {
        errors.enter_index(index);
        match item(value, errors) {
            Some(item) => items.push(item),
            None => right = false,
        }
        errors.leave();
        index += 1;
    };
    match value {
        Value::LongList(text) => drop(json::each_item(&text, most, decode)),
        Value::List(values) => values.into_iter().take(most).for_each(decode),
        _ => {}
    }
    right.then_some(items)
}

/// Reports every item of a list whose `key` equals that of an earlier item after [`text::fold`]. `member` is the key's
/// name in an item; empty if the items are the keys. The list is the current value.
pub fn unique<T>(items: &[T], errors: &mut ValidationErrors, member: &'static str, key: impl Fn(&T) -> &str) {
    let mut seen = HashSet::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        if seen.insert(text::fold(key(item))) {
            continue;
        }
        errors.enter_index(index);
        let fault = Fault::new(Code::Duplicate, "must not be in the list twice");
        if member.is_empty() {
            errors.report(&fault);
        } else {
            errors.report_member(member, &fault);
        }
        errors.leave();
    }
}

/// Reports an error if both bounds are present and the lower is above the upper.
pub fn at_most(errors: &mut ValidationErrors, lower: (&str, Option<f64>), upper: (&str, Option<f64>)) {
    if let (Some(least), Some(most)) = (lower.1, upper.1)
        && least > most
    {
        let fault = Fault::new(Code::Order, format!("must not be above `{}`", upper.0));
        errors.report_member(lower.0, &fault.with([upper.0]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::id;
    use super::super::tests::{json, raw};
    use super::*;

    fn ids(min: usize, max: Option<usize>) -> impl Fn(Value, &mut ValidationErrors) -> Option<Vec<i64>> {
        move |value, errors| list(value, errors, &ListRule { min, max }, id)
    }

    #[test]
    fn a_list_reports_its_length_and_every_wrong_item() {
        json("[1,2]", &ids(1, Some(2)), Ok(vec![1, 2]));
        json("[]", &ids(0, Some(2)), Ok(vec![]));
        json("[]", &ids(1, Some(1000)), Err("must have 1 to 1000 items, this has 0"));
        json(
            "[1,true,3,4]",
            &ids(0, Some(3)),
            Err("must have at most 3 items, this has 4; `[1]` must be an integer, not a boolean"),
        );
        json(
            "[null,1,[]]",
            &ids(0, None),
            Err("`[0]` must be an integer, not null; `[2]` must be an integer, not a list"),
        );
        json("{}", &ids(0, None), Err("must be a list, not an object"));
        raw("1", &ids(0, None), Err("must be a list"));
    }

    #[test]
    fn what_reads_the_same_stands_in_a_list_once() {
        let names = ["Rust", "Go", "ｒｕｓｔ", "go", "C"];
        let mut errors = ValidationErrors::new();
        errors.enter("skills");
        unique(&names, &mut errors, "name", |name| name);
        unique(&names[2..4], &mut errors, "", |name| name);
        unique(&["a", "A"], &mut errors, "", |name| name);
        assert_eq!(
            errors.text(),
            "`skills[2].name` must not be in the list twice; `skills[3].name` must not be in the list twice; \
             `skills[1]` must not be in the list twice"
        );
    }

    #[test]
    fn bounds_may_meet_but_not_cross() {
        let asked = |lower, upper| {
            let mut errors = ValidationErrors::new();
            at_most(&mut errors, ("minRate", lower), ("maxRate", upper));
            errors.text()
        };
        assert_eq!(
            asked(Some(5.0), Some(5.0)) + &asked(Some(6.0), None) + &asked(None, Some(0.0)),
            ""
        );
        assert_eq!(asked(Some(5.1), Some(5.0)), "`minRate` must not be above `maxRate`");
    }
}
