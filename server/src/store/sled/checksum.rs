//! A checksum of everything that the trees hold, which every transaction carries on.
//!
//! sled takes its log as far as it can be read, and skips what it cannot: a changed bit may cost it the change of one
//! record, and nothing else tells. So each transaction leaves behind its number and the checksum of all entries, and a
//! start compares that with what it finds.

use super::trees::Tree;

/// A sum over all entries, in which their order does not matter: what goes away is taken off, what comes is added.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Checksum(u64);

impl Checksum {
    /// Takes in an entry.
    pub(super) fn add(&mut self, tree: Tree, key: &[u8], value: &[u8]) {
        self.0 = self.0.wrapping_add(hash(tree, key, value));
    }

    /// Takes in all that another one has.
    pub(super) fn include(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// Takes out an entry that was taken in.
    pub(super) fn remove(&mut self, tree: Tree, key: &[u8], value: &[u8]) {
        self.0 = self.0.wrapping_sub(hash(tree, key, value));
    }
}

/// What the last transaction left behind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Commit {
    /// They count up by one.
    pub(super) number: u64,
    /// Of all entries but this one.
    pub(super) checksum: Checksum,
}

impl Commit {
    /// Its name in the tree `meta`.
    pub(super) const NAME: &'static str = "commit";

    /// The one after this one, which leaves `checksum` behind.
    pub(super) fn next(self, checksum: Checksum) -> Self {
        let number = self.number + 1;
        Self { number, checksum }
    }

    /// The entry.
    pub(super) fn encode(self) -> [u8; 16] {
        (u128::from(self.number) << 64 | u128::from(self.checksum.0)).to_be_bytes()
    }

    /// What an entry says; `None` if it is none.
    pub(super) fn decode(entry: &[u8]) -> Option<Self> {
        let (number, checksum) = entry.split_first_chunk::<8>()?;
        Some(Self {
            number: u64::from_be_bytes(*number),
            checksum: Checksum(u64::from_be_bytes(checksum.try_into().ok()?)),
        })
    }
}

/// The CRC of the entry and its length, stirred (by the finaliser of splitmix64) so that no two changes of one bit
/// cancel each other out in the sum.
fn hash(tree: Tree, key: &[u8], value: &[u8]) -> u64 {
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

    fn of(entries: &[(Tree, &str, &str)]) -> Checksum {
        let mut checksum = Checksum::default();
        for (tree, key, value) in entries {
            checksum.add(*tree, key.as_bytes(), value.as_bytes());
        }
        checksum
    }

    #[test]
    fn only_what_is_there_counts() {
        let mut checksum = of(&[(Tree::Keys, "a", "1"), (Tree::Humans, "b", "2")]);
        assert_eq!(checksum, of(&[(Tree::Humans, "b", "2"), (Tree::Keys, "a", "1")]));
        let mut in_two = of(&[(Tree::Humans, "b", "2")]);
        in_two.include(of(&[(Tree::Keys, "a", "1")]));
        assert_eq!(checksum, in_two);
        checksum.remove(Tree::Keys, b"a", b"1");
        assert_eq!(checksum, of(&[(Tree::Humans, "b", "2")]));
    }

    #[test]
    fn every_part_of_an_entry_counts() {
        let entry = of(&[(Tree::Keys, "ab", "12")]);
        for other in [
            of(&[(Tree::Humans, "ab", "12")]),
            of(&[(Tree::Keys, "a", "b12")]),
            of(&[(Tree::Keys, "ab", "13")]),
            of(&[(Tree::Keys, "ab", "12\0")]),
            of(&[]),
        ] {
            assert_ne!(entry, other);
        }
    }

    #[test]
    fn a_commit_is_read_back() {
        let commit = Commit::default().next(of(&[(Tree::Keys, "a", "1")]));
        assert_eq!(Commit::decode(&commit.encode()), Some(commit));
        assert_eq!(Commit::decode(&commit.encode()[1..]), None);
    }
}
