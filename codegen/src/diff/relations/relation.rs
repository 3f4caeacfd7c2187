//! The differences between the values of two types, for senders and for readers.

use std::ops::BitOr;

/// The differences for senders and for readers of values. The default is no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relation {
    /// Some value was accepted in requests and is rejected now.
    pub(crate) rejects: bool,
    /// Some value was rejected in requests and is accepted now.
    pub(crate) accepts: bool,
    /// Answers may contain values that readers cannot represent: of another form, or with another name.
    pub(crate) surprises: bool,
    /// Answers may contain values of the same form outside the old bounds.
    pub(crate) exceeds: bool,
    /// Answers no longer contain some values.
    pub(crate) spares: bool,
    /// The values are of a different kind.
    pub(crate) is_other: bool,
    /// Some stored value cannot be read any more.
    pub(crate) misfits: bool,
}

impl Relation {
    /// Some values are no longer allowed.
    pub(crate) const NARROWER: Relation = Relation {
        rejects: true,
        spares: true,
        ..Relation::EQUAL
    };
    /// Some values are no longer allowed, and stored ones cannot be read.
    pub(crate) const UNREADABLE: Relation = Relation {
        misfits: true,
        ..Relation::NARROWER
    };
    /// More values of the same form.
    pub(crate) const WIDER: Relation = Relation {
        accepts: true,
        exceeds: true,
        ..Relation::EQUAL
    };
    /// More values, which readers may not know.
    pub(crate) const STRANGER: Relation = Relation {
        accepts: true,
        surprises: true,
        ..Relation::EQUAL
    };
    /// Values of a different kind.
    pub(crate) const OTHER: Relation = Relation {
        rejects: true,
        surprises: true,
        is_other: true,
        misfits: true,
        ..Relation::EQUAL
    };
    pub(crate) const EQUAL: Relation = Relation {
        rejects: false,
        accepts: false,
        surprises: false,
        exceeds: false,
        spares: false,
        is_other: false,
        misfits: false,
    };

    pub(crate) fn is_equal(self) -> bool {
        self == Relation::EQUAL
    }

    /// The relation of lower bounds.
    pub(crate) fn of_least<T: PartialOrd>(old: &T, new: &T) -> Relation {
        Relation::of_most(new, old)
    }

    /// The relation of upper bounds.
    pub(crate) fn of_most<T: PartialOrd>(old: &T, new: &T) -> Relation {
        match old.partial_cmp(new) {
            Some(std::cmp::Ordering::Greater) => Relation::NARROWER,
            Some(std::cmp::Ordering::Less) => Relation::WIDER,
            _ => Relation::EQUAL,
        }
    }

    pub(crate) fn only_if(self, condition: bool) -> Relation {
        if condition { self } else { Relation::EQUAL }
    }
}

impl BitOr for Relation {
    type Output = Relation;

    fn bitor(self, other: Relation) -> Relation {
        Relation {
            rejects: self.rejects | other.rejects,
            accepts: self.accepts | other.accepts,
            surprises: self.surprises | other.surprises,
            exceeds: self.exceeds | other.exceeds,
            spares: self.spares | other.spares,
            is_other: self.is_other | other.is_other,
            misfits: self.misfits | other.misfits,
        }
    }
}
