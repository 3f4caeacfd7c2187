//! Chance that falls the same way at every start: splitmix64, whose numbers no library upgrade changes.

/// A sequence of numbers that follows from its seed alone.
#[derive(Debug, Clone)]
pub(super) struct Dice {
    state: u64,
}

impl Dice {
    /// The sequence of `seed`.
    pub(super) fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `end`, which is above 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        // The bias of the remainder is far below anything that a few hundred draws could show.
        (self.next() % end as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of 100 cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`, of which there is at least one.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of `items`, each as often as its weight says; one weighs more than nothing.
    pub(super) fn weighted<'a, T>(&mut self, items: &'a [T], weight: impl Fn(&T) -> usize) -> &'a T {
        self.try_weighted(items, weight).expect("one weighs more than nothing")
    }

    /// Likewise, or `None` when none weighs anything.
    pub(super) fn try_weighted<'a, T>(&mut self, items: &'a [T], weight: impl Fn(&T) -> usize) -> Option<&'a T> {
        let weights: Vec<usize> = items.iter().map(weight).collect();
        let sum = weights.iter().sum();
        if sum == 0 {
            return None;
        }
        let mut left = self.below(sum);
        for (item, weight) in items.iter().zip(weights) {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return Some(item),
            }
        }
        unreachable!("the draw is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut dice = Dice::new(1_234_567);
        let drawn = [dice.next(), dice.next(), dice.next()];
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn weights_of_nothing_are_never_drawn() {
        let mut dice = Dice::new(1);
        let items = [("never", 0), ("often", 9), ("never", 0), ("rarely", 1)];
        for _ in 0..300 {
            assert_ne!(dice.weighted(&items, |item| item.1).0, "never");
        }
    }
}
