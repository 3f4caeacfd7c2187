//! Where something stands in two contracts.

/// The dotted paths of one thing that is in both contracts.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) old: String,
    pub(super) new: String,
}

impl Place {
    /// The same path in both.
    pub(super) fn same(path: &str) -> Place {
        Place {
            old: path.to_owned(),
            new: path.to_owned(),
        }
    }

    /// What stands under this key in both.
    pub(super) fn join(&self, key: &str) -> Place {
        self.under(key, key)
    }

    /// What stands under the one key in the old contract, and under the other in the new one.
    pub(super) fn under(&self, old: &str, new: &str) -> Place {
        Place {
            old: format!("{}.{old}", self.old),
            new: format!("{}.{new}", self.new),
        }
    }
}
