//! Values that are just invalid.

use super::pool::{BAD_FREE_FORMS, BAD_INTEGERS, BAD_NUMBERS, BAD_TEXTS};
use super::queries::wide;
use super::values::{Values, quoted};
use codegen::model::{Kind, Type, TypeRule};
use serde_json::Value;

impl Values<'_, '_> {
    /// A value that this type does not allow, mostly.
    pub(super) fn invalid(&mut self, of: &Type) -> String {
        if self.random.percent(20) {
            return self
                .random
                .word(&["null", "[]", "{}", "\"\"", "0", "false", "[null]"])
                .to_owned();
        }
        if of.list {
            let single = Type {
                list: false,
                ..of.clone()
            };
            return format!("[{}]", self.invalid(&single));
        }
        match &of.kind {
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::Text { min, max, .. } => {
                    let longest = max
                        .filter(|max| *max <= 200)
                        .map(|max| "é".repeat(max as usize + self.random.below(2)));
                    let shortest = "A".repeat((*min as usize).saturating_sub(1));
                    match self.random.below(3) {
                        0 => quoted(&longest.unwrap_or(shortest)),
                        1 => quoted("a_é!"),
                        _ => quoted(self.random.word(&BAD_TEXTS)),
                    }
                }
                TypeRule::Number { max: Some(max), .. } if self.random.percent(40) => {
                    format!("{}", max + self.random.of(&[0.0, 1.0, 0.01, -0.001]).unwrap_or(&0.0))
                }
                TypeRule::Number { .. } => self.random.word(&BAD_NUMBERS).to_owned(),
                TypeRule::Integer { .. } => self.random.word(&BAD_INTEGERS).to_owned(),
                TypeRule::List { of, max, .. } if self.random.percent(10) => {
                    // At a bound, or with more faults than a text reports.
                    let count = max.filter(|max| *max <= 50).unwrap_or(25) as usize + self.random.below(2);
                    let has_faults = self.random.percent(50);
                    let items: Vec<String> = (0..count)
                        .map(|_| {
                            if has_faults {
                                self.invalid(of)
                            } else {
                                self.valid(of, None)
                            }
                        })
                        .collect();
                    format!("[{}]", items.join(","))
                }
                TypeRule::FreeForm { max_bytes } if self.random.percent(50) => {
                    let length = *max_bytes as usize - r#"{"x":""}"#.len() + self.random.below(2);
                    format!(r#"{{"x":"{}"}}"#, "é".repeat(length / 2) + &"x".repeat(length % 2))
                }
                TypeRule::List { of, min, unique, .. } if *min == 0 || unique.is_some() || self.random.percent(70) => {
                    let (bad, good) = (self.invalid(of), self.valid(of, None));
                    match self.random.below(3) {
                        0 => format!("[{good},{}]", self.alike(&good, unique.as_deref())),
                        1 => format!("[{good},{bad}]"),
                        _ => format!("[{bad}]"),
                    }
                }
                TypeRule::List { .. } => "[]".to_owned(),
                TypeRule::FreeForm { .. } => {
                    let count = BAD_FREE_FORMS.len() - usize::from(!self.is_strict);
                    self.random.word(&BAD_FREE_FORMS[..count]).to_owned()
                }
            },
            kind if let Some(format) = self.model.format(kind) => {
                quoted(self.random.word(&format.others().collect::<Vec<_>>()))
            }
            Kind::Enum(_) => quoted(self.random.word(&["", "OPEN", "x", "other ", "opne"])),
            Kind::Object(_) | Kind::Input(_) => {
                let good = self.valid(of, None);
                match self.random.below(3) {
                    0 => good.replacen(':', "x\":", 1).replacen("\"x", "x", 1),
                    1 => "{}".to_owned(),
                    _ => good.replacen('{', "{\"unknown_one\":1,", 1),
                }
            }
            _ => self.random.word(&BAD_INTEGERS).to_owned(),
        }
    }

    /// The same item, or one that is equal if case and width make no difference.
    fn alike(&mut self, item: &str, unique: Option<&str>) -> String {
        let (Some(member), Ok(mut other)) = (unique, serde_json::from_str::<Value>(item)) else {
            return item.to_owned();
        };
        if let Some(Value::String(text)) = other.get_mut(member) {
            *text = match self.random.below(4) {
                0 => text.to_uppercase(),
                1 => text.to_lowercase(),
                2 => wide(text),
                _ => text.clone(),
            };
        }
        other.to_string()
    }
}
