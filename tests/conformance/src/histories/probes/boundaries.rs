//! The values on both sides of each rule of a type, without what a server should answer to them.

use super::alphabets::{
    BIDI_CONTROLS, BIDI_TEXT, BLANK_PARAMETERS, BLANKS, KEPT_OBJECT, KEPT_TEXTS, MEMBER_TWICE, OTHER_CHARACTERS,
    UNHEARD_OF, of_every_character, other_spellings, within_a_word,
};
use super::forms::other_texts;
use super::numbers::Bounds;
use crate::histories::queries::WILDCARDS;
use crate::sample::{sample, wrong_types};
use crate::types::Type;
use crate::value::{Value, duplicates, list, null, of_chars, open_of_bytes, other_case, raw, text, word};
use codegen::model::{Class, Model};

/// The most items of a list whose length the contract does not bound.
const LONG_LIST: usize = 100;

/// Values of a member of this type: allowed ones at its bounds, and those just outside.
pub(super) fn values(model: &Model, of: &'static Type, is_strict: bool) -> Vec<Value> {
    let mut all = wrong_types(of);
    all.push(null());
    match of {
        Type::Text { min, max, chars, .. } => {
            let of_length = |length: usize| chars.map_or_else(|| text(length), |chars| of_chars(chars, length));
            all.extend(around(*min, *max).into_iter().map(of_length));
            let within = |c: char| Value::Text(within_a_word(c, of));
            all.extend(BIDI_CONTROLS.chars().map(within));
            match chars {
                Some(chars) => {
                    let class = Class::parse(chars);
                    all.extend(of_every_character(&class, *min, *max).iter().map(|text| word(text)));
                    let others = OTHER_CHARACTERS.chars().filter(|c| !class.has(*c));
                    all.extend(others.map(within));
                }
                None => all.extend(BLANKS.into_iter().chain(KEPT_TEXTS).chain([BIDI_TEXT]).map(word)),
            }
        }
        Type::Number { decimals, .. } => {
            let bounds = bounds(of);
            let numbers = bounds.inside().into_iter().chain(bounds.outside());
            all.extend(numbers.map(|(_, number)| raw(&bounds.digits(number))));
            let fractions = bounds.fractions(*decimals);
            all.extend(fractions.into_iter().flat_map(|(most, more)| [raw(&most), raw(&more)]));
        }
        Type::Integer { min, max } => all.extend(integers(*min, *max).map(|number| raw(&number.to_string()))),
        Type::List {
            of: item,
            min,
            max,
            unique,
        } => {
            let sizes = around(*min, max.or(Some(LONG_LIST)));
            // No guard looks up the ids in a list.
            let are_ids = item.id_of().is_some();
            let is_free = |size: &usize| *size < *min || are_ids || item.most_items(*min, *size) == *size;
            let sizes = sizes.into_iter().filter(is_free);
            all.extend(sizes.map(|size| list(of, size)));
            all.extend(unique.map(|_| duplicates(of)));
            all.extend(unique.map(|name| other_case(of, name)));
        }
        Type::FreeForm { max_bytes } => {
            all.extend([*max_bytes, max_bytes + 1].map(open_of_bytes));
            all.extend([KEPT_OBJECT, "{}", r#"{"a":null}"#].map(raw));
            // Bytes are not characters: fewer of these than may be, and more of those.
            let size = |of: Value| of.render(&|_| String::new()).len();
            let pictures = max_bytes.saturating_sub(size(object(text(0)))) / (size(text(1)) - size(text(0)));
            all.extend([pictures, pictures + 1].map(|count| object(text(count))));
            all.extend(is_strict.then(|| raw(MEMBER_TWICE)));
        }
        Type::Word(words) => {
            all.extend(words.iter().copied().map(word));
            all.extend(other_spellings(words).iter().map(|text| word(text)));
            let others = model.enums.iter().flat_map(|one| &one.values).map(String::as_str);
            let others = others.chain(["no-such-word", ""]);
            all.extend(others.filter(|one| !words.contains(one)).map(word));
        }
        Type::Boolean => all.extend(["true", "false"].map(raw)),
        Type::Format(format) => {
            all.extend(format.edges.iter().map(|(edge, _)| word(edge)));
            all.extend(format.others().map(word));
        }
        Type::IdText(_, format) => {
            all.extend([sample(of), raw("1")]);
            all.extend(format.edges.iter().map(|(edge, _)| word(edge)));
            all.extend(format.unused.into_iter().chain(format.others()).map(word));
        }
        Type::Id(_) => all.extend([sample(of), raw("9007199254740989"), raw("9007199254740991")]),
        Type::Object(_) | Type::Flag | Type::Timestamp | Type::Stored | Type::Secret => {}
    }
    all
}

/// The same for a parameter of a path or query, as texts that are not encoded yet.
pub(super) fn texts(of: &'static Type, is_strict: bool) -> Vec<String> {
    let mut all: Vec<String> = other_texts(of, is_strict).into_iter().map(str::to_owned).collect();
    all.push("é".to_owned());
    match of {
        Type::Text { min, max, chars, .. } => {
            let one = chars.and_then(|chars| chars.chars().next()).unwrap_or('é');
            let lengths = around((*min).max(1), *max);
            all.extend(lengths.into_iter().map(|length| one.to_string().repeat(length)));
            all.extend(BLANK_PARAMETERS.into_iter().chain([UNHEARD_OF]).map(str::to_owned));
            all.extend(BIDI_CONTROLS.chars().map(|c| within_a_word(c, of)));
            all.extend(WILDCARDS.iter().flat_map(|c| [c.to_string(), format!("a{c}")]));
        }
        Type::Number { decimals, .. } => {
            let bounds = bounds(of);
            let numbers = bounds.inside().into_iter().chain(bounds.outside());
            all.extend(numbers.map(|(_, number)| bounds.digits(number)));
            let fractions = bounds.fractions(*decimals);
            all.extend(fractions.into_iter().flat_map(|(most, more)| [most, more]));
        }
        Type::Integer { min, max } => all.extend(integers(*min, *max).map(|number| number.to_string())),
        Type::Word(words) => {
            all.extend(words.iter().map(|word| (*word).to_owned()));
            all.extend(words.windows(2).map(|words| words.join(",")));
            all.extend(other_spellings(words));
        }
        Type::Format(format) | Type::IdText(_, format) => {
            all.extend(format.edges.iter().map(|(edge, _)| (*edge).to_owned()));
        }
        Type::Flag => all.extend(["1", "true", "0", "false"].map(str::to_owned)),
        _ => {}
    }
    all
}

/// An object with one member.
fn object(member: Value) -> Value {
    Value::Object(vec![("a".to_owned(), member)])
}

/// The bounds of a number.
fn bounds(of: &Type) -> Bounds {
    let Type::Number {
        min,
        exclusive_min,
        max,
        decimals,
    } = of
    else {
        panic!("{of:?} is no number")
    };
    Bounds::new((*min, *exclusive_min), *max, *decimals)
}

/// The whole numbers at both bounds, and just outside.
fn integers(min: Option<i64>, max: Option<i64>) -> impl Iterator<Item = i64> {
    const GREATEST: i64 = (1 << 53) - 1;
    let below = min.and_then(|min| min.checked_sub(1));
    let above = max.and_then(|max| max.checked_add(1));
    [below, min, max.or(Some(GREATEST)), above].into_iter().flatten()
}

/// The sizes at both bounds, and just outside.
fn around(min: usize, max: Option<usize>) -> Vec<usize> {
    let sizes = [min.checked_sub(1), Some(min), max, max.map(|max| max + 1)];
    sizes.into_iter().flatten().collect()
}

/// A short name of a value, for that of a probe.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    const KEPT: usize = 20;
    let count = text.chars().count();
    let visible = |c: char| match c {
        '"' | '\'' | '\\' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    let first = |count: usize| text.chars().take(count).map(visible).collect::<String>();
    match count > LONGEST {
        true => format!("{}… ({count} characters)", first(KEPT)),
        false => first(count),
    }
}
