//! The workers that were read last, decoded.

use std::sync::{Arc, OnceLock};

use contract::{Encoded, Human, HumanDetail};
use parking_lot::Mutex;

use crate::search::RowNumber;

/// How many workers are kept, at most one for each row number modulo this.
const KEPT: usize = 4_096;

/// A decoded worker.
pub(super) struct Decoded {
    pub(super) human: Arc<Human>,
    /// Encoded on first use.
    pub(super) detail: OnceLock<Encoded<HumanDetail>>,
}

type Slot = Mutex<Option<(RowNumber, Arc<Decoded>)>>;

/// Some workers, decoded.
pub(super) struct Recent(Vec<Slot>);

impl Default for Recent {
    fn default() -> Self {
        Self((0..KEPT).map(|_| Mutex::default()).collect())
    }
}

impl Recent {
    /// The worker of a row, decoded by `decode` unless it is kept.
    pub(super) fn get(&self, row: RowNumber, decode: impl FnOnce() -> Human) -> Arc<Decoded> {
        let slot = &self.0[row as usize % KEPT];
        let kept = slot.lock().clone();
        if let Some((of, decoded)) = kept
            && of == row
        {
            return decoded;
        }
        let decoded = Arc::new(Decoded {
            human: Arc::new(decode()),
            detail: OnceLock::new(),
        });
        *slot.lock() = Some((row, Arc::clone(&decoded)));
        decoded
    }

    /// Forgets the worker of a row, which has changed.
    pub(super) fn forget(&mut self, row: RowNumber) {
        let slot = self.0[row as usize % KEPT].get_mut();
        if slot.as_ref().is_some_and(|(of, _)| *of == row) {
            *slot = None;
        }
    }
}
