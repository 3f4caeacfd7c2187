//! The possible inconsistencies of a store, and their texts.

use std::fmt;

use super::name::{Name, noun};
use crate::store::sled::record::Misread;
use crate::store::sled::transaction::{count_name, last_id_name};
use crate::store::sled::trees::Tree;

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
    /// A long value lacks pieces.
    MissingPieces { of: Name, count: u16, missing: u16 },
    /// A piece belongs to no value.
    StrayPiece { serial: i64, place: u16 },
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
    /// Two records refer to one long value.
    SharedPieces { serial: i64, one: Name, other: Name },
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
            Self::MissingPieces { of, count, missing } => write!(out, "{of} lacks {missing} of its {count} pieces"),
            Self::StrayPiece { serial, place } => {
                write!(out, "piece {place} of long value {serial} belongs to no record")
            }
            Self::SharedPieces { serial, one, other } => {
                write!(out, "{one} and {other} have the same long value {serial}")
            }
        }
    }
}

/// Bytes as hexadecimal digits.
pub(super) struct Hex<'b>(pub(super) &'b [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

/// All inconsistencies of a store. Displays the first ones and the number of the others.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// The first findings.
    kept: Vec<Finding>,
    /// The number of findings that are not kept.
    more: usize,
}

impl Findings {
    /// How many findings the text contains.
    const SHOWN: usize = 10;
    /// How many findings are kept, so that they fit into memory.
    const KEPT: usize = 1_000;

    pub(super) fn push(&mut self, finding: Finding) {
        if self.kept.len() < Self::KEPT {
            self.kept.push(finding);
        } else {
            self.more += 1;
        }
    }

    /// Whether the store is consistent.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Only the findings that a record does not fit the contract.
    pub(in crate::store::sled) fn of_another_contract(mut self) -> Self {
        self.kept.retain(|finding| matches!(finding, Finding::Unfit { .. }));
        self
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.kept.len() + self.more
    }

    /// The texts of the findings, at most a thousand.
    pub fn texts(&self) -> impl Iterator<Item = String> + '_ {
        self.kept.iter().map(Finding::to_string)
    }

    /// Logs the findings that the text omits.
    pub(in crate::store::sled) fn log_the_rest(&self) {
        for finding in self.texts().skip(Self::SHOWN) {
            tracing::error!(finding, "inconsistent");
        }
        if self.more > 0 {
            tracing::error!(more = self.more, "more inconsistencies that are not listed");
        }
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, text) in self.texts().take(Self::SHOWN).enumerate() {
            let before = if place == 0 { "" } else { "; " };
            write!(out, "{before}{text}")?;
        }
        match self.kept.len().saturating_sub(Self::SHOWN) + self.more {
            0 => Ok(()),
            more => write!(out, "; and {more} more (see the log)"),
        }
    }
}
