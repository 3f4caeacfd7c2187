//! The checksum of all entries of the trees, which every transaction updates.
//!
//! sled reads its log as far as it can and skips the rest: one flipped bit can lose a change without any error. So
//! each transaction stores its number and the checksum of all entries, and a start compares them with the entries that
//! it reads.

use crate::tree::Tree;

/// A sum over all entries, independent of their order. Removed entries are subtracted, added entries are added.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Checksum(u64);

impl Checksum {
    /// Adds an entry.
    pub fn add(&mut self, tree: Tree, key: &[u8], value: &[u8]) {
        self.0 = self.0.wrapping_add(hash(tree, key, value));
    }

    /// Adds all entries of another checksum.
    pub(super) fn include(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// Subtracts an entry that was added.
    pub(super) fn remove(&mut self, tree: Tree, key: &[u8], value: &[u8]) {
        self.0 = self.0.wrapping_sub(hash(tree, key, value));
    }
}

/// The entry that the last transaction stored.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Commit {
    /// Commits are numbered consecutively.
    pub(super) number: u64,
    /// The checksum of all entries but this one.
    pub(super) checksum: Checksum,
}

impl Commit {
    /// Its name in the tree `meta`.
    pub(super) const NAME: &'static str = "commit";

    /// The commit after this one, with this `checksum`.
    pub(super) fn next(self, checksum: Checksum) -> Self {
        let number = self.number + 1;
        Self { number, checksum }
    }

    /// The bytes of the entry.
    pub(super) fn encode(self) -> [u8; 16] {
        (u128::from(self.number) << 64 | u128::from(self.checksum.0)).to_be_bytes()
    }

    /// Reads the entry. `None` if it is malformed.
    pub(super) fn decode(entry: &[u8]) -> Option<Self> {
        let (number, checksum) = entry.split_first_chunk::<8>()?;
        Some(Self {
            number: u64::from_be_bytes(*number),
            checksum: Checksum(u64::from_be_bytes(checksum.try_into().ok()?)),
        })
    }
}

/// The CRC and the length of the entry, mixed with the finaliser of splitmix64, so that two single-bit changes do not
/// cancel each other out in the sum.
///
/// 0 for a tree that is left out.
fn hash(tree: Tree, key: &[u8], value: &[u8]) -> u64 {
    if !tree.is_in_checksum() {
        return 0;
    }
    let mut crc = crc32fast::Hasher::new();
    let key_len = (key.len() as u64).to_be_bytes();
    for part in [tree.name().as_bytes(), &[0], &key_len, key, value] {
        crc.update(part);
    }
    let mut hash = u64::from(crc.finalize()) << 32 | value.len() as u64;
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: Tree = Tree::at(2, "keys");
    const HUMANS: Tree = Tree::at(3, "humans");

    fn of(entries: &[(Tree, &str, &str)]) -> Checksum {
        let mut checksum = Checksum::default();
        for (tree, key, value) in entries {
            checksum.add(*tree, key.as_bytes(), value.as_bytes());
        }
        checksum
    }

    #[test]
    fn only_what_is_there_counts() {
        let mut checksum = of(&[(KEYS, "a", "1"), (HUMANS, "b", "2")]);
        assert_eq!(checksum, of(&[(HUMANS, "b", "2"), (KEYS, "a", "1")]));
        let mut in_two = of(&[(HUMANS, "b", "2")]);
        in_two.include(of(&[(KEYS, "a", "1")]));
        assert_eq!(checksum, in_two);
        checksum.remove(KEYS, b"a", b"1");
        assert_eq!(checksum, of(&[(HUMANS, "b", "2")]));
    }

    #[test]
    fn every_part_of_an_entry_counts() {
        let entry = of(&[(KEYS, "ab", "12")]);
        for other in [
            of(&[(HUMANS, "ab", "12")]),
            of(&[(KEYS, "a", "b12")]),
            of(&[(KEYS, "ab", "13")]),
            of(&[(KEYS, "ab", "12\0")]),
            of(&[]),
        ] {
            assert_ne!(entry, other);
        }
    }

    #[test]
    fn a_commit_is_read_back() {
        let commit = Commit::default().next(of(&[(KEYS, "a", "1")]));
        assert_eq!(Commit::decode(&commit.encode()), Some(commit));
        assert_eq!(Commit::decode(&commit.encode()[1..]), None);
    }
}
