//! Values from a seed: secrets, and values of a type that the contract leaves to a handler.

use crate::calendar;
use crate::decode::default;
use crate::value::Value;
use codegen::model::{Class, Kind, Model, RecordId, Type, TypeRule};

/// A number that depends on the seed and on the place, and looks random (SplitMix64).
pub(crate) fn mixed(seed: u64, place: u64) -> u64 {
    let mut z = seed.wrapping_add(place.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A secret with this prefix and so many random characters.
pub(crate) fn secret(prefix: &str, random: u64, mut draw: impl FnMut() -> u64) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let characters = (0..random).map(|_| char::from(ALPHABET[(draw() % 62) as usize]));
    let characters: String = characters.collect();
    format!("{prefix}{characters}")
}

/// The length of the longest text or list that is made up, even if the type demands a longer one.
const LONGEST: u64 = 1000;

/// What a made-up value depends on.
pub(crate) struct MadeUp<'m> {
    pub(crate) model: &'m Model,
    /// The ids of the records of a resource.
    pub(crate) ids: &'m dyn Fn(&str) -> Vec<RecordId>,
    pub(crate) now: u64,
    pub(crate) seed: u64,
}

impl MadeUp<'_> {
    fn part(&self, place: u64) -> Self {
        Self {
            seed: mixed(self.seed, place),
            ..*self
        }
    }

    /// A value of this type.
    pub(crate) fn value(&self, of: &Type) -> Value {
        if let Some(default) = default(self.model, of) {
            return default;
        }
        if of.list {
            return Value::List(Vec::new());
        }
        self.single(&of.kind)
    }

    /// The example of the contract, or else a value of this type.
    pub(crate) fn example(&self, of: &Type) -> Value {
        let kind = Some(&of.kind).filter(|_| !of.list);
        let rule = match kind {
            Some(Kind::Named(name)) => Some(&self.model.named_type(name).rule),
            _ => None,
        };
        let written = match (rule, kind, &of.example) {
            (Some(TypeRule::Text { .. }), _, Some(example))
            | (_, Some(Kind::Format(_) | Kind::Enum(_)), Some(example)) => Some(Value::text(example)),
            (_, Some(Kind::Id(resource)), Some(example)) => self.model.ids(resource).read(example).map(Value::id),
            (Some(TypeRule::Integer { .. } | TypeRule::Number { .. }), _, Some(example))
            | (_, Some(Kind::Boolean | Kind::Flag), Some(example)) => crate::value::parse(example.as_bytes()).ok(),
            _ => None,
        };
        written.unwrap_or_else(|| self.value(of))
    }

    fn single(&self, kind: &Kind) -> Value {
        let place = self.seed >> 8;
        match kind {
            Kind::Named(name) => self.of_rule(&self.model.named_type(name).rule),
            Kind::Boolean | Kind::Flag => Value::Bool(place.is_multiple_of(2)),
            Kind::Format(format) => Value::text(format.value(place)),
            Kind::Timestamp => Value::text(calendar::timestamp(self.now)),
            Kind::Id(resource) => {
                let ids = (self.ids)(resource);
                let id = ids.get(place as usize % ids.len().max(1)).copied();
                Value::id(id.unwrap_or_else(|| self.model.ids(resource).example()))
            }
            Kind::Enum(name) => {
                let values = &self.model.enumeration(name).values;
                Value::text(&values[place as usize % values.len().max(1)])
            }
            Kind::Object(name) => {
                let members = self.model.object(name).members.iter().zip(1..);
                let member = members.map(|(field, place)| (field.name.clone(), self.part(place).value(&field.of)));
                Value::Object(member.collect())
            }
            Kind::Input(name) => {
                let members = self.model.input(name).body.members.iter().zip(1..);
                let members = members.map(|(member, place)| {
                    let value = self.part(place).value(&member.field.of);
                    (member.field.name.clone(), value)
                });
                Value::Object(members.collect())
            }
            Kind::Cursor => Value::text("now"),
            Kind::EventNames(caller) => {
                let kinds: Vec<_> = self.model.events_to(caller).collect();
                let kind = &kinds[place as usize % kinds.len().max(1)];
                Value::List(vec![Value::text(&kind.name)])
            }
            Kind::Stored | Kind::Secret => Value::text(format!("{place:x}")),
            Kind::View(..) => Value::Null,
        }
    }

    fn of_rule(&self, rule: &TypeRule) -> Value {
        let place = self.seed >> 8;
        match rule {
            TypeRule::Text { min, max, chars, .. } => {
                let length = max.unwrap_or(8).clamp(1, 8).max(*min).min(LONGEST);
                let class = chars.as_deref().map(Class::parse);
                let letters: Vec<char> = match &class {
                    Some(class) => (' '..='~').filter(|c| class.has(*c)).collect(),
                    None => ('a'..='z').collect(),
                };
                let first = class.and_then(|class| class.ranges().first().map(|range| range.0));
                let letter = |at| {
                    let index = mixed(place, at) as usize % letters.len().max(1);
                    letters.get(index).copied().or(first).unwrap_or('a')
                };
                Value::Text((0..length).map(letter).collect())
            }
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                ..
            } => {
                let least = min.or(*exclusive_min).unwrap_or(0.0).ceil();
                let number = least + 1.0 + (place % 9) as f64;
                let number = max.map_or(number, |max| number.min(max));
                Value::number(number)
            }
            TypeRule::Integer { min, max } => {
                let least = min.unwrap_or(0);
                let number = least.saturating_add((place % 9) as i64);
                Value::integer(max.map_or(number, |max| number.min(max)))
            }
            TypeRule::List { of, min, .. } => {
                let items = (0..(*min).min(LONGEST)).map(|at| self.part(at).value(of));
                Value::List(items.collect())
            }
            TypeRule::FreeForm { .. } => Value::Object(Vec::new()),
        }
    }
}
