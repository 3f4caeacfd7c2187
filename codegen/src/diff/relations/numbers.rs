//! Compares the numbers that types allow, whole or not.

use super::relation::Relation;
use crate::model::TypeRule;

/// The lower bound of a number, and whether it is exclusive.
pub(crate) fn least(min: Option<f64>, exclusive_min: Option<f64>) -> (f64, bool) {
    let min = min.unwrap_or(f64::NEG_INFINITY);
    match exclusive_min {
        Some(above) if above >= min => (above, true),
        _ => (min, false),
    }
}

/// The greatest integer that every JSON reader keeps exactly. Types allow no greater one.
const GREATEST: i64 = (1 << 53) - 1;

/// The lower bound of an integer.
pub(crate) fn whole_least(min: Option<i64>) -> i64 {
    min.unwrap_or(-GREATEST).max(-GREATEST)
}

/// The upper bound of an integer.
pub(crate) fn whole_most(max: Option<i64>) -> i64 {
    max.unwrap_or(GREATEST).min(GREATEST)
}

/// The numbers that a type allows.
pub(crate) struct Numbers {
    least: (f64, bool),
    most: f64,
    decimals: u32,
    are_whole: bool,
}

impl Numbers {
    #[expect(
        clippy::cast_precision_loss,
        reason = "bounds of whole numbers are exact as numbers: the reader has them so"
    )]
    /// The numbers of a type; `None` if it is not numeric.
    pub(crate) fn from_rule(rule: &TypeRule) -> Option<Numbers> {
        match rule {
            TypeRule::Number {
                min,
                exclusive_min,
                max,
                decimals,
            } => Some(Numbers {
                least: least(*min, *exclusive_min),
                most: max.unwrap_or(f64::INFINITY),
                decimals: decimals.unwrap_or(u32::MAX),
                are_whole: false,
            }),
            TypeRule::Integer { min, max } => Some(Numbers {
                least: (whole_least(*min) as f64, false),
                most: whole_most(*max) as f64,
                decimals: 0,
                are_whole: true,
            }),
            _ => None,
        }
    }

    /// The relation of these numbers to those of the new type.
    pub(crate) fn relation(&self, new: &Numbers) -> Relation {
        let bounds = Relation::of_least(&self.least, &new.least) | Relation::of_most(&self.most, &new.most);
        bounds
            | match (self.are_whole, new.are_whole) {
                (true, false) => Relation::STRANGER,
                (false, true) => Relation::UNREADABLE,
                _ => Relation::of_most(&self.decimals, &new.decimals),
            }
    }
}
