//! Describes types in words.

use crate::diff::matching::Declared;
use crate::diff::relations::numbers::least;
use crate::model::{Kind, Type, TypeRule};

/// Maximum depth of described lists and objects.
const DEEPEST: usize = 2;

/// The description of a type's values: "a text of 1 to 100 characters".
pub(crate) fn of_type(declared: &Declared<'_>, of: &Type) -> String {
    type_at(declared, of, 0)
}

/// The description of a named type's values.
pub(crate) fn of_rule(declared: &Declared<'_>, rule: &TypeRule) -> String {
    rule_at(declared, rule, 0)
}

/// Names in backticks.
pub(crate) fn listed<'s>(names: impl IntoIterator<Item = &'s str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn type_at(declared: &Declared<'_>, of: &Type, depth: usize) -> String {
    let one = kind_at(declared, &of.kind, if of.list { depth + 1 } else { depth });
    if of.list {
        format!("a list, each item {one}")
    } else {
        one
    }
}

fn kind_at(declared: &Declared<'_>, kind: &Kind, depth: usize) -> String {
    match kind {
        Kind::Named(name) => match declared.rule(kind) {
            Some(rule) => rule_at(declared, rule, depth),
            None => format!("`{name}`"),
        },
        Kind::Stored => "a text".to_owned(),
        Kind::Secret => "a credential that is shown once".to_owned(),
        Kind::Boolean => "`true` or `false`".to_owned(),
        Kind::Flag => "`1`, `true`, `0` or `false`".to_owned(),
        Kind::Format(format) => format.noun.to_owned(),
        Kind::Timestamp => "a timestamp".to_owned(),
        Kind::Cursor => "a cursor".to_owned(),
        Kind::EventNames(_) => "names of events".to_owned(),
        Kind::Id(resource) => match declared.resources.get(resource.as_str()) {
            Some(resource) => format!("the id of a {}", resource.noun),
            None => "an id".to_owned(),
        },
        Kind::Enum(name) => match declared.enums.get(name.as_str()) {
            Some(one) => format!("one of {}", listed(one.values.iter().map(String::as_str))),
            None => format!("`{name}`"),
        },
        Kind::Object(name) => match declared.objects.get(name.as_str()) {
            Some(object) if depth <= DEEPEST => {
                let members = object.members.iter().map(|member| member.name.as_str());
                format!("an object with {}", listed(members))
            }
            _ => "an object".to_owned(),
        },
        Kind::Input(_) => "an object".to_owned(),
        Kind::View(resource, view) => match declared.views.get(&(resource.as_str(), view.as_str())) {
            Some(view) if depth <= DEEPEST => {
                let members = view.members.iter().map(|member| member.shown.as_str());
                format!("an object with {}", listed(members))
            }
            _ => "an object".to_owned(),
        },
    }
}

fn rule_at(declared: &Declared<'_>, rule: &TypeRule, depth: usize) -> String {
    match rule {
        TypeRule::Text {
            min,
            max,
            chars,
            bidi_controls,
            alike: _,
        } => {
            let length = length(*min, *max, "character");
            let length = length.map(|length| format!(" of {length}")).unwrap_or_default();
            let chars = chars.as_ref().map(|chars| format!(", only the characters `{chars}`"));
            let without = if *bidi_controls {
                ""
            } else {
                ", without bidirectional controls"
            };
            format!("a text{length}{}{without}", chars.unwrap_or_default())
        }
        TypeRule::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => {
            let decimals = decimals.map(|decimals| format!("at most {}", counted(decimals, "decimal place")));
            let bounds = [
                bound_below(least(*min, *exclusive_min)),
                max.map(|max| format!("at most {max}")),
                decimals,
            ];
            format!("a number{}", bounded(bounds))
        }
        TypeRule::Integer { min, max } => {
            let bounds = [
                min.map(|min| format!("at least {min}")),
                max.map(|max| format!("at most {max}")),
                None,
            ];
            format!("an integer{}", bounded(bounds))
        }
        TypeRule::List { of, min, max, unique } => {
            let length = length(*min, *max, "item");
            let length = length.map(|length| format!(" of {length}")).unwrap_or_default();
            let unique = unique.as_ref().map(|member| format!(", with unique `{member}`"));
            let item = type_at(declared, of, depth + 1);
            format!("a list{length}{}, each {item}", unique.unwrap_or_default())
        }
        TypeRule::FreeForm { max_bytes } => {
            format!("an object with any members, at most {}", counted(max_bytes, "byte"))
        }
    }
}

/// The part of a bound's text that differs from the other text: usually the number.
pub(crate) fn difference<'w>(was: &'w str, now: &str) -> &'w str {
    let words = |text: &'w str| text.split(' ').collect::<Vec<_>>();
    let (olds, news): (_, Vec<&str>) = (words(was), now.split(' ').collect());
    let pairs = olds.iter().zip(&news).filter(|(old, new)| old != new);
    let different: Vec<_> = pairs.map(|(old, _)| *old).collect();
    match different.as_slice() {
        [one] if olds.len() == news.len() && olds.len() > 2 => one,
        _ => was,
    }
}

/// A lower bound in words; `None` if there is none.
pub(crate) fn bound_below((least, is_exclusive): (f64, bool)) -> Option<String> {
    let word = if is_exclusive { "above" } else { "at least" };
    least.is_finite().then(|| format!("{word} {least}"))
}

fn bounded(bounds: [Option<String>; 3]) -> String {
    bounds.into_iter().flatten().map(|bound| format!(", {bound}")).collect()
}

fn length(min: u64, max: Option<u64>, what: &str) -> Option<String> {
    match (min, max) {
        (0, None) => None,
        (0, Some(max)) => Some(format!("at most {}", counted(max, what))),
        (min, None) => Some(format!("at least {}", counted(min, what))),
        (min, Some(max)) => Some(format!("{min} to {}", counted(max, what))),
    }
}

/// A number with its noun.
pub(crate) fn counted(number: impl ToString, what: &str) -> String {
    match number.to_string().as_str() {
        "1" => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
