//! The rules of a type that are nearly right.

use codegen::Model;
use codegen::model::{Kind, NamedType, Type, TypeRule};

/// Neighbours of a type's rule, each with a name. None for a type without a rule.
pub(super) fn neighbours(model: &Model, of: &Type) -> Vec<(&'static str, TypeRule)> {
    let Kind::Named(name) = &of.kind else {
        return Vec::new();
    };
    let rule = &model.named_type(name).rule;
    let mut all = Vec::new();
    let mut add = |place: &'static str, edit: &dyn Fn(&mut TypeRule)| {
        let mut rule = rule.clone();
        edit(&mut rule);
        all.push((place, rule));
    };
    match rule {
        TypeRule::Text { .. } => texts(rule, &mut add),
        TypeRule::Number { .. } => numbers(rule, &mut add),
        TypeRule::Integer { min, max } => {
            let shift = |of_min: i64, of_max: i64| {
                move |rule: &mut TypeRule| {
                    if let TypeRule::Integer { min, max } = rule {
                        *min = min.map(|number| number.saturating_add(of_min));
                        *max = max.map(|number| number.saturating_add(of_max));
                    }
                }
            };
            if min.is_some() {
                add("min - 1", &shift(-1, 0));
                add("min + 1", &shift(1, 0));
            }
            if max.is_some() {
                add("max + 1", &shift(0, 1));
                add("max - 1", &shift(0, -1));
            }
        }
        TypeRule::List { min, max, unique, .. } => {
            let shift = |of_min: i64, of_max: i64| {
                move |rule: &mut TypeRule| {
                    if let TypeRule::List { min, max, .. } = rule {
                        *min = min.saturating_add_signed(of_min);
                        *max = max.map(|number| number.saturating_add_signed(of_max));
                    }
                }
            };
            if max.is_some() {
                add("max + 1", &shift(0, 1));
                add("max - 1", &shift(0, -1));
            }
            if *min > 0 {
                add("min - 1", &shift(-1, 0));
            }
            if unique.is_some() {
                add("not unique", &|rule| {
                    if let TypeRule::List { unique, .. } = rule {
                        *unique = None;
                    }
                });
            }
        }
        TypeRule::FreeForm { .. } => {
            let shift = |by: i64| {
                move |rule: &mut TypeRule| {
                    if let TypeRule::FreeForm { max_bytes } = rule {
                        *max_bytes = max_bytes.saturating_add_signed(by);
                    }
                }
            };
            add("max + 1", &shift(1));
            add("max - 1", &shift(-1));
        }
    }
    all
}

/// Adds a neighbour of a rule.
type Add<'a> = dyn FnMut(&'static str, &dyn Fn(&mut TypeRule)) + 'a;

fn texts(rule: &TypeRule, add: &mut Add<'_>) {
    let TypeRule::Text {
        min,
        max,
        chars,
        bidi_controls,
        ..
    } = rule
    else {
        return;
    };
    let shift = |of_min: i64, of_max: i64| {
        move |rule: &mut TypeRule| {
            if let TypeRule::Text { min, max, .. } = rule {
                *min = min.saturating_add_signed(of_min);
                *max = max.map(|number| number.saturating_add_signed(of_max));
            }
        }
    };
    if max.is_none_or(|max| max > *min) {
        add("min + 1", &shift(1, 0));
    }
    // A text of any characters is blank if it is empty.
    if *min > 1 || chars.is_some() && *min > 0 {
        add("min - 1", &shift(-1, 0));
    }
    if max.is_some() {
        add("max + 1", &shift(0, 1));
        add("max - 1", &shift(0, -1));
    }
    if chars.is_some() {
        add("any characters", &|rule| {
            if let TypeRule::Text { chars, .. } = rule {
                *chars = None;
            }
        });
        add("one more character", &|rule| {
            if let TypeRule::Text { chars: Some(chars), .. } = rule {
                chars.push('!');
            }
        });
    }
    if !bidi_controls {
        add("bidirectional controls", &|rule| {
            if let TypeRule::Text { bidi_controls, .. } = rule {
                *bidi_controls = true;
            }
        });
    }
}

fn numbers(rule: &TypeRule, add: &mut Add<'_>) {
    let TypeRule::Number {
        min,
        exclusive_min,
        max,
        decimals,
    } = rule
    else {
        return;
    };
    let by = 10_f64.powi(-i32::try_from(decimals.unwrap_or(2)).unwrap_or(2));
    let shift = move |of_min: f64, of_max: f64| {
        move |rule: &mut TypeRule| {
            if let TypeRule::Number { min, max, .. } = rule {
                *min = min.map(|number| number + of_min);
                *max = max.map(|number| number + of_max);
            }
        }
    };
    let swap = |rule: &mut TypeRule| {
        if let TypeRule::Number { min, exclusive_min, .. } = rule {
            std::mem::swap(min, exclusive_min);
        }
    };
    if min.is_some() {
        add("min lower", &shift(-by, 0.0));
        add("min excluded", &swap);
    }
    if exclusive_min.is_some() {
        add("min included", &swap);
    }
    if max.is_some() {
        add("max higher", &shift(0.0, by));
        add("max lower", &shift(0.0, -by));
    }
    if decimals.is_some() {
        add("one more decimal", &|rule| {
            if let TypeRule::Number { decimals, .. } = rule {
                *decimals = decimals.map(|number| number + 1);
            }
        });
    }
}

/// Gives one place a type of its own.
pub(super) fn retype(types: &mut Vec<NamedType>, of: &mut Type, rule: &TypeRule) {
    let Kind::Named(name) = &of.kind else { return };
    let Some(known) = types.iter().find(|one| one.name == *name) else {
        return;
    };
    let own = NamedType {
        name: format!("{name}'"),
        rule: rule.clone(),
        ..known.clone()
    };
    of.kind = Kind::Named(own.name.clone());
    types.push(own);
}
