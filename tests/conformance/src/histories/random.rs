//! Random numbers from a seed.

/// A source of numbers: SplitMix64.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0, less than `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count.max(1) as u64).unwrap_or_default()
    }

    /// Whether something happens that happens so many times in a hundred.
    pub(super) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of these.
    pub(super) fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// One of these, which are some.
    pub(super) fn word<'a>(&mut self, all: &[&'a str]) -> &'a str {
        self.of(all).copied().unwrap_or_default()
    }

    /// One of these, more often one of the last.
    pub(super) fn recent<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if self.percent(60) {
            return self.of(&all[all.len().saturating_sub(3)..]);
        }
        self.of(all)
    }

    /// An index, by weight.
    pub(super) fn weighted(&mut self, weights: &[f64]) -> usize {
        let whole: f64 = weights.iter().sum();
        let mut left = self.below(1 << 30) as f64 / f64::from(1 << 30) * whole;
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        weights.len().saturating_sub(1)
    }
}
