//! A column of numbers. Each is stored as an integer that has the same order.

use contract::Number;

use super::group::RowNumber;
use super::slices::Slices;

/// A number for each row, exactly.
#[derive(Default)]
pub(super) struct Numbers {
    scale: Scale,
    codes: Slices,
    len: RowNumber,
}

/// How numbers become codes. Every scale keeps the order of the numbers that it can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// Numbers from 0 with up to this many decimals, as multiples of the last decimal: 49.99 as 4999.
    Decimals(usize),
    /// All numbers: the bits of the floating point number, changed to have its order.
    Binary,
}

/// The powers of ten by which numbers are multiplied. Numbers with more decimals are stored in 64 slices.
const POWERS: [f64; 4] = [1.0, 10.0, 100.0, 1_000.0];

/// Below this, every integer is a floating point number.
const INTEGERS: f64 = 9_007_199_254_740_992.0;

const SIGN: u64 = 1 << 63;

impl Default for Scale {
    fn default() -> Self {
        Self::Decimals(0)
    }
}

impl Scale {
    /// The next scale to try. Only the last one can express every number.
    fn finer(self) -> Self {
        match self {
            Self::Decimals(decimals) if decimals + 1 < POWERS.len() => Self::Decimals(decimals + 1),
            _ => Self::Binary,
        }
    }

    /// The code of a number, if the scale can express it exactly.
    fn encode(self, number: Number) -> Option<u64> {
        let value = number.get();
        match self {
            Self::Decimals(decimals) => {
                let code = (value * POWERS[decimals]).round();
                let is_exact = (0.0..INTEGERS).contains(&code) && self.value(code as u64) == value;
                is_exact.then_some(code as u64)
            }
            Self::Binary => {
                let bits = value.to_bits();
                Some(if bits & SIGN == 0 { bits | SIGN } else { !bits })
            }
        }
    }

    /// The number with this code.
    fn value(self, code: u64) -> f64 {
        match self {
            Self::Decimals(decimals) => code as f64 / POWERS[decimals],
            Self::Binary => f64::from_bits(if code & SIGN == 0 { !code } else { code & !SIGN }),
        }
    }
}

impl Numbers {
    /// The integers, in the order of the numbers.
    pub(super) fn codes(&self) -> &Slices {
        &self.codes
    }

    /// The number of a row.
    pub(super) fn get(&self, row: RowNumber) -> Number {
        Number::new(self.scale.value(self.codes.get(row))).expect("the codes are of finite numbers")
    }

    /// Sets the number of a row. If the scale cannot express it, all rows change to a finer one.
    pub(super) fn set(&mut self, row: RowNumber, number: Number) {
        let code = loop {
            match self.scale.encode(number) {
                Some(code) => break code,
                None => self.refine(),
            }
        };
        self.codes.set(row, code);
        self.len = self.len.max(row + 1);
    }

    /// The lowest and highest code of the numbers from `min` to `max`, or `None` if no row can have one.
    pub(super) fn range(&self, min: Option<Number>, max: Option<Number>) -> Option<(u64, u64)> {
        let largest = self.codes.largest();
        let compare = |code, bound: Number| self.scale.value(code).total_cmp(&bound.get());
        let low = match min {
            Some(min) => first(largest, |code| compare(code, min).is_ge())?,
            None => 0,
        };
        let above = max.and_then(|max| first(largest, |code| compare(code, max).is_gt()));
        let high = above.map_or(Some(largest), |above| above.checked_sub(1))?;
        (low <= high).then_some((low, high))
    }

    /// Changes to the next scale that can express the numbers of all rows.
    fn refine(&mut self) {
        let mut finer = self.scale;
        let codes = loop {
            finer = finer.finer();
            if let Some(codes) = self.codes_in(finer) {
                break codes;
            }
        };
        (self.scale, self.codes) = (finer, codes);
    }

    fn codes_in(&self, scale: Scale) -> Option<Slices> {
        let mut codes = Slices::default();
        for row in 0..self.len {
            codes.set(row, scale.encode(self.get(row))?);
        }
        Some(codes)
    }
}

/// The first code up to `largest` from which on `holds` is true.
fn first(largest: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = (0, largest);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    holds(low).then_some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64) -> Number {
        Number::new(value).expect("finite")
    }

    /// Enters the values, which must end up at this scale, and compares ranges between all of them with comparisons.
    #[track_caller]
    fn check(values: &[f64], scale: Scale) {
        let mut numbers = Numbers::default();
        for (row, value) in values.iter().enumerate() {
            numbers.set(row as u32, number(*value));
        }
        assert_eq!(numbers.scale, scale);
        let bounds: Vec<_> = values
            .iter()
            .flat_map(|value| [value.next_down(), *value, value.next_up()])
            .collect();
        let bounds = || bounds.iter().map(|bound| Number::new(*bound)).chain([None]);
        for (min, max) in bounds().flat_map(|min| bounds().map(move |max| (min, max))) {
            let range = numbers.range(min, max);
            for (row, value) in values.iter().enumerate() {
                let code = numbers.codes.get(row as u32);
                let is_in = range.is_some_and(|(low, high)| (low..=high).contains(&code));
                let expected = min.is_none_or(|min| min.get() <= *value) && max.is_none_or(|max| *value <= max.get());
                assert_eq!(is_in, expected, "{value} from {min:?} to {max:?}");
            }
        }
    }

    #[test]
    fn ranges_are_exact_at_every_scale() {
        check(&[0.0, 1.0, 2.0, 100_000.0, 9e15], Scale::Decimals(0));
        check(&[7.0, 0.1, 2.5], Scale::Decimals(1));
        check(&[100_000.0, 49.99, 0.07, 0.29, 1.1, 99_999.99], Scale::Decimals(2));
        check(&[0.001, 4.35, 1.005], Scale::Decimals(3));
        check(&[1.0, 1e-4, 0.0], Scale::Binary);
        check(&[5.0, -1.0, -0.5, -1e300], Scale::Binary);
        check(&[9e15, 0.5], Scale::Binary);
        check(&[f64::MAX, f64::MIN, f64::MIN_POSITIVE, 1.0 / 3.0], Scale::Binary);
    }
}
