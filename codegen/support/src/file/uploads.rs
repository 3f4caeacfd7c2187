//! The uploads that are running: how many there are, and what they may still count towards quotas and write to the disk.
//! An upload is admitted with what it announces, before any of it is read. Once it has arrived, it counts towards quotas in the
//! transaction of its record only, which decides again.

use crate::key::KeyBytes;
use crate::quota::{Amount, QuotaUse};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// Maximum number of uploads at a time.
const AT_ONCE: usize = 64;
/// How often a file may be on the disk until it has its place: as it was sent, and as an application rewrites it.
const COPIES: u64 = 2;

/// The uploads to a directory.
#[derive(Debug)]
pub(super) struct Uploads {
    places: Arc<Semaphore>,
    /// One is admitted after another, so that each sees what those before it have reserved.
    admission: Arc<tokio::sync::Mutex<()>>,
    reserved: Mutex<Reserved>,
}

#[derive(Debug, Default)]
struct Reserved {
    bytes: u64,
    of_owners: HashMap<(&'static str, KeyBytes), i64>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(AT_ONCE)),
            admission: Arc::default(),
            reserved: Mutex::default(),
        }
    }
}

/// An upload, and what is reserved for it: towards quotas until it has arrived, on the disk until this is dropped.
#[derive(Debug)]
pub struct Upload {
    uploads: Arc<Uploads>,
    _place: OwnedSemaphorePermit,
    /// Towards which quotas its bytes count.
    uses: Vec<QuotaUse>,
    bytes: u64,
}

impl Uploads {
    /// A place for one more, if there are not too many.
    pub(super) fn begin(self: &Arc<Self>) -> Option<Upload> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        Some(self.upload(place))
    }

    /// A place for one more. Waits until there are not too many.
    pub(super) async fn wait(self: &Arc<Self>) -> Upload {
        let place = Arc::clone(&self.places).acquire_owned();
        self.upload(place.await.expect("never closed"))
    }

    fn upload(self: &Arc<Self>, place: OwnedSemaphorePermit) -> Upload {
        Upload {
            uploads: Arc::clone(self),
            _place: place,
            uses: Vec::new(),
            bytes: 0,
        }
    }
}

/// More bytes of an upload, while it is decided whether there is room for them. Others wait for that.
pub(super) struct Claim<'u> {
    upload: &'u mut Upload,
    bytes: u64,
    more: i64,
    _only_one: OwnedMutexGuard<()>,
}

impl Upload {
    /// States towards which quotas its bytes count, each with its owner. The amounts do not matter.
    pub fn count_towards(&mut self, uses: Vec<QuotaUse>) {
        self.uses = uses;
    }

    /// States that it has arrived: its bytes count towards quotas when its record does. Until this is dropped it may still be
    /// rewritten, so what is reserved of the disk stays.
    pub(super) fn stop_counting(&mut self) {
        let mut reserved = self.uploads.reserved.lock();
        for used in self.uses.drain(..) {
            let owner = (used.quota.name, used.owner);
            let left = reserved.of_owners.remove(&owner).unwrap_or_default() - signed(self.bytes);
            if left > 0 {
                reserved.of_owners.insert(owner, left);
            }
        }
    }

    /// Claims what is missing to this many bytes. `None`: they are reserved already.
    pub(super) async fn claim(&mut self, bytes: u64) -> Option<Claim<'_>> {
        let more = bytes.checked_sub(self.bytes).filter(|more| *more > 0)?;
        Some(Claim {
            bytes,
            more: signed(more),
            _only_one: Arc::clone(&self.uploads.admission).lock_owned().await,
            upload: self,
        })
    }
}

impl Claim<'_> {
    /// What it counts towards quotas, with what all uploads have reserved.
    pub(super) fn uses(&self) -> Vec<QuotaUse> {
        let reserved = self.upload.uploads.reserved.lock();
        let uses = self.upload.uses.iter().map(|used| {
            let of_owner = reserved.of_owners.get(&(used.quota.name, used.owner.clone()));
            let amount = of_owner.copied().unwrap_or_default().saturating_add(self.more);
            QuotaUse {
                amount: Amount::Of(amount),
                ..used.clone()
            }
        });
        uses.collect()
    }

    /// How many bytes the disk must have for all uploads.
    pub(super) fn disk_bytes(&self) -> u64 {
        let reserved = self.upload.uploads.reserved.lock().bytes - self.upload.bytes;
        reserved.saturating_add(self.bytes).saturating_mul(COPIES)
    }

    /// Reserves them until the upload is dropped.
    pub(super) fn reserve(self) {
        let mut reserved = self.upload.uploads.reserved.lock();
        reserved.bytes += self.bytes - self.upload.bytes;
        self.upload.bytes = self.bytes;
        for used in &self.upload.uses {
            *reserved
                .of_owners
                .entry((used.quota.name, used.owner.clone()))
                .or_default() += self.more;
        }
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.stop_counting();
        self.uploads.reserved.lock().bytes -= self.bytes;
    }
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Key;
    use crate::quota::Quota;

    static DAY: Quota = Quota {
        name: "day",
        max: 100,
        seconds: Some(86_400),
    };

    fn upload(uploads: &Arc<Uploads>, owner: i64) -> Upload {
        let mut upload = uploads.begin().expect("a place");
        let amount = Amount::Of(0);
        upload.count_towards(vec![QuotaUse {
            quota: &DAY,
            owner: owner.bytes(),
            amount,
        }]);
        upload
    }

    /// Reserves bytes. Returns what counts towards the quota of its owner, and on the disk.
    async fn reserve(upload: &mut Upload, bytes: u64) -> Option<(Amount, u64)> {
        let claim = upload.claim(bytes).await?;
        let counted = (claim.uses()[0].amount, claim.disk_bytes());
        claim.reserve();
        Some(counted)
    }

    #[tokio::test]
    async fn an_upload_counts_what_others_have_reserved() {
        let uploads = Arc::default();
        let [mut first, mut second, mut other] = [1, 1, 2].map(|owner| upload(&uploads, owner));
        assert_eq!(reserve(&mut first, 60).await, Some((Amount::Of(60), 120)));
        assert_eq!(reserve(&mut second, 30).await, Some((Amount::Of(90), 180)));
        assert_eq!(reserve(&mut other, 5).await, Some((Amount::Of(5), 190)));
        // What is reserved is not counted again.
        assert_eq!(reserve(&mut second, 30).await, None);
        assert_eq!(reserve(&mut second, 31).await, Some((Amount::Of(91), 192)));
        drop(second.claim(1_000).await);
        drop(first);
        assert_eq!(reserve(&mut second, 32).await, Some((Amount::Of(32), 74)));
        drop((second, other));
        let reserved = uploads.reserved.lock();
        assert!(reserved.of_owners.is_empty() && reserved.bytes == 0);
    }

    #[tokio::test]
    async fn an_upload_that_has_arrived_keeps_its_place_on_the_disk_only() {
        let uploads = Arc::default();
        let [mut first, mut second] = [1, 1].map(|owner| upload(&uploads, owner));
        assert_eq!(reserve(&mut first, 60).await, Some((Amount::Of(60), 120)));
        first.stop_counting();
        assert_eq!(reserve(&mut second, 30).await, Some((Amount::Of(30), 180)));
        drop(first);
        assert_eq!(reserve(&mut second, 31).await, Some((Amount::Of(31), 62)));
    }

    #[test]
    fn there_are_so_many_places_and_no_more() {
        let uploads = Arc::default();
        let mut all: Vec<_> = (1..=64).map(|owner| upload(&uploads, owner)).collect();
        assert!(uploads.begin().is_none());
        all.pop();
        assert!(uploads.begin().is_some());
    }
}
