//! How many requests of each caller are in progress. Must not know the requests or the callers.

use bytes::Bytes;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The key under which requests are counted: a group of operations, a kind of caller, and the caller's id.
pub type TurnOf = (u16, u16, i64);

/// The requests in progress, counted by caller.
#[derive(Clone, Debug, Default)]
pub struct Turns(Arc<Mutex<HashMap<TurnOf, u32>>>);

/// One request in progress, until this is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    of: TurnOf,
}

impl Turns {
    /// A turn for one more request, unless `max` are in progress.
    pub fn take(&self, of: TurnOf, max: u32) -> Option<Turn> {
        let mut counts = self.counts();
        let count = counts.entry(of).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(Turn {
            turns: self.clone(),
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
    fn counts(&self) -> MutexGuard<'_, HashMap<TurnOf, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// The bytes of an answer. The turn ends when the last of them is sent or dropped.
    pub fn until_sent(self, answer: Bytes) -> Bytes {
        Bytes::from_owner(HeldAnswer { answer, _turn: self })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.turns.counts().entry(self.of) {
            match count.get() {
                0 | 1 => drop(count.remove()),
                _ => *count.get_mut() -= 1,
            }
        }
    }
}

struct HeldAnswer {
    answer: Bytes,
    _turn: Turn,
}

impl AsRef<[u8]> for HeldAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: TurnOf = (0, 0, 1);

    #[test]
    fn a_caller_has_so_many_turns_and_gets_them_back() {
        let turns = Turns::default();
        let first = turns.take(ONE, 2).expect("a turn");
        let _second = turns.take(ONE, 2).expect("a turn");
        assert!(turns.take(ONE, 2).is_none());
        drop(first);
        assert!(turns.take(ONE, 2).is_some());
        assert!(turns.take(ONE, 1).is_none(), "one is still under way");
    }

    #[test]
    fn callers_kinds_and_groups_are_counted_apart_and_forgotten() {
        let turns = Turns::default();
        let all = [ONE, (0, 0, 2), (0, 1, 1), (1, 0, 1)];
        let held: Vec<_> = all.map(|of| turns.take(of, 1).expect("a turn")).into();
        assert_eq!(turns.len(), all.len());
        drop(held);
        assert!(turns.is_empty());
    }

    #[test]
    fn a_turn_lasts_until_the_last_byte_is_gone() {
        let turns = Turns::default();
        let turn = turns.take(ONE, 1).expect("a turn");
        let mut answer = turn.until_sent(Bytes::from_static(b"answer"));
        assert_eq!(answer, "answer");
        drop(answer.split_to(5));
        assert!(turns.take(ONE, 1).is_none());
        drop(answer);
        assert!(turns.take(ONE, 1).is_some());
    }

    #[test]
    fn an_answer_without_bytes_ends_its_turn() {
        let turns = Turns::default();
        let turn = turns.take(ONE, 1).expect("a turn");
        drop(turn.until_sent(Bytes::new()));
        assert!(turns.is_empty());
    }
}
