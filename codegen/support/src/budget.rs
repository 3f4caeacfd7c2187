//! Counts the bytes that wait to be sent, for each caller and for the process, so that slow readers cannot fill the
//! memory. The holder of bytes of an answer holds a [`Charge`] for them. Must not know what is sent nor how.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The maximum bytes that may wait for one caller before its next request is rejected.
pub const PER_CALLER: usize = 8 << 20;
/// The maximum bytes that may wait for all callers before every request is rejected.
pub const PER_PROCESS: usize = 64 << 20;

/// To whom bytes are charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Payer {
    /// The caller of this kind and id, with any credential.
    Caller(u16, i64),
    /// Callers without a credential from this network. `None` if the listener does not state it.
    Network(Option<IpAddr>),
}

/// Counts the bytes that wait to be sent.
#[derive(Debug, Default)]
pub struct Budget {
    total: AtomicUsize,
    /// The payers with waiting bytes.
    payers: Mutex<HashMap<Payer, usize>>,
}

impl Budget {
    /// Whether a request of `payer` must be rejected because too many bytes wait.
    pub fn is_spent(&self, payer: Payer) -> bool {
        let total = self.bytes();
        // No payer has more than the total, so the map is rarely read.
        total > PER_PROCESS || (total > PER_CALLER && self.bytes_of(payer) > PER_CALLER)
    }

    /// The bytes that wait for all callers.
    pub fn bytes(&self) -> usize {
        self.total.load(Ordering::Relaxed)
    }

    fn bytes_of(&self, payer: Payer) -> usize {
        self.payers.lock().get(&payer).copied().unwrap_or_default()
    }

    /// Counts `bytes` for `payer`, until the charge is dropped.
    pub fn charge(self: &Arc<Self>, payer: Payer, bytes: usize) -> Charge {
        *self.payers.lock().entry(payer).or_default() += bytes;
        self.total.fetch_add(bytes, Ordering::Relaxed);
        Charge {
            budget: Arc::clone(self),
            payer,
            bytes,
        }
    }
}

/// Bytes that wait to be sent, until this is dropped.
#[derive(Debug)]
pub struct Charge {
    budget: Arc<Budget>,
    payer: Payer,
    bytes: usize,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.total.fetch_sub(self.bytes, Ordering::Relaxed);
        let mut payers = self.budget.payers.lock();
        if let Some(waiting) = payers.get_mut(&self.payer) {
            *waiting -= self.bytes;
            if *waiting == 0 {
                payers.remove(&self.payer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Payer = Payer::Caller(0, 1);
    const OTHER: Payer = Payer::Caller(1, 1);

    #[test]
    fn a_caller_with_too_much_waiting_blocks_no_other_caller() {
        let budget = Arc::new(Budget::default());
        let most = budget.charge(ONE, PER_CALLER);
        assert!(!budget.is_spent(ONE));
        let more = budget.charge(ONE, 1);
        assert!(budget.is_spent(ONE) && !budget.is_spent(OTHER) && !budget.is_spent(Payer::Network(None)));
        drop(most);
        assert!(!budget.is_spent(ONE));
        drop(more);
        assert_eq!((budget.bytes(), budget.payers.lock().len()), (0, 0));
    }

    #[test]
    fn callers_together_have_a_bound() {
        let budget = Arc::new(Budget::default());
        let count = i64::try_from(PER_PROCESS / PER_CALLER).expect("a few");
        let all: Vec<_> = (0..count)
            .map(|id| budget.charge(Payer::Caller(0, id), PER_CALLER))
            .collect();
        assert!(!budget.is_spent(OTHER));
        let more = budget.charge(ONE, 1);
        assert!(budget.is_spent(OTHER));
        drop(more);
        assert!(!budget.is_spent(OTHER));
        drop(all);
        assert_eq!(budget.bytes(), 0);
    }
}
