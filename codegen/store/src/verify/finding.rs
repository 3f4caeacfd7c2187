//! The possible inconsistencies of a store, and their texts.

use std::fmt;

use crate::findings::{Flaw, Hex};
use crate::name::Name;
use crate::record::Misread;
use crate::transaction::{count_name, last_id_name};
use crate::tree::Tree;

/// One inconsistency.
pub(super) enum Finding {
    /// A stored record count differs from the number of records.
    Count { tree: Tree, counted: i64, found: i64 },
    /// An entry of `meta` is not a number.
    NoNumber { name: String },
    /// An id is higher than the last assigned one, so it would be assigned again.
    LastId {
        tree: Tree,
        noun: &'static str,
        last: i64,
        highest: i64,
    },
    /// A key that is malformed for its tree.
    Key { tree: Tree, key: Vec<u8> },
    /// A record that cannot be read.
    Unreadable { of: String, cause: String },
    /// A record that does not fit the contract.
    Unfit { of: String, cause: String },
    /// A record under the key of another one.
    Misplaced { of: Name },
    /// A record refers to a record that does not exist.
    Orphan { of: Name, missing: Name },
    /// A field states another value than follows from other records.
    Derived {
        of: Name,
        field: String,
        source: String,
        stated: String,
        found: String,
    },
    /// An index lacks a row of a record.
    MissingRow { index: Tree, row: String },
    /// An index has a row that belongs to no record.
    StrayRow { index: Tree, row: String },
    /// The stored digest of a credential is malformed.
    NoDigest { of: Name },
    /// Two records have the same credential.
    SameDigest { one: Name, other: Name },
    /// A feed of events belongs to no record.
    FeedOfNobody { of: String },
    /// An event belongs to no feed.
    EventOfNoFeed { number: i64, of: String },
    /// A feed does not have the events that it states.
    FeedSpan {
        of: String,
        first: i64,
        last: i64,
        found: i64,
    },
}

impl Finding {
    /// The finding for a key that is malformed for its tree.
    pub(super) fn key(tree: Tree, key: &[u8]) -> Self {
        let key = key.to_vec();
        Self::Key { tree, key }
    }

    /// The finding for a value that cannot be read.
    pub(super) fn misread(of: String, misread: Misread) -> Self {
        match misread {
            Misread::Broken(cause) => Self::Unreadable { of, cause },
            Misread::Unfit(cause) => Self::Unfit { of, cause },
        }
    }
}

impl Flaw for Finding {
    fn is_of_contract(&self) -> bool {
        matches!(self, Self::Unfit { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { tree, counted, found } => {
                write!(out, "`{}` is {counted}, but {found} exist", count_name(*tree))
            }
            Self::NoNumber { name } => write!(out, "`{name}` is not a number"),
            Self::LastId {
                tree,
                noun,
                last,
                highest,
            } => write!(out, "`{}` is {last}, but {noun} {highest} exists", last_id_name(*tree)),
            Self::Key { tree, key } => write!(out, "`{}` has the invalid key {}", tree.name(), Hex(key)),
            Self::FeedOfNobody { of } => write!(out, "there is a feed of {of}, which does not exist"),
            Self::EventOfNoFeed { number, of } => write!(out, "event {number} of {of} is in no feed"),
            Self::FeedSpan { of, first, last, found } => {
                write!(
                    out,
                    "the feed of {of} states the events {first} to {last}, but has {found} or others"
                )
            }
            Self::Unreadable { of, cause } => write!(out, "{of} cannot be read ({cause})"),
            Self::Unfit { of, cause } => write!(out, "{of} does not fit the contract ({cause})"),
            Self::Misplaced { of } => write!(out, "another record is stored in the place of {of}"),
            Self::Orphan { of, missing } => write!(out, "{of} exists, but its {missing} does not"),
            Self::Derived {
                of,
                field,
                source,
                stated,
                found,
            } => write!(out, "{of} states {stated} as `{field}`, but `{source}` is {found}"),
            Self::MissingRow { index, row } => write!(out, "{row} is missing from the index `{}`", index.name()),
            Self::StrayRow { index, row } => write!(out, "{row} is in the index `{}` and must not be", index.name()),
            Self::NoDigest { of } => write!(out, "{of} has an invalid credential"),
            Self::SameDigest { one, other } => write!(out, "{one} and {other} have the same credential"),
        }
    }
}
