//! All kinds of what is stored.

use codegen_store::kept::{answers, feeds, usage};

use super::market::Kind;
use super::{deliveries, skills, steps};
use crate::emitted::stored as records;

/// Few and often changed.
const SMALL: [Kind; 4] = [deliveries::DELIVERIES, steps::STEPS, usage::kind(), feeds::kind()];

/// Many, and seldom changed.
const LARGE: [Kind; 3] = [feeds::events_kind(), answers::kind(), skills::SKILLS];

/// The kinds, in the order in which a backup holds them: what changes most comes early, so that a snapshot keeps few former
/// values.
pub(crate) static KINDS: [Kind; SMALL.len() + LARGE.len() + records::KINDS.len()] = {
    let mut kinds = [SMALL[0]; SMALL.len() + LARGE.len() + records::KINDS.len()];
    let mut at = add(&SMALL, false, &mut kinds, 0);
    at = add(&records::KINDS, false, &mut kinds, at);
    at = add(&LARGE, false, &mut kinds, at);
    at = add(&records::KINDS, true, &mut kinds, at);
    assert!(at == kinds.len());
    kinds
};

/// Adds those of `more` that come last, or that do not. Returns the place after them.
const fn add(more: &[Kind], last: bool, kinds: &mut [Kind], mut at: usize) -> usize {
    let mut next = 0;
    while next < more.len() {
        if more[next].comes_last == last {
            kinds[at] = more[next];
            at += 1;
        }
        next += 1;
    }
    at
}
