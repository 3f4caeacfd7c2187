//! Values that differ from item to item: few of each kind, so that an order has ties, very different ones, so that
//! every way of matching distinguishes them, and those at the bounds.

use crate::sample::sample;
use crate::types::{Member, Type};
use crate::value::{Value, null, raw, word};

/// The number of different values of items in one place. Later values of a palette are in no item.
pub(crate) const IN_ROWS: usize = 4;

/// Words that share no part but their first and last letters.
const WORDS: [&str; IN_ROWS + 1] = ["alder", "brook", "cliffs", "dunes", "estuary"];

/// A number that looks random and is the same in each run.
pub(crate) fn dice(row: usize, place: &str) -> usize {
    let mut state = place.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    state = state.wrapping_add((row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from(state >> 40).unwrap_or_default()
}

/// The value of an item's member at this place; ids are those that the request names.
pub(crate) fn varied(of: &Type, row: usize, place: &str) -> Value {
    match of {
        Type::List { of, min, max, unique } => {
            let most = max.unwrap_or(IN_ROWS).min(palette(of, *unique).min(IN_ROWS - 1));
            let most = of.most_items(*min, most);
            let count = *min + dice(row, place) % (most - *min + 1);
            let first = dice(row, &format!("{place}[]"));
            Value::List(
                (0..count)
                    .map(|index| item(of, row, &format!("{place}[{index}]"), first + index, *unique))
                    .collect(),
            )
        }
        _ => item(of, row, place, dice(row, place), None),
    }
}

/// Whether an optional member is absent, null, or has a value.
pub(crate) fn optional(member: &Member, row: usize) -> Option<Value> {
    if member.required {
        return Some(varied(member.of, row, member.name));
    }
    match dice(row, &format!("{}?", member.name)) % 6 {
        0 => None,
        1 if member.nullable => Some(null()),
        _ => Some(varied(member.of, row, member.name)),
    }
}

/// The number of different items.
pub(crate) fn palette(of: &Type, unique: Option<&str>) -> usize {
    match of {
        Type::Word(words) => words.len(),
        Type::Boolean | Type::Flag => 2,
        Type::Object(members) => {
            let unique = members.iter().find(|member| Some(member.name) == unique);
            unique.map_or(IN_ROWS, |member| palette(member.of, None))
        }
        _ => IN_ROWS,
    }
}

/// The value with this number in a palette of the type.
pub(crate) fn item(of: &Type, row: usize, place: &str, nth: usize, unique: Option<&str>) -> Value {
    match of {
        Type::Object(members) => {
            let values = members.iter().filter_map(|member| {
                let place = format!("{place}.{}", member.name);
                let value = if Some(member.name) == unique {
                    item(member.of, row, &place, nth, None)
                } else if member.required || !dice(row, &place).is_multiple_of(3) {
                    varied(member.of, row, &place)
                } else {
                    return None;
                };
                Some((member.name.to_owned(), value))
            });
            Value::Object(values.collect())
        }
        Type::Text { min, max, chars, .. } => word(&text(*min, *max, *chars, nth % IN_ROWS)),
        Type::Word(words) => word(words[nth % words.len()]),
        Type::Boolean => raw(if nth.is_multiple_of(2) { "true" } else { "false" }),
        Type::Format(format) => word(format.values[1 + nth % IN_ROWS]),
        Type::Number { .. } | Type::Integer { .. } => {
            let numbers = numbers(of);
            raw(&numbers[nth % numbers.len()].to_string())
        }
        Type::FreeForm { .. } => Value::Object(vec![("a".to_owned(), raw(&(nth % IN_ROWS).to_string()))]),
        Type::List { .. } => varied(of, row, place),
        Type::Id(_) | Type::Flag | Type::Timestamp | Type::Stored | Type::Secret => sample(of),
    }
}

/// The text with this number in the palette of a type.
pub(crate) fn text(min: usize, max: Option<usize>, chars: Option<&str>, nth: usize) -> String {
    let most = max.unwrap_or(usize::MAX);
    if let Some(class) = chars {
        let alphabet = crate::value::characters(class);
        let letter = alphabet[nth * alphabet.len() / (IN_ROWS + 1) % alphabet.len()];
        return std::iter::repeat_n(letter, 3.min(most).max(min)).collect();
    }
    let chosen = WORDS[nth % WORDS.len()];
    let length = chosen.len().min(most).max(min);
    chosen.chars().cycle().take(length).collect()
}

/// Both bounds of a number, and some numbers between.
pub(crate) fn numbers(of: &Type) -> Vec<f64> {
    let (low, high, decimals) = match of {
        Type::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => {
            let places = decimals.unwrap_or(3).min(6);
            let above = exclusive_min.map(|bound| bound + 10_f64.powi(-i32::try_from(places).unwrap_or(0)));
            let low = min.or(above).unwrap_or(0.0);
            (low, max.unwrap_or(low + 10.0), places)
        }
        Type::Integer { min, max } => {
            #[expect(clippy::cast_precision_loss, reason = "bounds of a contract are far below 2^53")]
            let [min, max] = [min, max].map(|bound| bound.map(|bound| bound as f64));
            let low = min.unwrap_or(0.0);
            (low, max.unwrap_or(low + 10.0), 0)
        }
        other => panic!("{other:?} is no number"),
    };
    let scale = 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
    let between = |share: f64| ((low + (high - low) * share) * scale).round() / scale;
    let mut all = vec![low, between(0.3), between(0.6), high];
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_at_the_bounds_and_between() {
        let of = Type::Number {
            min: None,
            exclusive_min: Some(0.0),
            max: Some(30.0),
            decimals: Some(2),
        };
        assert_eq!(numbers(&of), [0.01, 9.01, 18.0, 30.0]);
        assert_eq!(
            numbers(&Type::Integer {
                min: Some(1),
                max: Some(2)
            }),
            [1.0, 2.0]
        );
    }

    #[test]
    fn texts_are_of_the_length_and_characters_that_there_may_be() {
        let texts = |min, max, chars| (0..IN_ROWS).map(|nth| text(min, max, chars, nth)).collect::<Vec<_>>();
        assert_eq!(texts(1, Some(2), None), ["al", "br", "cl", "du"]);
        assert_eq!(texts(7, None, None)[0], "alderal");
        assert_eq!(texts(1, Some(4), Some("A-E")), ["AAA", "BBB", "CCC", "DDD"]);
    }

    #[test]
    fn a_list_has_no_item_twice_where_it_may_not() {
        static NAME: Type = Type::Text {
            min: 1,
            max: None,
            chars: None,
            bidi_controls: true,
        };
        static ITEM: Type = Type::Object(&[Member::required("name", &NAME)]);
        static ITEMS: Type = Type::List {
            of: &ITEM,
            min: 0,
            max: Some(9),
            unique: Some("name"),
        };
        for row in 0..50 {
            let Value::List(items) = varied(&ITEMS, row, "items") else {
                panic!()
            };
            let mut names: Vec<String> = items.iter().map(|item| item.render(&|_| "0".to_owned())).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), items.len());
        }
    }
}
