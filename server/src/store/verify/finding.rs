//! The possible inconsistencies of a store, and their texts.

use std::fmt;

use codegen_store::{Flaw, Hex, Tree};

use super::name::{Name, noun};
use crate::store::record::Misread;
use crate::store::transaction::{count_name, last_id_name};

/// One inconsistency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    /// A stored record count differs from the number of records.
    Count { tree: Tree, counted: i64, found: i64 },
    /// An entry of `meta` is not a number.
    NoNumber { name: String },
    /// An id is higher than the last assigned one, so it would be assigned again.
    LastId { tree: Tree, last: i64, highest: i64 },
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
    /// Two skills have the same id.
    SameSkill { id: i64 },
    /// A webhook without the state of its deliveries.
    NoDeliveries { of: Name },
    /// The state of the deliveries of a webhook that does not exist.
    StrayDeliveries { of: Name },
    /// A worker's skill differs from the dictionary.
    Skill { of: Name, id: i64, name: String },
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
            Self::LastId { tree, last, highest } => {
                let (name, noun) = (last_id_name(*tree), noun(*tree));
                write!(out, "`{name}` is {last}, but {noun} {highest} exists")
            }
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
            Self::NoDeliveries { of } => write!(out, "{of} exists, but the state of its deliveries does not"),
            Self::StrayDeliveries { of } => write!(out, "the state of the deliveries of {of} exists, but it does not"),
            Self::SameSkill { id } => write!(out, "two skills have the id {id}"),
            Self::Skill { of, id, name } => write!(out, "{of} has skill {id} as {name:?}, but `skills` does not"),
        }
    }
}
