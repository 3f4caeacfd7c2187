//! Values of requests, as they are written: members may be duplicate and numbers keep their digits, which a map of JSON
//! values does not allow.

use crate::sample::sample;
use crate::types::Type;
use codegen::model::Class;
use std::fmt::Write as _;

/// A value of a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Raw JSON: a number, a word, or invalid JSON.
    Raw(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object, in this order.
    Object(Vec<(String, Value)>),
    /// The id of the attempt's resource with this name.
    IdOf(&'static str),
}

/// `null`
pub(crate) fn null() -> Value {
    raw("null")
}

/// Raw JSON.
pub(crate) fn raw(json: &str) -> Value {
    Value::Raw(json.to_owned())
}

/// This text.
pub(crate) fn word(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// A character of four bytes and two UTF-16 units.
const PICTURE: char = '😀';

/// A text of this many characters, each of which has four bytes and two UTF-16 units: this detects a server that does
/// not count Unicode scalar values.
pub(crate) fn text(characters: usize) -> Value {
    Value::Text(PICTURE.to_string().repeat(characters))
}

/// A text of this many allowed characters.
pub(crate) fn of_chars(allowed: &str, characters: usize) -> Value {
    Value::Text(allowed.chars().take(1).cycle().take(characters).collect())
}

/// A list of this many items with different unique members.
pub(crate) fn list(of: &Type, items: usize) -> Value {
    let Type::List { of, unique, .. } = of else {
        panic!("{of:?} is no list")
    };
    let item = |index: usize| {
        let mut item = sample(of);
        if let (Some(unique), Type::Object(members), Value::Object(values)) = (unique, of, &mut item) {
            let of = members
                .iter()
                .find(|member| member.name == *unique)
                .map(|member| member.of);
            values
                .iter_mut()
                .filter(|(name, _)| name == unique)
                .for_each(|(_, value)| *value = word(&nth_text(of, index)));
        }
        item
    };
    Value::List((0..items).map(item).collect())
}

/// A text of this type, different for each index.
pub(crate) fn nth_text(of: Option<&Type>, mut index: usize) -> String {
    let plain = format!("item {index}");
    let Some(Type::Text { min, max, chars, .. }) = of else {
        return plain;
    };
    let fits = plain.len() >= *min && max.is_none_or(|max| plain.len() <= max);
    if chars.is_none() && fits {
        return plain;
    }
    let alphabet = characters(chars.unwrap_or("a-z"));
    let mut text = Vec::new();
    while text.len() < (*min).max(1) || index > 0 {
        text.push(alphabet[index % alphabet.len()]);
        index /= alphabet.len();
    }
    text.iter().rev().collect()
}

/// The ASCII characters of a class such as `a-z0-9_`.
pub(crate) fn characters(class: &str) -> Vec<char> {
    let class = Class::parse(class);
    let ranges = class.ranges().iter();
    let all = ranges.flat_map(|(first, last)| *first..=*last);
    all.filter(char::is_ascii).collect()
}

/// A list of two equal items.
pub(crate) fn duplicates(of: &Type) -> Value {
    let Type::List { of, .. } = of else {
        panic!("{of:?} is no list")
    };
    Value::List(vec![sample(of), sample(of)])
}

/// A list of two items whose texts of this name differ in case only.
pub(crate) fn other_case(of: &Type, name: &str) -> Value {
    let mut list = duplicates(of);
    if let Value::List(items) = &mut list {
        for (item, name_of_item) in items.iter_mut().zip(["Abc", "aBC"]) {
            if let Value::Object(members) = item
                && let Some((_, text)) = members.iter_mut().find(|(member, _)| member == name)
            {
                *text = word(name_of_item);
            }
        }
    }
    list
}

/// An object of this many bytes as compact JSON.
pub(crate) fn open_of_bytes(bytes: usize) -> Value {
    let frame = r#"{"a":""}"#.len();
    Value::Object(vec![(
        "a".to_owned(),
        Value::Text("x".repeat(bytes.saturating_sub(frame))),
    )])
}

impl Value {
    /// The JSON text; `id` gives the number of a resource.
    pub(crate) fn render(&self, id: &dyn Fn(&str) -> String) -> String {
        let mut out = String::new();
        self.write(&mut out, id);
        out
    }

    fn write(&self, out: &mut String, id: &dyn Fn(&str) -> String) {
        match self {
            Self::Raw(json) => out.push_str(json),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::IdOf(resource) => {
                let _ = write!(out, "{}", id(resource));
            }
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    item.write(out, id);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (name, member)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(&quoted(name));
                    out.push(':');
                    member.write(out, id);
                }
                out.push('}');
            }
        }
    }

    /// Sets `value` at a place like `skills[0].name`. Values on the way that are absent or null are filled with samples of `of`.
    pub(crate) fn put(&mut self, of: &Type, place: &str, value: Value) {
        let (holder, last) = self.holder(of, place);
        match (holder, last) {
            (Self::Object(members), Last::Member(name)) => match members.iter_mut().find(|(known, _)| known == name) {
                Some((_, old)) => *old = value,
                None => members.push((name.to_owned(), value)),
            },
            (Self::List(items), Last::Index(index)) => match items.get_mut(index) {
                Some(old) => *old = value,
                None => items.push(value),
            },
            (holder, _) => panic!("{place} does not lead anywhere in {holder:?}"),
        }
    }

    /// Removes the member at a place.
    pub(crate) fn take(&mut self, of: &Type, place: &str) {
        if let (Self::Object(members), Last::Member(name)) = self.holder(of, place) {
            members.retain(|(known, _)| known != name);
        }
    }

    /// Writes the member at a place a second time.
    pub(crate) fn repeat(&mut self, of: &Type, place: &str) {
        if let (Self::Object(members), Last::Member(name)) = self.holder(of, place)
            && let Some(again) = members.iter().find(|(known, _)| known == name).cloned()
        {
            members.push(again);
        }
    }

    fn holder<'p>(&mut self, of: &Type, place: &'p str) -> (&mut Value, Last<'p>) {
        let (step, rest) = first_step(place);
        if rest.is_empty() {
            return (self, step);
        }
        let (next, of) = match (self, of, &step) {
            (Self::Object(members), Type::Object(known), Last::Member(name)) => {
                let of = known
                    .iter()
                    .find(|member| member.name == *name)
                    .expect("the place is known")
                    .of;
                let at = members.iter().position(|(given, _)| given == name).unwrap_or_else(|| {
                    members.push(((*name).to_owned(), sample(of)));
                    members.len() - 1
                });
                if members[at].1 == null() {
                    members[at].1 = sample(of);
                }
                (&mut members[at].1, of)
            }
            (Self::List(items), Type::List { of, .. }, Last::Index(index)) => {
                while items.len() <= *index {
                    items.push(sample(of));
                }
                (&mut items[*index], *of)
            }
            (value, ..) => panic!("{place} does not lead anywhere in {value:?}"),
        };
        next.holder(of, rest)
    }
}

enum Last<'p> {
    Member(&'p str),
    Index(usize),
}

/// `skills[0].name` → `skills`, `[0].name` → `[0]`, `name`
fn first_step(place: &str) -> (Last<'_>, &str) {
    if let Some(inside) = place.strip_prefix('[') {
        let (index, rest) = inside.split_once(']').expect("an index ends");
        return (
            Last::Index(index.parse().expect("an index is a number")),
            rest.trim_start_matches('.'),
        );
    }
    let end = place.find(['.', '[']).unwrap_or(place.len());
    (Last::Member(&place[..end]), place[end..].trim_start_matches('.'))
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("every text can be written as JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Member;

    static NAME: Type = Type::Text {
        min: 1,
        max: Some(9),
        chars: None,
        bidi_controls: true,
    };
    static PART: Type = Type::Object(&[Member::required("name", &NAME), Member::optional("note", &NAME)]);
    static PARTS: Type = Type::List {
        of: &PART,
        min: 0,
        max: None,
        unique: Some("name"),
    };
    static WHOLE: Type = Type::Object(&[Member::required("name", &NAME), Member::optional("parts", &PARTS)]);

    #[track_caller]
    fn check(change: impl FnOnce(&mut Value), expected: &str) {
        let mut value = sample(&WHOLE);
        change(&mut value);
        assert_eq!(value.render(&|_| "7".to_owned()), expected);
    }

    #[test]
    fn a_path_is_reached_through_samples() {
        check(|_| {}, r#"{"name":"sample"}"#);
        check(|v| v.put(&WHOLE, "name", Value::IdOf("Thing")), r#"{"name":7}"#);
        check(
            |v| v.put(&WHOLE, "other", raw("1.0")),
            r#"{"name":"sample","other":1.0}"#,
        );
        check(
            |v| v.put(&WHOLE, "parts[0].name", null()),
            r#"{"name":"sample","parts":[{"name":null}]}"#,
        );
        check(
            |v| v.put(&WHOLE, "parts[0]", word("é")),
            r#"{"name":"sample","parts":["é"]}"#,
        );
        let from_null = |v: &mut Value| {
            v.put(&WHOLE, "parts", null());
            v.put(&WHOLE, "parts[0].name", word("é"));
        };
        check(from_null, r#"{"name":"sample","parts":[{"name":"é"}]}"#);
        check(|v| v.take(&WHOLE, "parts[0].name"), r#"{"name":"sample","parts":[{}]}"#);
        check(|v| v.repeat(&WHOLE, "name"), r#"{"name":"sample","name":"sample"}"#);
    }

    #[test]
    fn recipes_have_the_size_that_they_say() {
        assert_eq!(text(3), word("😀😀😀"));
        assert_eq!(of_chars("a-z_", 2), word("aa"));
        assert_eq!(open_of_bytes(20).render(&|_| "0".to_owned()).len(), 20);
        let names = list(&PARTS, 2).render(&|_| "0".to_owned());
        assert_eq!(names, r#"[{"name":"item 0"},{"name":"item 1"}]"#);
        assert_eq!(
            duplicates(&PARTS).render(&|_| "0".to_owned()),
            r#"[{"name":"sample"},{"name":"sample"}]"#
        );
    }

    #[test]
    fn what_must_be_unique_is_of_the_characters_that_there_may_be() {
        static LABEL: Type = Type::Text {
            min: 2,
            max: Some(4),
            chars: Some("A-C_"),
            bidi_controls: true,
        };
        let texts: Vec<String> = (0..18).map(|index| nth_text(Some(&LABEL), index)).collect();
        assert_eq!(
            [&*texts[0], &texts[3], &texts[4], &texts[17]],
            ["AA", "A_", "BA", "BAB"]
        );
    }
}
