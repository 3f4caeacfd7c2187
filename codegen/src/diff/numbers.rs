//! Numbers that types allow, whole or not.

use super::relation::Relation;
use crate::model::TypeRule;

/// Least value of a number, and whether that is itself too small.
pub(super) fn least(min: Option<f64>, exclusive_min: Option<f64>) -> (f64, bool) {
    let min = min.unwrap_or(f64::NEG_INFINITY);
    match exclusive_min {
        Some(above) if above >= min => (above, true),
        _ => (min, false),
    }
}

/// Greatest whole number that every reader of JSON keeps: none is beyond it, whatever a type says.
const GREATEST: i64 = (1 << 53) - 1;

/// Least value of a whole number.
pub(super) fn whole_least(min: Option<i64>) -> i64 {
    min.unwrap_or(-GREATEST).max(-GREATEST)
}

/// Greatest value of a whole number.
pub(super) fn whole_most(max: Option<i64>) -> i64 {
    max.unwrap_or(GREATEST).min(GREATEST)
}

/// The numbers that a type allows.
pub(super) struct Numbers {
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
    /// Those of a type, if it is one of numbers.
    pub(super) fn of(rule: &TypeRule) -> Option<Numbers> {
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

    /// How the numbers of another type relate to these.
    pub(super) fn relation(&self, new: &Numbers) -> Relation {
        let bounds = Relation::of_least(&self.least, &new.least) | Relation::of_most(&self.most, &new.most);
        bounds
            | match (self.are_whole, new.are_whole) {
                (true, false) => Relation::STRANGER,
                (false, true) => Relation::UNREADABLE,
                _ => Relation::of_most(&self.decimals, &new.decimals),
            }
    }
}
