//! The places of an element in two contracts.

/// The dotted paths of an element that is in both contracts.
#[derive(Clone, Debug)]
pub(crate) struct PathPair {
    pub(crate) old: String,
    pub(crate) new: String,
}

impl PathPair {
    /// The same path in both.
    pub(crate) fn same(path: &str) -> PathPair {
        PathPair {
            old: path.to_owned(),
            new: path.to_owned(),
        }
    }

    /// The paths of this key in both.
    pub(crate) fn join(&self, key: &str) -> PathPair {
        self.under(key, key)
    }

    /// The paths of the first key in the old contract and of the second key in the new one.
    pub(crate) fn under(&self, old: &str, new: &str) -> PathPair {
        PathPair {
            old: format!("{}.{old}", self.old),
            new: format!("{}.{new}", self.new),
        }
    }
}
