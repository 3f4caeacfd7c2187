//! How many requests of each caller are in progress. Must not know the requests or the callers.

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The key under which requests are counted: a group of operations, a kind of caller, and the caller's id.
pub type InFlightKey = (u16, u16, i64);

/// The requests in progress, counted by caller.
#[derive(Clone, Debug, Default)]
pub struct InFlightRequests(Arc<Mutex<HashMap<InFlightKey, u32>>>);

/// One request in progress, until this is dropped.
#[derive(Debug)]
pub struct InFlightPermit {
    in_flight: InFlightRequests,
    of: InFlightKey,
}

impl InFlightRequests {
    /// A permit for one more request, unless `max` are in progress.
    pub fn take(&self, of: InFlightKey, max: u32) -> Option<InFlightPermit> {
        let mut counts = self.counts();
        let count = counts.entry(of).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(InFlightPermit {
            in_flight: self.clone(),
            of,
        })
    }

    /// How many callers have requests in progress.
    pub fn len(&self) -> usize {
        self.counts().len()
    }

    /// Whether no caller has any.
    pub fn is_empty(&self) -> bool {
        self.counts().is_empty()
    }

    /// No code panics while it holds the lock.
    fn counts(&self) -> MutexGuard<'_, HashMap<InFlightKey, u32>> {
        self.0.lock()
    }
}

impl InFlightPermit {
    /// The bytes of an answer. The permit ends when the last of them is sent or dropped.
    pub fn until_sent(self, answer: Bytes) -> Bytes {
        Bytes::from_owner(HeldAnswer { answer, _permit: self })
    }
}

impl Drop for InFlightPermit {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.in_flight.counts().entry(self.of) {
            match count.get() {
                0 | 1 => drop(count.remove()),
                _ => *count.get_mut() -= 1,
            }
        }
    }
}

struct HeldAnswer {
    answer: Bytes,
    _permit: InFlightPermit,
}

impl AsRef<[u8]> for HeldAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: InFlightKey = (0, 0, 1);

    #[test]
    fn a_caller_has_so_many_turns_and_gets_them_back() {
        let in_flight = InFlightRequests::default();
        let first = in_flight.take(ONE, 2).expect("a permit");
        let _second = in_flight.take(ONE, 2).expect("a permit");
        assert!(in_flight.take(ONE, 2).is_none());
        drop(first);
        assert!(in_flight.take(ONE, 2).is_some());
        assert!(in_flight.take(ONE, 1).is_none(), "one is still under way");
    }

    #[test]
    fn callers_kinds_and_groups_are_counted_apart_and_forgotten() {
        let in_flight = InFlightRequests::default();
        let all = [ONE, (0, 0, 2), (0, 1, 1), (1, 0, 1)];
        let held: Vec<_> = all.map(|of| in_flight.take(of, 1).expect("a permit")).into();
        assert_eq!(in_flight.len(), all.len());
        drop(held);
        assert!(in_flight.is_empty());
    }

    #[test]
    fn a_turn_lasts_until_the_last_byte_is_gone() {
        let in_flight = InFlightRequests::default();
        let permit = in_flight.take(ONE, 1).expect("a permit");
        let mut answer = permit.until_sent(Bytes::from_static(b"answer"));
        assert_eq!(answer, "answer");
        drop(answer.split_to(5));
        assert!(in_flight.take(ONE, 1).is_none());
        drop(answer);
        assert!(in_flight.take(ONE, 1).is_some());
    }

    #[test]
    fn an_answer_without_bytes_ends_its_turn() {
        let in_flight = InFlightRequests::default();
        let permit = in_flight.take(ONE, 1).expect("a permit");
        drop(permit.until_sent(Bytes::new()));
        assert!(in_flight.is_empty());
    }
}
