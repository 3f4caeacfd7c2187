//! Matches two contracts: which declaration of the one is which of the other, whatever their names.

mod contracts;
mod declared;
mod fingerprint;
pub(crate) mod identity;
mod matched;
mod rename_detection;
mod renames;

pub(crate) use contracts::{MatchedContracts, MatchedSurface, address, name_of, operations, request_line};
pub(crate) use declared::Declared;
pub(crate) use matched::{Matched, match_by};
pub(crate) use rename_detection::removed_and_added;
pub(crate) use renames::{MemberKind, Namespace, Renames};
