//! What is tried with the parameters of a query.

use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::misspelt::misspelt;
use crate::emit::tests::shared::values::{Bounds, digits, step};
use crate::model::{Field, Kind, Model, TypeRule};
use quote::quote;

pub(super) fn add(subject: &Subject<'_>, cells: &mut Cells) {
    let operation = subject.operation;
    cells.add("unknown_parameters", quote!(.refuses_unknown_parameters(VOCABULARY)));
    let known: Vec<&str> = operation.query.iter().map(|field| field.name.as_str()).collect();
    for field in &operation.query {
        let parameter = Parameter {
            model: subject.model,
            field,
        };
        parameter.presence(cells, &known);
        parameter.value(cells);
    }
    for (lower, upper) in &operation.constraints {
        let (above, below) = ("2", "1");
        cells.add(
            &format!("{lower}_above_{upper}"),
            quote!(.parameter(#lower, #above).parameter(#upper, #below).invalid(&[#lower, #upper])),
        );
        cells.add(
            &format!("{lower}_same_as_{upper}"),
            quote!(.parameter(#lower, #below).parameter(#upper, #below).accepted()),
        );
        cells.add(
            &format!("{lower}_below_{upper}"),
            quote!(.parameter(#lower, #below).parameter(#upper, #above).accepted()),
        );
    }
}

struct Parameter<'p> {
    model: &'p Model,
    field: &'p Field,
}

impl Parameter<'_> {
    fn name(&self) -> &str {
        &self.field.name
    }

    fn accepts(&self, cells: &mut Cells, what: &str, text: &str) {
        let name = self.name();
        cells.add(&format!("{name}_{what}"), quote!(.parameter(#name, #text).accepted()));
    }

    fn refuses(&self, cells: &mut Cells, what: &str, text: &str) {
        let name = self.name();
        cells.add(
            &format!("{name}_{what}"),
            quote!(.parameter(#name, #text).invalid(&[#name])),
        );
    }

    fn presence(&self, cells: &mut Cells, known: &[&str]) {
        let (name, right) = (self.name(), self.right());
        cells.add(
            &format!("{name}_twice"),
            quote!(.parameter(#name, #right).parameter(#name, #right).invalid(&[#name])),
        );
        self.refuses(cells, "empty", "");
        cells.add(
            &format!("{name}_badly_encoded"),
            quote!(.refuses_broken_encoding(#name)),
        );
        if let Some(misspelt) = misspelt(name, known) {
            cells.add(
                &format!("{name}_misspelt"),
                quote!(.parameter(#misspelt, #right).invalid(&[#misspelt, #name])),
            );
        }
        if !self.field.of.optional && self.field.of.default.is_none() {
            cells.add(&format!("{name}_missing"), quote!(.invalid(&[#name])));
        }
    }

    fn value(&self, cells: &mut Cells) {
        let name = self.name();
        match &self.field.of.kind {
            Kind::Named(of) => self.named(cells, &self.model.named_type(of).rule),
            Kind::Enum(of) => {
                for word in &self.model.enumeration(of).values {
                    self.accepts(cells, &format!("is_{word}"), word);
                }
                cells.add(&format!("{name}_is_no_such_word"), quote!(.refuses_wrong_texts(#name)));
            }
            Kind::Flag => {
                for word in ["1", "true", "0", "false"] {
                    self.accepts(cells, &format!("is_{word}"), word);
                }
                cells.add(&format!("{name}_is_no_flag"), quote!(.refuses_wrong_texts(#name)));
            }
            _ => {
                self.accepts(cells, "given", self.right().as_str());
                cells.add(&format!("{name}_of_wrong_type"), quote!(.refuses_wrong_texts(#name)));
            }
        }
    }

    fn named(&self, cells: &mut Cells, rule: &TypeRule) {
        let name = self.name();
        match rule {
            TypeRule::Text { min, max, chars } => self.text(cells, *min, *max, chars.as_deref()),
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => {
                let places = decimals.unwrap_or(3);
                let bounds = Bounds {
                    min: *min,
                    exclusive_min: *exclusive_min,
                    max: *max,
                    step: step(*decimals),
                    places,
                };
                for (what, number) in bounds.inside() {
                    self.accepts(cells, what, &digits(number, places as usize));
                }
                for (what, number) in bounds.outside() {
                    self.refuses(cells, what, &digits(number, places as usize));
                }
                self.accepts(cells, "given", &self.right());
                cells.add(&format!("{name}_of_wrong_type"), quote!(.refuses_wrong_texts(#name)));
            }
            TypeRule::Integer { min, max } => {
                self.accepts(cells, "at_max", &max.unwrap_or((1 << 53) - 1).to_string());
                if let Some(more) = max.and_then(|max| max.checked_add(1)) {
                    self.refuses(cells, "above_max", &more.to_string());
                }
                if let Some(min) = min {
                    self.accepts(cells, "at_min", &min.to_string());
                    self.refuses(cells, "below_min", &(min - 1).to_string());
                }
                cells.add(&format!("{name}_of_wrong_type"), quote!(.refuses_wrong_texts(#name)));
            }
            TypeRule::List { .. } | TypeRule::FreeForm { .. } => {}
        }
    }

    fn text(&self, cells: &mut Cells, min: u64, max: Option<u64>, chars: Option<&str>) {
        const UNHEARD_OF: &str = "no such thing anywhere";
        let name = self.name();
        let first = chars.and_then(|chars| chars.chars().next());
        let of_length = |length: u64| {
            let character = first.map_or("é".to_owned(), String::from);
            character.repeat(usize::try_from(length).unwrap_or_default())
        };
        if first.is_none() && max.is_none_or(|max| max >= UNHEARD_OF.len() as u64) {
            self.accepts(cells, "that_nothing_has", UNHEARD_OF);
        }
        cells.add(&format!("{name}_blank"), quote!(.refuses_blank_parameters(#name)));
        if let Some(max) = max {
            self.accepts(cells, "at_max", &of_length(max));
            self.refuses(cells, "above_max", &of_length(max + 1));
        }
        if min > 1 {
            self.accepts(cells, "at_min", &of_length(min));
            self.refuses(cells, "below_min", &of_length(min - 1));
        }
    }

    /// A text that reads as the parameter's type.
    fn right(&self) -> String {
        match &self.field.of.kind {
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::Number {
                    min,
                    exclusive_min,
                    max,
                    ..
                } => {
                    let low = min
                        .or(exclusive_min.map(|exclusive_min| exclusive_min + 1.0))
                        .unwrap_or(1.0);
                    digits(low.max(1.0).min(max.unwrap_or(f64::MAX)), 3)
                }
                TypeRule::Integer { min, max } => 1.clamp(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX)).to_string(),
                TypeRule::Text { min, max, chars } => sample_text(*min, *max, chars.as_deref()),
                _ => "sample".to_owned(),
            },
            Kind::Enum(name) => self.model.enumeration(name).values.first().cloned().unwrap_or_default(),
            Kind::Flag | Kind::Id(_) => "1".to_owned(),
            Kind::Boolean => "true".to_owned(),
            Kind::Date => "2026-01-31".to_owned(),
            _ => "sample".to_owned(),
        }
    }
}

/// A text of this length and of these characters.
fn sample_text(min: u64, max: Option<u64>, chars: Option<&str>) -> String {
    let sample = match chars {
        Some(chars) => &chars[..chars.chars().next().map_or(0, char::len_utf8)],
        None => "sample",
    };
    let length = (sample.chars().count() as u64).min(max.unwrap_or(u64::MAX)).max(min);
    let length = usize::try_from(length).unwrap_or_default();
    sample.chars().cycle().take(length).collect()
}
