//! The numbers on both sides of a bound, and how they are written.

/// The bounds of a number, and the smallest step beyond them.
pub(super) struct Bounds {
    min: Option<f64>,
    exclusive_min: Option<f64>,
    max: Option<f64>,
    step: f64,
    places: u32,
}

impl Bounds {
    /// Those of a number with at most this many decimals.
    pub(super) fn new(
        (min, exclusive_min): (Option<f64>, Option<f64>),
        max: Option<f64>,
        decimals: Option<u32>,
    ) -> Self {
        Self {
            min,
            exclusive_min,
            max,
            step: step(decimals),
            places: decimals.unwrap_or(3),
        }
    }

    /// The number as a person writes it, with at most as many decimals as are allowed.
    pub(super) fn digits(&self, number: f64) -> String {
        let places = self.places as usize;
        let written = format!("{number:.places$}");
        if written.contains('.') {
            written.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            written
        }
    }

    /// The last numbers that are allowed.
    pub(super) fn inside(&self) -> Vec<(&'static str, f64)> {
        let all = [
            ("at_min", self.min),
            (
                "just_above_min",
                self.exclusive_min.map(|exclusive_min| exclusive_min + self.step),
            ),
            ("at_max", self.max),
        ];
        all.into_iter()
            .filter_map(|(what, number)| Some((what, number?)))
            .collect()
    }

    /// The first numbers that are not allowed.
    pub(super) fn outside(&self) -> Vec<(&'static str, f64)> {
        let all = [
            ("below_min", self.min.map(|min| min - self.step)),
            ("at_excluded_min", self.exclusive_min),
            ("above_max", self.max.map(|max| max + self.step)),
        ];
        all.into_iter()
            .filter_map(|(what, number)| Some((what, number?)))
            .collect()
    }

    /// A number with as many decimals as allowed, and one with one more.
    pub(super) fn fractions(&self, decimals: Option<u32>) -> Option<(String, String)> {
        let decimals = decimals?;
        let low = self.min.or(self.exclusive_min).unwrap_or(0.0).ceil();
        // A fraction leads away from zero, so below zero it starts one step inside. Adding 0.0 turns -0 into 0.
        let low = if low < 0.0 { low + 1.0 } else { low } + 0.0;
        let digits = "123456789".repeat(2);
        let fraction = &digits[..decimals as usize];
        let point = if decimals == 0 { "" } else { "." };
        let most = format!("{low}{point}{fraction}");
        let more = format!("{low}.{fraction}5");
        (low + 1.0 <= self.max.unwrap_or(f64::MAX) && self.places == decimals).then_some((most, more))
    }
}

/// The smallest difference between two numbers that a bound must distinguish.
fn step(decimals: Option<u32>) -> f64 {
    10_f64.powi(-i32::try_from(decimals.unwrap_or(3)).unwrap_or(3))
}
